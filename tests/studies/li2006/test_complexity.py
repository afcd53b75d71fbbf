"""li2006, chapter 1: small trials, their drawings, and the numbers that the text states."""

import numpy as np
import pytest

from weaklearn.lab import Algorithm, DataSource, Protocol, Row, Split, Trial, load_published
from weaklearn.lab._build import resolve
from weaklearn.lab._trial import run_protocol
from weaklearn.lab.drawings import FigureData
from weaklearn.studies.li2006.complexity import DETECTORS, EXPERIMENT, TRIALS

SMALL = {
    f"{TRIALS}:decomposition": {"n_clusters": 6, "n_shown": 3},
    f"{TRIALS}:contribution_by_size": {"n_permutations": 4},
}


def small(row):
    data = DataSource(row.name, Split(train_size=40), kind="artificial", params={"n_samples": 200})
    return Row(row.label, data)


def trial(protocol, row, algorithm):
    params = {**protocol.params, **SMALL.get(protocol.name, {})}
    return Trial.series(Protocol(protocol.name, params), small(row), algorithm, 1)[0]


@pytest.mark.parametrize("figure", EXPERIMENT.figures, ids=lambda figure: figure.number)
def test_every_figure_draws_what_its_trials_record(figure):
    results = {
        (figure.rows[0].label, column.name): [
            run_protocol(trial(figure.protocol, figure.rows[0], column.algorithm))
        ]
        for column in figure.columns
        # A window that starts at 50 does not fit into 40 examples.
        if column.algorithm.params.get("start") != 50 or column.name == "surprise"
    }
    if not results:
        pytest.skip("all columns need more examples")
    panels = resolve(figure.draw)(figure, FigureData(results))
    assert panels
    assert all(panel.axes for panel in panels)


@pytest.mark.parametrize("detector", DETECTORS, ids=lambda detector: detector.name)
def test_detectors_see_the_same_flips_and_beat_chance(detector):
    source = DataSource("yinyang", Split(train_size=120), kind="artificial", params={"n_samples": 400})
    result = run_protocol(Trial.series(Protocol(f"{TRIALS}:flipped_labels"), source, detector, 1)[0])
    assert result["auc"] > 0.75
    assert np.all(np.diff(result["tpr"]) >= 0)
    assert result["flipped"] > result["clean"]


def test_tables_compare_with_what_the_text_states():
    claims = {cell.column: cell for cell in load_published("li2006") if cell.table == "claims"}
    compared = [cell for table in EXPERIMENT.tables for cell in table.published or ()]
    for kind in ("points", "subsets"):
        for name, table in (("concentric disks", "1.4.3 disks"), ("Yin-Yang", "1.4.3 Yin-Yang")):
            (cell,) = (c for c in compared if (c.table, c.column) == (table, f"principal {kind}"))
            assert cell.value == claims[f"{name}, number of principal {kind}"].value
    points = {c.column: c.value for c in compared if c.table == "1.4.3 points"}
    assert (points["errors at 12"], points["complexity at 15"]) == (15, 12)
    assert (points["in small disks"], points["dearer disk enters"]) == (7, 35)
    assert len(compared) == 5 + len(points) == 5 + 14
    # Each is the result of one draw.
    assert all(cell.n_runs == 1 and cell.error is None for cell in compared)


def test_decomposition_records_a_consistent_picture():
    row = EXPERIMENT.figures[0].rows[0]
    measure = Algorithm("svm", "weaklearn.complexity:SVMComplexity")
    result = run_protocol(trial(Protocol(f"{TRIALS}:decomposition"), row, measure))
    points, masks = np.array(result["points"]), np.array(result["masks"])
    assert result["n_points"] == len(points)
    assert result["n_subsets"] >= result["n_points"]
    assert points[-1].tolist() == [result["complexity"], 0.0]
    np.testing.assert_array_equal(masks.sum(axis=1), 40 - np.array(result["shown"])[:, 1])


def test_windows_are_means_over_sizes():
    windows = [[0, 6], [10, 29]]
    params = {"flip": 0.1, "n_permutations": 4, "windows": windows}
    row, measure = EXPERIMENT.figures[0].rows[0], Algorithm("svm", "weaklearn.complexity:SVMComplexity")
    result = run_protocol(trial(Protocol(f"{TRIALS}:contribution_windows", params), row, measure))
    assert list(result) == [f"{kind} {a}-{b}" for a, b in windows for kind in ("flipped", "clean", "gap")]
    assert result["gap 10-29"] == result["flipped 10-29"] - result["clean 10-29"] > 0


def test_rings_are_found_among_the_principal_subsets():
    """Enough examples in four clusters: the rule can hardly miss the inner disk."""
    row, measure = EXPERIMENT.figures[0].rows[0], Algorithm("svm", "weaklearn.complexity:SVMComplexity")
    protocol = Protocol(f"{TRIALS}:rings", {"n_clusters": 6, "radii": [1 / 3, 2 / 3]})
    result = run_protocol(trial(protocol, row, measure))
    assert result["n_inner"] > 0
    assert result["rings"] in (0.0, 1.0)


def test_principal_points_are_the_ends_of_the_plot():
    """At complexity 0 a subset has one class: the other class is its errors."""
    source = DataSource("yinyang", Split(train_size=60), kind="artificial", params={"n_samples": 300})
    measure = Algorithm("svm", "weaklearn.complexity:SVMComplexity")
    protocol = Protocol(
        f"{TRIALS}:principal_points", {"n_clusters": 6, "max_subsets": 2**10, "points": [[0, 0]]}
    )
    one = Trial.series(protocol, source, measure, 1)[0]
    found = run_protocol(one)
    X, _, y, _ = one.split()
    assert found["errors at 0"] == min((y > 0).sum(), (y < 0).sum())
    assert found["complexity at 0"] > 0
    eyes = sum(np.hypot(X[:, 0] - centre, X[:, 1]) <= 0.18 for centre in (0.5, -0.5))
    assert found["in_disks"] == eyes.sum()
