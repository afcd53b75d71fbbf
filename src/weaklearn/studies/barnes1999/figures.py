"""barnes1999: the Figures 2.6 to 6.5. Figures 6.1 to 6.4 take 1,000 rounds for every set."""

from weaklearn.lab import Figure, Protocol
from weaklearn.studies.barnes1999.parts import CURVES, P_VALUES, RINGS, SETS, TRIALS, adaboost, ring, variant

DRAWINGS = "weaklearn.studies.barnes1999.drawings"
SHARED_DRAWINGS = "weaklearn.lab.drawings"

SLOPPY, STRICT, NAIVE = (tuple(variant(name, p) for p in P_VALUES) for name in ("sloppy", "strict", "naive"))
COLUMNS = (adaboost(), *SLOPPY, *STRICT, *NAIVE)
P_OF = {column.name: column.params["p"] for column in COLUMNS[1:]}
SERIES = {column.name: column.name.rpartition(" p=")[0] for column in COLUMNS[1:]}
GROUPS = {
    name: [column.name for column in columns]
    for name, columns in (("sloppy", SLOPPY), ("strict", STRICT), ("naive", NAIVE))
}
SELECTED_P = (0.5, 1.0, 1.5)
SELECTED = tuple(variant(name, p) for name in ("strict", "sloppy") for p in SELECTED_P)
LONG = tuple(variant(name, p, 10000) for name in ("strict", "sloppy") for p in SELECTED_P)


def _figure(number, title, names, columns, draw, protocol=CURVES, **options):
    rows = tuple(SETS[name] if isinstance(name, str) else name for name in names)
    return Figure("barnes1999", number, title, rows, columns, protocol, draw, options)


def _illustration(number, title, draw):
    return Figure("barnes1999", number, title, draw=f"{DRAWINGS}:{draw}")


def _effect_of_p(name):
    return _figure(
        f"6.3 {name}",
        f"Effect of p on the test error: {name}",
        (name,),
        COLUMNS,
        f"{SHARED_DRAWINGS}:quantities",
        x=P_OF,
        series=SERIES,
        by="column",
        reference="AdaBoost",
        mark_least=["best_test_error"],
        metrics={
            "best_test_error": "best test error (%)",
            "test_error": "test error after the last round (%)",
        },
    )


FIGURES = (
    _illustration("2.6", "p-convex hulls of two functions", "hulls"),
    _figure(
        "3.3",
        "Evolution of the sample weights",
        (ring("ring0", "200 points of a ring", n_train=200),),
        (adaboost(100),),
        f"{DRAWINGS}:weight_evolution",
        Protocol(f"{TRIALS}:snapshots", {"rounds": [5, 100]}),
    ),
    _figure(
        "3.6",
        "Cost function and margins of AdaBoost after 5, 50 and 1,000 rounds: ring10, one run",
        ("ring10",),
        (adaboost(),),
        f"{DRAWINGS}:margin_evolution",
        Protocol(f"{TRIALS}:snapshots", {"rounds": [5, 50, 1000]}),
    ),
    _figure(
        "3.7", "AdaBoost overfits noisy rings", RINGS[1:], (adaboost(),), f"{SHARED_DRAWINGS}:learning_curves"
    ),
    _illustration("4.3", "Effect of p on the coefficients of the naive algorithm", "naive_coefficients"),
    _illustration("4.5", "Sample costs of the strict line search", "line_costs"),
    _figure(
        "6.1",
        "Best test error of AdaBoost and p-boosting",
        tuple(SETS),
        COLUMNS,
        f"{DRAWINGS}:best_errors",
        metric="best_test_error",
        label="best test error (%)",
        groups=GROUPS,
    ),
    _figure(
        "6.2",
        "Rounds to the best test error of AdaBoost and p-boosting",
        tuple(SETS),
        COLUMNS,
        f"{DRAWINGS}:best_errors",
        metric="best_round",
        label="rounds to the best test error",
        groups=GROUPS,
        log=True,
    ),
    *(_effect_of_p(name) for name in SETS),
    _figure(
        "6.4",
        "Test and training error against rounds on ring30",
        ("ring30",),
        SELECTED,
        f"{SHARED_DRAWINGS}:learning_curves",
    ),
    _figure(
        "6.5",
        "Coefficients and training error of single runs on ring30",
        ("ring30",),
        (adaboost(10000), *LONG),
        f"{SHARED_DRAWINGS}:round_curves",
        metrics={"log_weights": "coefficient (log10)", "train_errors": "training error (%)"},
        groups={
            "AdaBoost": ["AdaBoost"],
            **{name: [f"{name} p={p}" for p in SELECTED_P] for name in ("strict", "sloppy")},
        },
    ),
)
