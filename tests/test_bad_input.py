"""No input is answered with nonsense: the matrix that ``python -m benchmarks.bad_input`` prints.

Every run tries a sample, chosen by a fixed rule, in which every subject and every kind of input occurs; `make
test-slow` tries all of it.
"""

from pathlib import Path

import pytest
from benchmarks.bad_input.matrix import FAULTS, kinds_for, run
from benchmarks.bad_input.page import page
from benchmarks.bad_input.subjects import SUBJECTS
from sklearn.exceptions import NotFittedError

from weaklearn.linear import PocketPerceptron

N_PARTS = 4
# Cells of each subject besides those that every kind needs.
N_EACH = 2


def cells_of(subject):
    # Threads of polars do not survive a fork of a process that has used it: the command itself tries it.
    return [(subject.name, kind.name) for kind in kinds_for(subject) if "polars" not in kind.name]


def sample():
    """Every kind once, at the subjects in turn, and a few more kinds of each subject."""
    table = [cells_of(subject) for subject in SUBJECTS]
    chosen = {}
    for k, kind in enumerate(dict.fromkeys(name for cells in table for _, name in cells)):
        having = [cells[0][0] for cells in table if any(name == kind for _, name in cells)]
        chosen[having[7 * k % len(having)], kind] = None
    for i, cells in enumerate(table):
        chosen |= dict.fromkeys(cells[(11 * i + 41 * j) % len(cells)] for j in range(N_EACH))
    return sorted(chosen)


def faults(cells):
    return [
        f"{cell.subject}, {cell.kind}: {cell.outcome}: {cell.detail}"
        for cell in run(cells)
        if cell.outcome in FAULTS
    ]


@pytest.mark.parametrize("part", range(N_PARTS))
def test_a_sample_of_the_matrix_has_no_fault(part):
    names = [subject.name for subject in SUBJECTS][part::N_PARTS]
    found = faults([cell for cell in sample() if cell[0] in names])
    assert not found, "\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_the_whole_matrix_has_no_fault(subject):
    found = faults(cells_of(subject))
    assert not found, "\n".join(found)


def test_the_sample_has_every_subject_and_every_kind():
    subjects, kinds = map(set, zip(*sample(), strict=True))
    assert subjects == {subject.name for subject in SUBJECTS}
    assert kinds == {kind for subject in SUBJECTS for _, kind in cells_of(subject)}


def test_the_matrix_has_the_kinds_it_promises():
    assert max(len(kinds_for(subject)) for subject in SUBJECTS) > 100
    assert len(SUBJECTS) > 80
    assert sum(len(kinds_for(subject)) for subject in SUBJECTS) > 20_000
    assert Path(__file__).parents[1].joinpath("docs", "bad_input.md").read_text() == page()


def test_prediction_before_fitting_is_refused():
    for subject in SUBJECTS:
        if subject.make is None or not hasattr(subject.make(), "predict"):
            continue
        with pytest.raises(NotFittedError):
            subject.make().predict([[0.0]])


def test_a_linear_separator_keeps_its_sign_beyond_the_largest_float():
    model = PocketPerceptron(max_iter=5, random_state=0).fit([[-1.0, 0.0], [1.0, 0.0]], ["low", "high"])
    assert model.predict([[-1.7e308, 1e300], [1.7e308, -1e300]]).tolist() == ["low", "high"]
