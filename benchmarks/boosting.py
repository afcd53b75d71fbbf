"""AdaBoost with stumps and small trees against scikit-learn, xgboost and lightgbm, in one run.

The peer is scikit-learn's ``AdaBoostClassifier(DecisionTreeClassifier(max_depth=1))``, which sorts every
column in every round and splits by Gini impurity. Ours sorts once; a round then has to read, for each of the N m
entries of the data, four bytes of the sorted order and one weight (two numbers for the Gini criterion) at random,
and to add it to a running sum. The loop that does only this, without looking for the best sum, takes 0.3 ns for
each entry where the weights fit the first-level cache and 0.5 ns where they fit the second (measured on the machine
that the targets were set on). With ``criterion="gini"`` ours is the same classifier as the peer's: the ratio is one of
equal work, and `agreement` shows it.

Trees are compared in our loop: the peer is scikit-learn's tree of the same depth and criterion as the weak learner,
which gives the same classifier. The trees of xgboost and lightgbm are those of 256 bins; ours are exact.

Times are CPU seconds, the least of several fits, so that a busy machine does not decide; compilation is not timed.
"""

import time
import tracemalloc
from importlib.util import find_spec
from typing import NamedTuple

import numpy as np
from sklearn.ensemble import AdaBoostClassifier as PeerAdaBoost
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.tree import DecisionTreeClassifier

from weaklearn.boosting import AdaBoostClassifier, LogitBoostClassifier
from weaklearn.stumps import DecisionStump
from weaklearn.trees import SmallTree

N_ROUNDS = 200


class Row(NamedTuple):
    """One comparison; the ratio is how many times faster ours is."""

    what: str
    ours_seconds: float
    peer_seconds: float
    ratio: float
    target: float | str = ""


def two_normals(n_samples, n_features=20, seed=0):
    """Two overlapping classes, one of them a mixture: hard enough that boosting never ends early."""
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=n_samples)
    shifted = (2 * y - 1) * rng.integers(2, size=n_samples)
    X = rng.normal(size=(n_samples, n_features)) + shifted[:, None] * 2 / np.sqrt(n_features)
    return X, y


def least_seconds(call, repeat, clock=time.process_time):
    """The least time of several calls, CPU seconds by default."""
    seconds = []
    for _ in range(repeat):
        start = clock()
        call()
        seconds.append(clock() - start)
    return min(seconds)


def ours(criterion="error", n_rounds=N_ROUNDS):
    """Our AdaBoost of stumps."""
    return AdaBoostClassifier(DecisionStump(criterion=criterion), n_estimators=n_rounds)


def compare(n_samples, fit_target, predict_target, repeat, peer_repeat):
    """Rows for fit (either criterion) and predict at one size."""
    X, y = two_normals(n_samples)
    peer = PeerAdaBoost(DecisionTreeClassifier(max_depth=1), n_estimators=N_ROUNDS, random_state=0)
    models = {criterion: ours(criterion).fit(X, y) for criterion in ("error", "gini")}
    models["gini"].predict(X)
    peer_fit = least_seconds(lambda: peer.fit(X, y), peer_repeat)
    size = f"{n_samples:,} x {X.shape[1]}"
    rows = []
    for criterion, model in models.items():
        fit = least_seconds(lambda model=model: model.fit(X, y), repeat)
        what = f"AdaBoost fit, {N_ROUNDS} stumps ({criterion}), {size}"
        rows.append(Row(what, fit, peer_fit, peer_fit / fit, fit_target))
    ours_predict = least_seconds(lambda: models["gini"].predict(X), repeat)
    peer_predict = least_seconds(lambda: peer.predict(X), 2)
    what = f"AdaBoost predict, {N_ROUNDS} stumps, {size}"
    rows.append(Row(what, ours_predict, peer_predict, peer_predict / ours_predict, predict_target))
    same = float(np.mean(models["gini"].predict(X) == peer.predict(X)))
    rows.append(Row(f"share of equal predictions (gini), {size}", 0.0, 0.0, same, ">= 0.995"))
    return rows


def trees(n_samples, depth, n_rounds, repeat):
    """Rows for AdaBoost of small trees, ours and scikit-learn's, in our loop."""
    X, y = two_normals(n_samples)
    model = AdaBoostClassifier(SmallTree(depth), n_rounds).fit(X, y)
    peer = AdaBoostClassifier(DecisionTreeClassifier(max_depth=depth), n_rounds, random_state=0)
    peer_fit = least_seconds(lambda: peer.fit(X, y), 1)
    fit = least_seconds(lambda: model.fit(X, y), repeat)
    same = float(np.mean(model.predict(X) == peer.predict(X)))
    size = f"{n_samples:,} x {X.shape[1]}"
    return [
        Row(
            f"{n_rounds} trees of depth {depth}, {size} ({same:.1%} of predictions equal)",
            fit,
            peer_fit,
            peer_fit / fit,
            8,
        )
    ]


def growth():
    """How the time grows when one size is made four times as large: at most 4 if it is linear."""
    sizes = {"N": (40_000, 10, 50), "m": (10_000, 40, 50), "rounds": (10_000, 10, 200)}

    def seconds(n, m, rounds):
        X, y = two_normals(n, m)
        model = ours("error", rounds).fit(X, y)
        # The sort, which is N log N but done once, is taken off by a fit of one round.
        single = ours("error", 1).fit(X, y)
        return least_seconds(lambda: model.fit(X, y), 5) - least_seconds(lambda: single.fit(X, y), 5)

    base = seconds(10_000, 10, 50)
    return [
        Row(f"growth of the rounds' time with 4 times the {name}", time_, base, time_ / base, "about 4")
        for name, time_ in ((name, seconds(*size)) for name, size in sizes.items())
    ]


def memory():
    """The largest amount of memory that a fit takes, in units of X as float64 (no copy is made of X)."""
    rows = []
    for n_samples in (100_000, 200_000):
        X, y = two_normals(n_samples)
        for learner in (DecisionStump(criterion="gini"), SmallTree(2)):
            for data in (X, X.astype(np.float32)):
                AdaBoostClassifier(learner, 2).fit(data[:20_000], y[:20_000])
                tracemalloc.start()
                AdaBoostClassifier(learner, 3).fit(data, y)
                _, peak = tracemalloc.get_traced_memory()
                tracemalloc.stop()
                what = f"memory beyond X, {type(learner).__name__}, {n_samples:,} x 20, {data.dtype}, in X as float64"
                rows.append(Row(what, 0.0, 0.0, peak / X.nbytes, "<= 1.5"))
    return rows


def against_histograms(n_samples, depth, n_rounds, n_threads):
    """Rows for fit and predict of our exact trees and of two libraries' trees on 256 bins.

    Times are wall-clock where threads share the work, CPU seconds otherwise.

    The peers' training accuracy is beside ours: equal rounds, each library's default step.
    """
    import lightgbm
    import xgboost

    X, y = two_normals(n_samples)
    X = X.astype(np.float32)
    learner = DecisionStump(n_jobs=n_threads) if depth == 1 else SmallTree(depth, n_jobs=n_threads)
    models = {
        "ours": AdaBoostClassifier(learner, n_rounds),
        "xgboost": xgboost.XGBClassifier(
            n_estimators=n_rounds, max_depth=depth, tree_method="hist", n_jobs=n_threads
        ),
        "lightgbm": lightgbm.LGBMClassifier(
            n_estimators=n_rounds, max_depth=depth, num_leaves=2**depth, n_jobs=n_threads, verbosity=-1
        ),
    }
    # Compilation is not timed; 16,384 rows are the least that the search of large sets takes.
    AdaBoostClassifier(learner, 2).fit(X[:20_000], y[:20_000]).predict(X[:100])
    clock = time.perf_counter if n_threads > 1 else time.process_time
    repeat = 5 if n_samples <= 5_000 else 2
    seconds, accuracy = {}, {}
    for name, model in models.items():
        seconds["fit", name] = least_seconds(lambda model=model: model.fit(X, y), repeat, clock)
        seconds["predict", name] = least_seconds(lambda model=model: model.predict(X), repeat, clock)
        accuracy[name] = float(np.mean(model.predict(X) == y))
    size = f"{n_samples:,} x {X.shape[1]}, depth {depth}, {n_threads} thread{'s' * (n_threads > 1)}"
    return [
        Row(
            f"{size}: {what} against {name} (accuracy {accuracy['ours']:.3f}, {accuracy[name]:.3f})",
            seconds[what, "ours"],
            seconds[what, name],
            seconds[what, name] / seconds[what, "ours"],
            1.5 if depth == 1 and what == "fit" else 1,
        )
        for what in ("fit", "predict")
        for name in ("xgboost", "lightgbm")
    ]


def histograms():
    """The rows of `against_histograms` at five sizes and three depths; none if the libraries are missing."""
    if find_spec("xgboost") is None or find_spec("lightgbm") is None:
        return []
    sizes = ((600, 200), (5_000, 200), (50_000, 200), (500_000, 100), (1_000_000, 100))
    return [
        row
        for n, rounds in sizes
        for depth in (1, 2, 4)
        for threads in (1, 2)
        for row in against_histograms(n, depth, rounds, threads)
    ]


def logistic():
    """LogitBoost of exact stumps against scikit-learn's logistic boosting of stumps on 255 bins."""
    X, y = two_normals(500_000)
    model, peer = LogitBoostClassifier(), HistGradientBoostingClassifier(max_depth=1, early_stopping=False)
    model.fit(X[:20_000], y[:20_000])
    fit, peer_fit = (least_seconds(lambda one=one: one.fit(X, y), 2) for one in (model, peer))
    return [
        Row(
            "LogitBoost, 100 stumps, 500,000 x 20, against HistGradientBoosting",
            fit,
            peer_fit,
            peer_fit / fit,
            1,
        )
    ]


def run():
    """All rows: (what, ours_seconds, peer_seconds, ratio, target)."""
    return [
        *compare(600, 100, 80, repeat=10, peer_repeat=3),
        *compare(50_000, 60, 80, repeat=3, peer_repeat=1),
        *(
            row
            for n, rounds in ((600, 100), (5_000, 20))
            for depth in (1, 2, 3, 4)
            for row in trees(n, depth, rounds, 3)
        ),
        *growth(),
        *memory(),
        *histograms(),
        *logistic(),
    ]


if __name__ == "__main__":
    for what, mine, peer, ratio, target in run():
        times = f"{mine * 1e3:9.2f} ms, {peer * 1e3:9.1f} ms" if mine else " " * 26
        print(f"{what:55s} {times}: {ratio:7.3f} (target {target})")
