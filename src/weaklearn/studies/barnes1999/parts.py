"""barnes1999: the data sets, the algorithms and the protocol that its tables and figures share."""

from weaklearn.lab import Algorithm, Protocol
from weaklearn.studies.learners import adaboost_of_stumps, artificial, real

TRIALS = "weaklearn.studies.barnes1999.pboost_trials"

P_VALUES = [k / 10 for k in range(5, 21)]
P_BEYOND_2 = [*P_VALUES, 2.5, 3.0, 3.5, 4.0]
N_ROUNDS = 1000
ROUNDS_SHOWN = (1, 3, 10, 30, 100, 300, 1000)
ROUNDS = sorted({round(10 ** (k / 12)) for k in range(49)})
CURVES = Protocol("weaklearn.lab.rounds:boosted_rounds", {"rounds": ROUNDS})
NOISE = {"ring0": 0.0, "ring10": 0.1, "ring20": 0.2, "ring30": 0.3}


def ring(name, label="", n_train=50):
    """A ring set with its noise in the training part."""
    params = {"n_samples": 5000 + n_train, "flip": NOISE[name]}
    path, id = f"{TRIALS}:ring_pool", "weaklearn.lab.boosting_trials:ring_pool"
    return artificial(path, params, label or name, id=id, train_size=n_train)


SETS = {
    **{name: ring(name) for name in NOISE},
    "sonar": real("sonar", train_size=70),
    "wpbc": real("wpbc", train_size=97),
}
RINGS = tuple(NOISE)


def adaboost(n_estimators=N_ROUNDS):
    """AdaBoost of stumps of least error."""
    return adaboost_of_stumps("AdaBoost", {"n_estimators": n_estimators})


def variant(name, p, n_estimators=N_ROUNDS, **params):
    """One p-boosting algorithm at one p."""
    params = {"variant": name, "p": p, "n_estimators": n_estimators, **params}
    label = f"{name}{', normalised weights' if 'weighting' in params else ''} p={p}"
    return Algorithm(label, "weaklearn.boosting:PBoostClassifier", params)


def doom2(steepness, n_estimators=N_ROUNDS):
    """DOOM II."""
    params = {"steepness": float(steepness), "n_estimators": n_estimators}
    return Algorithm("DOOM II", "weaklearn.boosting:Doom2Classifier", params)
