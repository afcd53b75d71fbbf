"""Random coordinate descent: what an epoch costs, and what training error a fit reaches.

The physical limit of an epoch is one product of the data with the direction: every example has to be looked
at once. A batch of directions by one matrix product costs about half a matrix-vector product each (the
data stay in registers); the search itself touches the scores three times. So about one to two
matrix-vector products are what can be had, and four are the target.
"""

import time

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression, Perceptron, SGDClassifier
from sklearn.svm import LinearSVC

from benchmarks.timing import Row, best_time
from weaklearn.datasets import make_ringnorm, make_threenorm
from weaklearn.linear import PocketPerceptron, RCDPerceptron


def noisy_problem(n, m, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, size=(n, m))
    return X, np.where(X @ rng.normal(size=m) + rng.normal(size=n) > 0, 1.0, -1.0)


def numpy_epoch(X, w, scores, direction, y):
    """One step of Algorithm 4 in plain NumPy: sort, cumulate, take the best gap."""
    delta = X @ direction[:-1] + direction[-1]
    x = scores / delta
    order = np.argsort(x)
    moves = (y * np.sign(delta))[order]
    errors = np.concatenate([[np.sum(moves < 0)], np.sum(moves < 0) + np.cumsum(moves)])
    at = np.argmin(errors)
    xs = x[order]
    step = -(xs[0] - 1 if at == 0 else xs[-1] + 1 if at == len(xs) else (xs[at - 1] + xs[at]) / 2)
    return w + step * direction, scores + step * delta


def epoch_rows():
    rows = []
    epochs = 640
    for n in (600, 5_000, 20_000, 100_000):
        m = 20
        X, y = noisy_problem(n, m)
        long = RCDPerceptron(bias_every=None, max_iter=epochs + 64, random_state=0)
        short = RCDPerceptron(bias_every=None, max_iter=64, random_state=0)
        # The difference of two fits leaves out validation, scaling and the start.
        epoch = (best_time(lambda: long.fit(X, y)) - best_time(lambda: short.fit(X, y))) / epochs  # noqa: B023
        v = np.random.default_rng(1).normal(size=m)
        product = best_time(lambda: [X @ v for _ in range(100)]) / 100  # noqa: B023
        target = "<= 4" if n >= 5_000 else ""
        rows.append(
            Row(f"RCD epoch, {n:,} x {m}, in matrix-vector products", epoch, product, epoch / product, target)
        )
        rng = np.random.default_rng(2)
        directions = rng.uniform(-1, 1, size=(50, m + 1))

        def plain():
            w = np.ones(X.shape[1] + 1)  # noqa: B023
            scores = X @ w[:-1] + w[-1]  # noqa: B023
            for direction in directions:  # noqa: B023
                w, scores = numpy_epoch(X, w, scores, direction, y)  # noqa: B023

        numpy_time = best_time(plain) / len(directions)
        rows.append(
            Row(f"RCD epoch, {n:,} x {m}, plain NumPy against ours", epoch, numpy_time, numpy_time / epoch)
        )
    return rows


def error_rows():
    """Training error beside time: ours first, then scikit-learn's linear classifiers."""
    models = {
        "RCDPerceptron (2,000 epochs)": RCDPerceptron(random_state=0),
        "RCDPerceptron (200 epochs)": RCDPerceptron(max_iter=200, random_state=0),
        "PocketPerceptron": PocketPerceptron(random_state=0),
        "sklearn Perceptron": Perceptron(random_state=0),
        "sklearn SGDClassifier": SGDClassifier(random_state=0),
        "sklearn LogisticRegression": LogisticRegression(max_iter=1000),
        "sklearn LinearSVC": LinearSVC(random_state=0, max_iter=20000),
        "sklearn LDA": LinearDiscriminantAnalysis(),
    }
    problems = {
        "ringnorm 600 x 20": make_ringnorm(600, random_state=0),
        "threenorm 600 x 20": make_threenorm(600, random_state=0),
        "noisy plane 20,000 x 20": noisy_problem(20_000, 20),
    }
    rows = []
    for problem, (X, y) in problems.items():
        for name, model in models.items():
            model.fit(X[:100], y[:100])  # compilation is not part of the work
            start = time.perf_counter()
            model.fit(X, y)
            seconds = time.perf_counter() - start
            rows.append((problem, name, 100 * (1 - model.score(X, y)), seconds))
    return rows


def run():
    return epoch_rows()
