"""Small tables with wrong labels: `RobustClassifier` against its peers; no published counterpart.

One table for each kind of noise, with the error; tables of log loss and AUC share their trials. No setting of
`RobustClassifier` was chosen on these sets: those that it was chosen on are named in ``benchmarks/noisy_tables.py``.
"""

from weaklearn.lab import Algorithm, Experiment, Profile, Protocol
from weaklearn.studies.learners import artificial, real
from weaklearn.studies.own.hypotheses import own_algorithm, own_table

NOISES = ("clean", "10%", "20%", "30%", "40%", "one class 30%", "near 20%")
_TRIALS = "weaklearn.studies.own.noisy_tables_trials"
# Rows of each set, of which two thirds, but at most 500, are for training.
_REAL = {
    "australian": 690,
    "breast": 683,
    "cleveland": 297,
    "german": 1000,
    "heart": 270,
    "wdbc": 569,
    "wpbc": 194,
    "votes84_all": 435,
    "iris": 150,
    "wine": 178,
    "vowel": 990,
    "segment": 2310,
    "satimage": 6435,
}
_GENERATED = {"clouds": 6, "curved": 8, "flips": 6}


def _rows(noise):
    setting = {"noise": noise}
    for name, n in _REAL.items():
        yield real(name, setting=setting, train_size=min(500, round(0.67 * n)))
    for kind, m in _GENERATED.items():
        params = {"kind": kind, "n_samples": 6000, "n_features": m}
        draws, id = (
            "weaklearn.studies.own.zero_one_trials:draws",
            "weaklearn.lab.catalog.zero_one_frontier:draws",
        )
        yield artificial(draws, params, kind, setting, id=id, train_size=200)


def _boosted(library):
    builder = "weaklearn.studies.own.early_stopped_boosting:EarlyStoppedBoosting"
    params, id = (
        {"library": library, "random_state": None},
        "weaklearn.cloning._compare_models:EarlyStoppedBoosting",
    )
    return Algorithm(f"{library}, early stopping", builder, params, id=id)


OURS = Algorithm("RobustClassifier", "weaklearn.robust:RobustClassifier", {}, version=3)
ZERO_ONE = Algorithm("ZeroOneClassifier", "weaklearn.linear:ZeroOneClassifier", {"noise": "auto"})
LOGISTIC = own_algorithm(
    "logistic regression",
    "noisy_tables_trials:standardised",
    {"estimator": Algorithm("", "sklearn.linear_model:LogisticRegression", {"max_iter": 2000})},
)
SVC = own_algorithm("SVC, grid", "noisy_tables_trials:svc_grid")
FOREST = Algorithm("random forest", "sklearn.ensemble:RandomForestClassifier", {"n_estimators": 200})
STACK = Algorithm("stack of LR, forest and SVC", f"{_TRIALS}:stack", {"random_state": None})
EXTRA_TREES = Algorithm("extra trees", "sklearn.ensemble:ExtraTreesClassifier", {"n_estimators": 200})
HIST = Algorithm("HistGradientBoosting", "sklearn.ensemble:HistGradientBoostingClassifier", {})
BOOSTED = map(_boosted, ("xgboost", "lightgbm", "catboost"))
COLUMNS = (OURS, ZERO_ONE, LOGISTIC, SVC, FOREST, *BOOSTED, STACK, EXTRA_TREES, HIST)


PROTOCOL = Protocol(f"{_TRIALS}:noisy_holdout")


def _table(name, title, metric, noise, columns=COLUMNS, unit="percent"):
    number, title, rows = f"{name}, {noise}", f"{title}, {noise}", tuple(_rows(noise))
    return own_table(number, title, metric, rows, columns, PROTOCOL, unit=unit)


_WITH_PROBABILITIES = tuple(algorithm for algorithm in COLUMNS if algorithm is not SVC)

EXPERIMENT = Experiment(
    name="noisy_tables",
    source="weaklearn",
    title="Small tables with wrong labels",
    tables=(
        *(_table("error", "Test error", "test_error", noise) for noise in NOISES),
        *(_table("log loss", "Log loss", "log_loss", noise, _WITH_PROBABILITIES, "nats") for noise in NOISES),
        *(_table("AUC", "Area under the ROC curve", "auc", noise) for noise in NOISES),
    ),
    profiles={
        "quick": Profile(
            n_trials=0,
            items={"table error, 20%": Profile(1, ("cleveland", "clouds"), (OURS.name, LOGISTIC.name))},
        ),
        "full": Profile(n_trials=20),
    },
)
