import numpy as np
import pytest
from sklearn.metrics import log_loss

from weaklearn.lab import Trial
from weaklearn.lab.protocols import percent_wrong
from weaklearn.studies.own.noisy_tables import EXPERIMENT, LOGISTIC, NOISES, OURS
from weaklearn.studies.own.noisy_tables_trials import noisy_holdout, wrong_labels


def make_problem(n=400, n_classes=3, seed=0):
    rng = np.random.default_rng(seed)
    codes = rng.integers(n_classes, size=n)
    return rng.normal(size=(n, 4)) + codes[:, None], codes


@pytest.mark.parametrize(("noise", "share"), [("10%", 0.1), ("40%", 0.4), ("near 20%", 0.2)])
def test_exactly_this_share_of_all_labels_is_wrong(noise, share):
    X, codes = make_problem()
    given = wrong_labels(X, codes, noise, np.random.default_rng(0))
    assert np.mean(given != codes) == share
    assert set(given) == {0, 1, 2}


def test_one_class_is_mistaken_for_the_next():
    X, codes = make_problem()
    given = wrong_labels(X, codes, "one class 30%", np.random.default_rng(1))
    changed = given != codes
    (source,) = set(codes[changed])
    assert set(given[changed]) == {(source + 1) % 3}
    assert changed.sum() == round(0.3 * np.sum(codes == source))


def test_labels_near_the_boundary_are_likelier_to_be_wrong():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 1))
    codes = (X[:, 0] > 0).astype(int)
    changed = wrong_labels(X, codes, "near 20%", rng) != codes
    order = np.argsort(np.abs(X[:, 0]))
    assert changed[order[:100]].mean() > 2 * changed[order[1000:]].mean()


def _trial(noise, algorithm, row="clouds", index=0):
    (table,) = (t for t in EXPERIMENT.tables if t.number == f"error, {noise}")
    (chosen,) = (r for r in table.rows if r.label == row)
    return Trial.series(table.protocol, chosen, algorithm, index + 1)[index]


def test_metrics_of_a_trial():
    trial = _trial("20%", LOGISTIC)
    found = noisy_holdout(trial)
    _, X_test, y_train, y_test = trial.split()
    model = trial.build()
    classes, codes = np.unique(y_train, return_inverse=True)
    seen = {}
    fit = model.fit
    model.fit = lambda X, y: seen.update(y=y) or fit(X, y)
    object.__setattr__(trial, "build", lambda: model)
    assert noisy_holdout(trial) == found
    assert np.sum(seen["y"] != codes) == 40
    true = np.searchsorted(classes, y_test[:2000])
    assert found["test_error"] == percent_wrong(true, model.predict(X_test[:2000]))
    assert found["log_loss"] == pytest.approx(log_loss(true, model.predict_proba(X_test[:2000])))
    assert 50 < found["auc"] < 100


def test_all_algorithms_and_noises_share_a_split():
    first, second = _trial("clean", OURS), _trial("40%", LOGISTIC)
    np.testing.assert_array_equal(first.split()[0], second.split()[0])


def test_tables_of_a_noise_share_their_trials():
    for noise in NOISES:
        keys = [
            {trial.key for row in table.rows for trial in Trial.series(table.protocol, row, OURS, 2)}
            for table in EXPERIMENT.tables
            if table.number.endswith(f", {noise}")
        ]
        assert len(keys) == 3
        assert keys[0] == keys[1] == keys[2]
