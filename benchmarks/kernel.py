"""Kernel machines: the perceptron against a plain loop, the SVM against LIBSVM, on the digits.

The digits are the 9,298 of may2020 where `weaklearn.datasets` finds them, and scikit-learn's 1,797 otherwise.
"""

import time

import numpy as np
from sklearn.datasets import load_digits
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC

from benchmarks.timing import Row, best_time
from weaklearn import datasets
from weaklearn.kernel import KernelPerceptronClassifier, KernelSVC, polynomial_kernel


def digits():
    try:
        bunch = datasets.load("usps")
        X, y = np.asarray(bunch.X), np.asarray(bunch.y).astype(int)
    except datasets.DatasetNotFoundError:
        X, y = load_digits(return_X_y=True)
        X = X / 8 - 1
    train = np.random.default_rng(0).permutation(len(y))[: round(0.8 * len(y))]
    return X[train], y[train]


def plain_epoch(gram, y, order, rows):
    """Algorithm 3 of may2020 as it is written: every score is a product with all coefficients."""
    alpha = np.zeros((10, len(y)))
    for t in order:
        guess = np.argmax(alpha @ (gram[t] if rows else gram[:, t]))
        if guess != y[t]:
            alpha[y[t], t] += 1
            alpha[guess, t] -= 1
    return alpha


def once(work):
    """Seconds of one run, for peers that have nothing to compile and take long."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def run():
    X, y = digits()
    rows = []
    gram = polynomial_kernel(X, degree=5)
    model = KernelPerceptronClassifier("precomputed", max_iter=10, tol=None, random_state=0)
    ours = best_time(lambda: model.fit(gram, y))
    # One epoch of the plain loop is long enough to be timed, and all its epochs cost the same. Reading the sum over
    # i of alpha_i K(x_i, x_t) as it stands takes columns; as K is symmetric, rows do as well and are contiguous.
    order = np.random.default_rng(0).permutation(len(y))
    for rows_of_gram, name in ((False, "columns"), (True, "rows")):
        plain = 10 * once(lambda: plain_epoch(gram, y, order, rows_of_gram))  # noqa: B023
        what = f"kernel perceptron, d = 5, {len(y):,} digits, 10 epochs, Gram given: NumPy loop over {name}"
        rows.append(Row(what, ours, plain, plain / ours, ">= 200"))

    models = [
        KernelPerceptronClassifier("polynomial", degree=d, dtype="float32", random_state=0)
        for d in range(1, 8)
    ]
    models[0].fit(X[:100], y[:100])
    seven = once(lambda: [model.fit(X, y) for model in models])
    # 20 runs of 7 degrees on two cores.
    rows.append(
        Row(
            "Table 1 of may2020 (140 fits, two cores), seconds against 600",
            10 * seven,
            600.0,
            seven / 60,
            "<= 1",
        )
    )

    params = {"C": 4.0, "gamma": 2.0**-6}
    ours = best_time(lambda: KernelSVC(**params).fit(X, y), repeats=2)
    libsvm = SVC(cache_size=1000, **params)
    rest = once(lambda: OneVsRestClassifier(libsvm).fit(X, y))
    rows.append(
        Row(
            f"KernelSVC, {len(y):,} digits, in LIBSVM one against the rest", ours, rest, ours / rest, "<= 1.5"
        )
    )
    pairs = once(lambda: libsvm.fit(X, y))
    rows.append(
        Row(f"KernelSVC, {len(y):,} digits, in LIBSVM one against one", ours, pairs, ours / pairs, "<= 1.5")
    )
    eight = y == 8
    ours = best_time(lambda: KernelSVC(**params).fit(X, eight), repeats=2)
    binary = once(lambda: libsvm.fit(X, eight))
    rows.append(Row("KernelSVC, eights against the rest, in LIBSVM", ours, binary, ours / binary, "<= 1.5"))
    return rows
