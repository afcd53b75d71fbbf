"""How often the 95% intervals of `compare` cover the true difference between two classifiers: see docs/cloning.md.

    python -m benchmarks.paired_coverage --tables 40                            all problems and sizes, some ten minutes
    python -m benchmarks.paired_coverage --problems twonorm --rows 100          one of them

Every table is a fresh draw. Seven classifiers see the same five folds in five repeats; their 21 pairs give 21 intervals
for each table, made in three ways. The truth is the difference of the mean errors, over all tables, of classifiers
fitted to four fifths of the rows, on fresh examples.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
from itertools import combinations

import numpy as np
from scipy.special import expit
from scipy.stats import t
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from weaklearn.comparison._paired import estimate
from weaklearn.datasets import DataEngine, make_twonorm

FOLDS, REPEATS, TEST_ROWS = 5, 5, 5000
WAYS = ("over rows, one repeat", "over rows' means", "Nadeau and Bengio")


def classifiers():
    """The seven that are compared; cheap ones, because they are fitted a hundred thousand times."""
    return [
        LogisticRegression(C=1.0),
        LogisticRegression(C=0.01),
        DecisionTreeClassifier(max_depth=3, random_state=0),
        KNeighborsClassifier(5),
        KNeighborsClassifier(15),
        GaussianNB(),
        LinearDiscriminantAnalysis(),
    ]


def draw(problem, n, seed):
    """A table of n rows."""
    if problem == "twonorm":
        return make_twonorm(n, random_state=seed)
    if problem == "logistic":
        random = np.random.RandomState(seed)
        X = random.randn(n, 8)
        return X, np.where(random.rand(n) < expit(1.5 * X[:, 0] + X[:, 1] - X[:, 2] + 0.5 * X[:, 3]), 1, -1)
    # One target for all tables.
    return DataEngine(8, family=problem, complexity=3, noise=0.1, seed=7).sample(n, random_state=seed)


def intervals(difference, fold_differences):
    """Low and high of a difference in the three ways.

    Parameters
    ----------
    difference : ndarray of shape (n_repeats, n_rows)
        Difference of the losses at each test row.
    fold_differences : ndarray of shape (n_repeats * n_folds,)
        Its means over test parts.
    """
    used = estimate(difference)
    means = estimate(difference.mean(axis=0))
    k = len(fold_differences)
    # A test part has 1 / (FOLDS - 1) of the rows of its training part.
    error = np.sqrt((1 / k + 1 / (FOLDS - 1)) * fold_differences.var(ddof=1))
    half = t.ppf(0.975, k - 1) * error
    return [(used.low, used.high), (means.low, means.high), (used.mean - half, used.mean + half)]


def coverage(problem, n, n_tables):
    """Shares of intervals that cover the truth, and their mean widths in points, one for each way."""
    X_test, y_test = draw(problem, TEST_ROWS, 10**6)
    models = classifiers()
    found, errors = [], []
    for seed in range(n_tables):
        X, y = draw(problem, n, seed)
        loss = np.empty((len(models), REPEATS, n))
        folds = np.empty((len(models), REPEATS * FOLDS))
        splits = RepeatedStratifiedKFold(n_splits=FOLDS, n_repeats=REPEATS, random_state=seed).split(X, y)
        for j, (train, test) in enumerate(splits):
            for m, model in enumerate(models):
                wrong = model.fit(X[train], y[train]).predict(X[test]) != y[test]
                loss[m, j // FOLDS, test] = wrong
                folds[m, j] = wrong.mean()
                if j == 0:
                    errors.append(np.mean(model.predict(X_test) != y_test))
        pairs = combinations(range(len(models)), 2)
        found.append([intervals(loss[a] - loss[b], folds[a] - folds[b]) for a, b in pairs])
    truth = np.reshape(errors, (n_tables, -1)).mean(axis=0)
    true_difference = np.array([truth[a] - truth[b] for a, b in combinations(range(len(models)), 2)])
    low, high = np.moveaxis(np.array(found), 3, 0)
    # Equal errors throughout leave an interval of length 0, up to rounding.
    covered = (low <= true_difference[:, None] + 1e-12) & (high >= true_difference[:, None] - 1e-12)
    return covered.mean(axis=(0, 1)), 100 * (high - low).mean(axis=(0, 1))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--problems", nargs="+", default=["twonorm", "svm", "tree", "logistic"])
    parser.add_argument("--rows", type=int, nargs="+", default=[100, 200, 400])
    parser.add_argument("--tables", type=int, default=40)
    options = parser.parse_args()
    print(
        f"coverage of 95% intervals (mean width in points), {options.tables} tables a line: {', '.join(WAYS)}"
    )
    for problem in options.problems:
        for n in options.rows:
            shares, widths = coverage(problem, n, options.tables)
            cells = "   ".join(f"{100 * s:.0f}% ({w:.1f})" for s, w in zip(shares, widths, strict=True))
            print(f"{problem}, {n}:   {cells}", flush=True)


if __name__ == "__main__":
    main()
