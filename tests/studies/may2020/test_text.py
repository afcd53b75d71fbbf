"""may2020: trials behind sentences, against brute force; every claim names cells that exist."""

from itertools import product

import numpy as np
import pytest

from weaklearn.lab import Algorithm, DataSource, Protocol, Row, Split, Trial, discover
from weaklearn.lab._claim import Reader, judge_claim
from weaklearn.lab._discover import discover_claims
from weaklearn.lab._record import Record
from weaklearn.lab._trial import run_protocol
from weaklearn.studies.may2020.text import TRIALS
from weaklearn.studies.may2020.text_trials import most_mistakes


@pytest.mark.parametrize("claim", discover_claims()["may2020"], ids=lambda claim: claim.id)
def test_claims_name_cells_that_exist(claim):
    read = Reader([one for one in discover().values() if one.source == "may2020"], lambda _: Record())
    assert judge_claim(claim, "may2020", read).verdict == "open"
    assert read.asked


@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_worst_sequence_of_a_perceptron(n):
    """All sequences of n + 1 examples, one by one: no more mistakes than n."""
    examples = [np.array(x) for x in product((-1, 1), repeat=n)]
    most = 0
    for sequence in product(examples, repeat=n + 1):
        weights, mistakes = np.zeros(n), 0
        for x in sequence:
            if x[0] * (weights @ x) <= 0:
                weights, mistakes = weights + x[0] * x, mistakes + 1
        most = max(most, mistakes)
    assert most_mistakes(n) == most <= n


def test_mistakes_are_shares_of_the_bound():
    protocol = Protocol(f"{TRIALS}:mistake_bound", {"n_sequences": 5})
    small, large = (
        run_protocol(Trial.series(protocol, Row("n", setting={"n_features": n}), None, 1)[0]) for n in (2, 6)
    )
    assert small["largest"] <= small["worst"] == 1
    assert 0 < large["largest"] == large["worst"] <= 1


def test_hard_digits_are_counted():
    """Two machines that know one class have all other examples wrong, twice."""
    data = DataSource("tangram", Split(test_share=0.5), kind="artificial", params={"n_samples": 60})
    constant = Algorithm("constant", "sklearn.dummy:DummyClassifier", {})
    protocol = Protocol(f"{TRIALS}:hardest_digits", {"n_runs": 2, "n_hardest": 3})
    (trial,) = Trial.series(protocol, data, constant, 1)
    found = run_protocol(trial)
    assert found["most"] == found["fewest_of_hardest"] == found["most_of_others"] == 2
    assert found["distinct"] >= 60 - np.bincount(trial.load()[1].astype(int)).max()


def test_solvers_are_timed_on_the_same_machine():
    pytest.importorskip("clarabel")
    data = DataSource("tangram", Split(test_share=0.5), kind="artificial", params={"n_samples": 400})
    digit = float(Trial.series(Protocol("holdout"), data, None, 1)[0].load()[1][0])
    protocol = Protocol(f"{TRIALS}:solver_seconds", {"digit": digit})
    found = run_protocol(Trial.series(protocol, data, None, 1)[0])
    assert found["ratio"] == pytest.approx(found["qp"] / found["smo"])
