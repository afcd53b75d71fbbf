"""How near to the smallest 0/1 error: our own comparison, with no published counterpart.

Table 1: errors on small problems of four kinds, beside the proven optimum. Table 2: training error on the data
sets of li2005. Table 3: test error of the regularised classifier there. Table 4: test error after a fifth of the
training labels were flipped, drawn from the half of the examples that lies farther from the boundary. Table 5: the
same with the farthest fifth, where the labels out there are wrong as a block.
"""

from weaklearn.lab import Algorithm, Experiment, Profile, Protocol
from weaklearn.studies.learners import artificial
from weaklearn.studies.li2005.perceptrons import ROWS, SOFT_SVM
from weaklearn.studies.own.hypotheses import own_table

_TRIALS = "weaklearn.studies.own.zero_one_trials"


def _ours(name, **params):
    version = 4 if "noise" in params else 3
    return Algorithm(name, "weaklearn.linear:ZeroOneClassifier", params, version)


def _flipped(algorithm, among):
    params, id = {"estimator": algorithm, "among": among}, "weaklearn.lab.catalog.zero_one_frontier:FarFlips"
    return Algorithm(algorithm.name, f"{_TRIALS}:FarFlips", params, version=2, id=id)


def _pool(kind, n, m):
    params = {"kind": kind, "n_samples": 100 * n, "n_features": m}
    id = "weaklearn.lab.catalog.zero_one_frontier:draws"
    return artificial(f"{_TRIALS}:draws", params, f"{kind}, m={m}, N={n}", id=id, train_size=n)


RCD = Algorithm("RCD", "weaklearn.linear:RCDPerceptron", {})
LOGISTIC = Algorithm("logistic", "sklearn.linear_model:LogisticRegression", {"max_iter": 1000})
SVC = Algorithm("linear SVM", "sklearn.svm:LinearSVC", {"dual": False})
AVERAGED = Algorithm("averaged perceptron", "weaklearn.linear:AveragedPerceptron", {})
LDA = Algorithm("LDA", "sklearn.discriminant_analysis:LinearDiscriminantAnalysis", {})
SGD = Algorithm("SGD", "sklearn.linear_model:SGDClassifier", {})
PERCEPTRON = Algorithm("perceptron", "sklearn.linear_model:Perceptron", {})
MINIMUM, REGULARISED = _ours("0/1"), _ours("0/1, noise=auto", noise="auto")


FLIPPED = (REGULARISED, MINIMUM, AVERAGED, SVC, LOGISTIC)


def _table(number, title, metric, columns, rows=ROWS):
    return own_table(number, title, metric, rows, columns, Protocol("holdout"))


EXPERIMENT = Experiment(
    name="zero_one_frontier",
    source="weaklearn",
    title="The smallest 0/1 error: search, proof, regularisation",
    tables=(
        _table(
            "1",
            "Training error of small problems beside the proven optimum",
            "train_error",
            (RCD, MINIMUM, _ours("proven", certify=True)),
            tuple(_pool(kind, 40, 6) for kind in ("clouds", "flips", "curved", "random_labels")),
        ),
        _table(
            "2",
            "Training error on the data sets of li2005",
            "train_error",
            (MINIMUM, RCD, LOGISTIC, SVC, LDA, SGD, PERCEPTRON),
        ),
        _table(
            "3",
            "Test error on the data sets of li2005",
            "test_error",
            (REGULARISED, MINIMUM, AVERAGED, SVC, SOFT_SVM, LOGISTIC),
        ),
        _table(
            "4",
            "Test error with a fifth of the training labels flipped, in the farther half",
            "test_error",
            tuple(_flipped(a, 0.5) for a in FLIPPED),
        ),
        _table(
            "5",
            "Test error with the farthest fifth of the training labels flipped",
            "test_error",
            tuple(_flipped(a, 0.2) for a in FLIPPED),
        ),
    ),
    profiles={
        "quick": Profile(
            n_trials=2, cells={("german", "soft-SVM"): 0}, items={"table 1": Profile(n_trials=10)}
        ),
        "full": Profile(n_trials=100),
    },
)
