"""The lab's trials of data complexity, small, and their drawings."""

import numpy as np
import pytest

from weaklearn.lab import Algorithm, DataSource, Protocol, Split, Trial
from weaklearn.lab._build import resolve
from weaklearn.lab._protocols import run_protocol
from weaklearn.lab.curves import FigureData
from weaklearn.lab.studies.li2006.complexity import DETECTORS, EXPERIMENT

SMALL = {
    "decomposition": {"n_clusters": 6, "n_shown": 3},
    "contribution_by_size": {"n_permutations": 4},
    "fingerprint": {"target": "weaklearn.datasets._plane:yinyang_target"},
}


def small(row):
    return DataSource(
        row.name, Split(train_size=40), kind="artificial", params={"n_samples": 200}, label=row.label
    )


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
    row = next(row for row in EXPERIMENT.tables[-1].rows if "Yin-Yang" in row.label)
    source = DataSource(
        "yinyang", Split(train_size=120), kind="artificial", params={"n_samples": 400}, label=row.label
    )
    result = run_protocol(Trial.series(Protocol("flipped_labels"), source, detector, 1)[0])
    assert result["auc"] > 0.75
    assert np.all(np.diff(result["tpr"]) >= 0)
    assert result["flipped"] > result["clean"]


def test_tables_compare_with_what_is_printed():
    printed = {cell.value for table in EXPERIMENT.tables for cell in table.published}
    assert printed == {11, 17, 25, 48, 2.5}


def test_decomposition_records_a_consistent_picture():
    row = EXPERIMENT.figures[0].rows[0]
    measure = Algorithm("svm", "weaklearn.complexity:SVMComplexity")
    result = run_protocol(trial(Protocol("decomposition"), row, measure))
    points, masks = np.array(result["points"]), np.array(result["masks"])
    assert result["n_points"] == len(points)
    assert result["n_subsets"] >= result["n_points"]
    assert points[-1].tolist() == [result["complexity"], 0.0]
    np.testing.assert_array_equal(masks.sum(axis=1), 40 - np.array(result["shown"])[:, 1])
