"""No input is answered with nonsense: a part of the matrix that ``python -m benchmarks.bad_input`` prints in full.

A subject without a fault stays without one; the faults that are known are listed, each with its reason.
"""

import pytest
from benchmarks.bad_input.matrix import FAULTS, kinds_for, run
from benchmarks.bad_input.subjects import SUBJECTS
from sklearn.exceptions import NotFittedError

from weaklearn.linear import PocketPerceptron

# One of each family in every run; all of them by `make test-slow`.
QUICK = {
    "PocketPerceptron",
    "FisherDiscriminant",
    "LeastSquaresClassifier",
    "KernelPerceptronClassifier",
    "KernelSVC",
    "MonotoneFit",
    "LogisticFit",
    "DecisionStump",
    "AdaBoostClassifier",
    "gaussian_kernel()",
    "class_clusters()",
}
# Faults that are known and not mended yet, by subject.
_KNOWN = {
    # Its default weak learner, a tree of scikit-learn, works in float32 whatever it is given.
    "SAMMEClassifier": [
        "X times 1e300", "X times 1e150", "X times 1e-150", "X times 1e-300", "X subnormal", "X plus 1e15",
        "the largest floats", "predict: 1e300", "predict: the largest floats",
    ],
    # Kernel values of 1e-300 beside C=1: everything is within the margin.
    "PerceptronKernelSVC": ["X times 1e-300", "X subnormal"],
    "AdaBoostCloner": ["10 rows, 5000 columns"],
    "RhoCloner": [
        "10 rows, 5000 columns", "constant column", "more columns than rows", "the largest floats", "predict: 1e300",
    ],
    "SmoothedBootstrap": ["the largest floats"],
    "clone_dataset()": ["the largest floats", "40 classes"],
    "principal_points()": ["40 classes"],
}  # fmt: skip
KNOWN = {(subject, kind) for subject, kinds in _KNOWN.items() for kind in kinds}


def parameters():
    for subject in SUBJECTS:
        marks = [] if subject.name in QUICK else [pytest.mark.slow]
        yield pytest.param(subject, id=subject.name, marks=marks)


@pytest.mark.parametrize("subject", list(parameters()))
def test_every_kind_of_input_is_answered_rightly_or_refused(subject):
    # Threads of polars do not survive a fork: `python -m benchmarks.bad_input` tries it.
    kinds = [kind.name for kind in kinds_for(subject) if "polars" not in kind.name]
    cells = list(run([(subject.name, kind) for kind in kinds]))
    faults = [cell for cell in cells if cell.outcome in FAULTS and cell[:2] not in KNOWN]
    assert not faults, "\n".join(f"{cell.kind}: {cell.outcome}: {cell.detail}" for cell in faults)


def test_the_matrix_has_the_kinds_it_promises():
    assert max(len(kinds_for(subject)) for subject in SUBJECTS) > 100
    assert len(SUBJECTS) > 50


def test_prediction_before_fitting_is_refused():
    for subject in SUBJECTS:
        if subject.make is None or not hasattr(subject.make(), "predict"):
            continue
        with pytest.raises(NotFittedError):
            subject.make().predict([[0.0]])


def test_a_linear_separator_keeps_its_sign_beyond_the_largest_float():
    model = PocketPerceptron(max_iter=5, random_state=0).fit([[-1.0, 0.0], [1.0, 0.0]], ["low", "high"])
    assert model.predict([[-1.7e308, 1e300], [1.7e308, -1e300]]).tolist() == ["low", "high"]
