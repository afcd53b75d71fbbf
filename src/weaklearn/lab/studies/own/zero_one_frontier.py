"""How near to the smallest 0/1 error: our own comparison, with no published counterpart.

Table 1: errors on small problems of four kinds, beside the proven optimum. Table 2: training error on the data
sets of li2005. Table 3: test error of the regularised classifier there. Table 4: test error after a fifth of the
training labels were flipped, drawn from the half of the examples that lies farther from the boundary. Table 5: the
same with the farthest fifth, where the labels out there are wrong as a block.
"""

from zlib import crc32

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone

from weaklearn.lab import Algorithm, DataSource, Experiment, Profile, Protocol, Split, Table
from weaklearn.lab.studies.li2005.perceptrons import ROWS, SOFT_SVM

_HERE = "weaklearn.lab.studies.own.zero_one_frontier"


def clouds(rng, n, m):
    """Two unit Gaussians, 1.8 apart in a random direction."""
    y = rng.choice([-1, 1], n)
    direction = rng.normal(size=m)
    return rng.normal(size=(n, m)) + 0.9 * y[:, None] * direction / np.linalg.norm(direction), y


def flips(rng, n, m):
    """A hyperplane through a cube, one label in five flipped."""
    X = rng.uniform(-1, 1, size=(n, m))
    y = np.where(X @ rng.normal(size=m) + 0.2 * rng.normal() > 0, 1, -1)
    return X, y * np.where(rng.random(n) < 0.2, -1, 1)


def curved(rng, n, m):
    """A random quadratic boundary."""
    X = rng.normal(size=(n, m))
    form = rng.normal(size=(m, m)) / m
    score = X @ rng.normal(size=m) / np.sqrt(m) + np.einsum("ij,jk,ik->i", X, form, X)
    return X, np.where(score > 0.5 * np.median(score), 1, -1)


def random_labels(rng, n, m):
    """Labels by tossing coins."""
    return rng.normal(size=(n, m)), rng.choice([-1, 1], n)


KINDS = {kind.__name__: kind for kind in (clouds, flips, curved, random_labels)}


def draws(kind, n_samples, n_features, random_state):
    """A pool of examples of one kind; every trial takes its own few of them."""
    seed = np.random.RandomState(random_state).randint(2**31) if random_state is not None else None
    return KINDS[kind](np.random.default_rng(seed), n_samples, n_features)


class FarFlips(ClassifierMixin, BaseEstimator):
    """Flips labels of training examples far from the boundary, then fits the estimator.

    Which ones depends on the training set alone, so that all estimators see the same wrong labels.

    Parameters
    ----------
    estimator : classifier
    share : float, default=0.2
        Share of the labels to flip.
    among : float, default=0.5
        They are drawn from this share of the examples, those farthest from the boundary of logistic regression on the
        labels as they were.
    """

    def __init__(self, estimator, share=0.2, among=0.5):
        self.estimator = estimator
        self.share = share
        self.among = among

    def fit(self, X, y):
        from sklearn.linear_model import LogisticRegression

        self.classes_, codes = np.unique(y, return_inverse=True)
        distance = np.abs(LogisticRegression(max_iter=1000).fit(X, codes).decision_function(X))
        far = np.argsort(-distance, kind="stable")[: round(self.among * len(codes))]
        rng = np.random.default_rng(crc32(np.ascontiguousarray(X).tobytes()))
        far = rng.permutation(far)[: round(self.share * len(codes))]
        codes[far] = 1 - codes[far]
        self.estimator_ = clone(self.estimator).fit(X, self.classes_[codes])
        return self

    def predict(self, X):
        return self.estimator_.predict(X)


def _ours(name, **params):
    version = 4 if "noise" in params else 3
    return Algorithm(name, "weaklearn.linear:ZeroOneClassifier", params, version)


def _flipped(algorithm, among):
    return Algorithm(algorithm.name, f"{_HERE}:FarFlips", {"estimator": algorithm, "among": among}, version=2)


def _pool(kind, n, m):
    params = {"kind": kind, "n_samples": 100 * n, "n_features": m}
    return DataSource(
        f"{_HERE}:draws", Split(train_size=n), kind="artificial", params=params, label=f"{kind}, m={m}, N={n}"
    )


RCD = Algorithm("RCD", "weaklearn.linear:RCDPerceptron", {})
LOGISTIC = Algorithm("logistic", "sklearn.linear_model:LogisticRegression", {"max_iter": 1000})
SVC = Algorithm("linear SVM", "sklearn.svm:LinearSVC", {"dual": False})
AVERAGED = Algorithm("averaged perceptron", "weaklearn.linear:AveragedPerceptron", {})
LDA = Algorithm("LDA", "sklearn.discriminant_analysis:LinearDiscriminantAnalysis", {})
SGD = Algorithm("SGD", "sklearn.linear_model:SGDClassifier", {})
PERCEPTRON = Algorithm("perceptron", "sklearn.linear_model:Perceptron", {})
MINIMUM, REGULARISED = _ours("0/1"), _ours("0/1, noise=auto", noise="auto")


def _table(number, title, metric, rows, columns):
    return Table(
        source="weaklearn",
        number=number,
        title=title,
        metric=metric,
        rows=rows,
        columns=columns,
        protocol=Protocol("holdout"),
        published=(),
    )


EXPERIMENT = Experiment(
    name="zero_one_frontier",
    source="weaklearn",
    title="The smallest 0/1 error: search, proof, regularisation",
    tables=(
        _table(
            "1",
            "Training error of small problems beside the proven optimum",
            "train_error",
            tuple(_pool(kind, 40, 6) for kind in KINDS),
            (RCD, MINIMUM, _ours("proven", certify=True)),
        ),
        _table(
            "2",
            "Training error on the data sets of li2005",
            "train_error",
            ROWS,
            (MINIMUM, RCD, LOGISTIC, SVC, LDA, SGD, PERCEPTRON),
        ),
        _table(
            "3",
            "Test error on the data sets of li2005",
            "test_error",
            ROWS,
            (REGULARISED, MINIMUM, AVERAGED, SVC, SOFT_SVM, LOGISTIC),
        ),
        _table(
            "4",
            "Test error with a fifth of the training labels flipped, in the farther half",
            "test_error",
            ROWS,
            tuple(_flipped(a, 0.5) for a in (REGULARISED, MINIMUM, AVERAGED, SVC, LOGISTIC)),
        ),
        _table(
            "5",
            "Test error with the farthest fifth of the training labels flipped",
            "test_error",
            ROWS,
            tuple(_flipped(a, 0.2) for a in (REGULARISED, MINIMUM, AVERAGED, SVC, LOGISTIC)),
        ),
    ),
    profiles={
        "quick": Profile(n_trials=2, items={"table 1": Profile(n_trials=10)}),
        "full": Profile(n_trials=100),
    },
)
