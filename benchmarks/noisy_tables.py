"""Tables with labels made wrong on purpose: what `benchmarks.robust_parts` and `benchmarks.label_audit` run on.

Settings of the label audit were chosen on `DEVELOPMENT`, those of `RobustClassifier` on `ROBUST_DEVELOPMENT`, and
confirmed on `CHECK`; what the docs report is measured on `REPORT`. heart and cleveland come from one hospital, wdbc and
wpbc from another: each pair is on one side.
"""

import zlib

import numpy as np
from scipy.special import expit

from benchmarks import packaged_tables
from weaklearn.studies.own.label_audit_trials import human, trainee

DEVELOPMENT = (
    "pima", "sonar", "ionosphere", "glass", "vehicle", "oblique", "products", "sparse", "twonorm", "ringnorm",
    "yinyang", "threenorm", "heavy_tails", "codes",
)  # fmt: skip
ROBUST_DEVELOPMENT = (*DEVELOPMENT, "linear", "separable", "additive", *packaged_tables.DEVELOPMENT)
CHECK = packaged_tables.CHECK
REPORT = (
    "australian", "breast", "cleveland", "german", "heart", "wdbc", "wpbc", "votes84_all", "iris", "wine", "vowel",
    "segment", "satimage", "digits",
)  # fmt: skip
LARGE = ("letter", "pendigits", "usps", "dna")
NOISE = ("clean", "10%", "20%", "30%", "asymmetric", "near")
_loaded: dict = {}


def _yes(log_odds, random):
    return (random.rand(len(log_odds)) < expit(log_odds)).astype(int)


def oblique(n, random):
    """Measurements that share a size; classes differ in proportions of small variance, as with crabs."""
    y = random.randint(0, 2, n)
    size = np.outer(random.randn(n), [1, 0.9, 1.1, 0.95, 1.05])
    shape = np.outer(0.1 * random.randn(n) + 0.25 * (2 * y - 1), [0.3, -0.5, 0.2, 0.6, -0.4])
    return np.exp(0.3 * (size + shape + 0.05 * random.randn(n, 5))), y


def products(n, random):
    """Interactions of pairs of columns."""
    X = random.rand(n, 8)
    f = 2 * np.sin(3 * X[:, 0] * X[:, 1]) + 8 * (X[:, 2] - 0.5) * (X[:, 3] - 0.5) + X[:, 4] - 1.6
    return X, _yes(4 * f, random)


def sparse(n, random):
    """Three of forty columns matter."""
    X = random.randn(n, 40)
    return X, _yes(2 * (X[:, 0] + X[:, 1] + 0.7 * X[:, 2]), random)


def heavy_tails(n, random):
    """Columns without a variance."""
    X = random.standard_t(1.5, size=(n, 10))
    f = np.sign(X[:, 0]) * np.log1p(np.abs(X[:, 0])) + (X[:, 1] > 0.3) + np.tanh(X[:, 2] * X[:, 3]) - 0.5
    return X, _yes(2 * f, random)


def codes(n, random):
    """Category codes, two of which interact, and three numbers."""
    X = np.column_stack([random.randint(0, 3, (n, 6)), random.randn(n, 3)]).astype(float)
    f = 1.5 * (X[:, 0] == 1) - (X[:, 1] == 2) + 1.2 * (X[:, 2] == X[:, 3]) + 0.8 * X[:, 6] - 1
    return X, _yes(2 * f, random)


def linear(n, random):
    """Correlated columns, all of which matter, by a logistic model."""
    X = random.randn(n, 12) @ (np.eye(12) + 0.5 * random.randn(12, 12))
    f = X @ random.randn(12)
    return X, _yes(3 * f / f.std(), random)


def separable(n, random):
    """A hyperplane; half of the columns are skewed."""
    X = random.randn(n, 8)
    X[:, 4:] = np.exp(X[:, 4:])
    return X, ((X - X.mean(axis=0)) @ random.randn(8) > 0).astype(int)


def additive(n, random):
    """A sum of curves, six columns of noise."""
    X = random.rand(n, 10)
    f = np.sin(6 * X[:, 0]) + 2 * (X[:, 1] - 0.5) + 1.5 * (X[:, 2] > 0.6) + X[:, 3] ** 2 - 1.2
    return X, _yes(2 * f, random)


GENERATED = {
    f.__name__: f for f in (oblique, products, sparse, heavy_tails, codes, linear, separable, additive)
}


def _real(name):
    if name not in _loaded:
        if name in packaged_tables.DEVELOPMENT + packaged_tables.CHECK:
            X, y = packaged_tables.load_packaged(name)
        elif name == "digits":
            from sklearn.datasets import load_digits

            X, y = load_digits(return_X_y=True)
        else:
            from weaklearn import datasets

            data = datasets.load(name)
            X, y = np.asarray(data.X, dtype=float), data.y
        _loaded[name] = X, np.unique(y, return_inverse=True)[1]
    return _loaded[name]


def split(name, number, n_train=500, n_test=2000):
    """X_train, y_train, X_test, y_test and the random state for what follows; the same for every classifier."""
    random = np.random.RandomState([zlib.crc32(name.encode()), number])
    if name in GENERATED or name in ("twonorm", "ringnorm", "threenorm", "yinyang"):
        n_train = min(n_train, (100, 200, 400)[number % 3])
        if name in GENERATED:
            X, y = GENERATED[name](n_train + n_test, random)
        else:
            from weaklearn import datasets

            X, y = getattr(datasets, f"make_{name}")(n_train + n_test, random_state=random)
            y = (y > 0).astype(int)
    else:
        X, y = _real(name)
        n_train = min(n_train, round(0.67 * len(y)))
        order = random.permutation(len(y))[: n_train + n_test]
        X, y = X[order], y[order]
    return X[:n_train], y[:n_train], X[n_train:], y[n_train:], random


def _boundary(X, y, random):
    """Half of the 20% of the rows that are nearest to a row of another class, with that row's label."""
    from scipy.spatial.distance import cdist
    from sklearn.preprocessing import StandardScaler

    Z = StandardScaler().fit_transform(X)
    distance = np.where(y[:, None] == y, np.inf, cdist(Z, Z))
    nearest = np.argsort(distance.min(axis=1), kind="stable")[: round(0.2 * len(y))]
    rows = random.permutation(nearest)[: len(nearest) // 2]
    y[rows] = y[distance.argmin(axis=1)[rows]]
    return y


def flipped(X, y, kind, random):
    """Labels with mistakes: a share at random, 30% of one class, or 10% that are likelier near the boundary.

    Those of people: "trainee" (systematic), "boundary" and "human" (where the classes are hard to tell apart).
    """
    n, n_classes = len(y), y.max() + 1
    y = y.copy()
    if kind == "clean":
        return y
    if kind in ("trainee", "boundary", "human"):
        return {"trainee": trainee, "boundary": _boundary, "human": human}[kind](X, y, random)
    if kind == "asymmetric":
        source = random.randint(n_classes)
        rows = np.flatnonzero(y == source)
        rows = rows[random.rand(len(rows)) < 0.3]
        y[rows] = (source + 1) % n_classes
        return y
    if kind == "near":
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)).fit(X, y)
        doubt = np.exp(-3 * model.predict_proba(X)[np.arange(n), y])
        rows = random.choice(n, round(0.1 * n), replace=False, p=doubt / doubt.sum())
    else:
        rows = random.permutation(n)[: round(float(kind.rstrip("%")) / 100 * n)]
    y[rows] = (y[rows] + random.randint(1, n_classes, len(rows))) % n_classes
    return y
