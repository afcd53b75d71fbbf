"""Multiclass boosting with stumps on the letter data against scikit-learn, single-threaded, in one run.

The peers are ensembles of as many depth-1 trees: ``OutputCodeClassifier`` with a random code of as many columns,
and ``AdaBoostClassifier``, whose stumps tell 26 classes apart by one threshold. Each row carries the test errors
of both, because a fast ensemble that has learned nothing is no peer. Without the letter data (see
``weaklearn.datasets``) there are no rows.

Our fits are timed twice and the lesser time counts; compilation is not timed. The peers, which take up to a minute,
are timed once.
"""

import time

from sklearn.ensemble import AdaBoostClassifier
from sklearn.multiclass import OutputCodeClassifier
from sklearn.tree import DecisionTreeClassifier

from benchmarks.timing import Row, best_time
from weaklearn.datasets import DatasetNotFoundError, load
from weaklearn.multiclass import AdaBoostERPClassifier

STUMP = DecisionTreeClassifier(max_depth=1)


def _timed_fit(model, X, y):
    start = time.perf_counter()
    model.fit(X, y)
    return time.perf_counter() - start


def compare(name, peer, n_rounds, data, target):
    """The rows of one peer: fit and predict."""
    train, test = data.train, data.test
    X, y, X_test, y_test = data.X[train], data.y[train], data.X[test], data.y[test]
    ours = AdaBoostERPClassifier(n_estimators=n_rounds, schedule="LRLR")
    # Before and after the peer, so that a change of load hits both.
    ours_fit = _timed_fit(ours, X, y)
    peer_fit = _timed_fit(peer, X, y)
    ours_fit = min(ours_fit, _timed_fit(ours, X, y))
    errors = [100 * (1 - model.score(X_test, y_test)) for model in (ours, peer)]
    what = f"letter, {n_rounds:,} stumps, ERP LRLR ({errors[0]:.1f}% wrong) / {name} ({errors[1]:.1f}%)"
    ours_predict = best_time(lambda: ours.predict(X_test), repeats=2)
    peer_predict = best_time(lambda: peer.predict(X_test), repeats=1)
    return [
        Row(f"fit: {what}", ours_fit, peer_fit, peer_fit / ours_fit, target),
        Row(f"predict: {what}", ours_predict, peer_predict, peer_predict / ours_predict),
    ]


def run():
    """All rows."""
    try:
        data = load("letter")
    except DatasetNotFoundError:
        return []
    warm = slice(0, 500)
    AdaBoostERPClassifier(n_estimators=2).fit(data.X[warm], data.y[warm]).predict(data.X[warm])
    codes = OutputCodeClassifier(STUMP, code_size=1000 / 26, random_state=0)
    boosted = AdaBoostClassifier(STUMP, n_estimators=200, random_state=0)
    return [
        *compare("OutputCode", codes, 1000, data, "ours under 30 s"),
        *compare("AdaBoost", boosted, 200, data, ""),
    ]


if __name__ == "__main__":
    for what, ours, peer, ratio, target in run():
        print(f"{what}: {ours:.3f} s against {peer:.3f} s, {ratio:.1f}x {target}")
