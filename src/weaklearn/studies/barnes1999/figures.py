"""barnes1999: the Figures 2.6 to 6.5. Figures 6.1 to 6.4 take 1,000 rounds for every set."""

from itertools import chain

from weaklearn.lab import Figure, Protocol
from weaklearn.studies.barnes1999.parts import CURVES, P_VALUES, RINGS, SETS, TRIALS, adaboost, ring, variant

DRAWINGS = "weaklearn.studies.barnes1999.drawings"
SHARED_DRAWINGS = "weaklearn.lab.drawings"

VARIANTS = {name: [variant(name, p) for p in P_VALUES] for name in ("sloppy", "strict", "naive")}
COLUMNS = (adaboost(), *chain(*VARIANTS.values()))
P_OF = {column.name: column.params["p"] for column in COLUMNS[1:]}
SERIES = {column.name: name for name, columns in VARIANTS.items() for column in columns}
GROUPS = {name: [column.name for column in columns] for name, columns in VARIANTS.items()}
SELECTED = [(name, p) for name in ("strict", "sloppy") for p in (0.5, 1.0, 1.5)]


def _figure(number, title, names, columns, draw, protocol=CURVES, **options):
    rows = tuple(SETS[name] if isinstance(name, str) else name for name in names)
    return Figure("barnes1999", number, title, rows, columns, protocol, draw, options)


def _illustration(number, title, draw):
    return Figure("barnes1999", number, title, draw=f"{DRAWINGS}:{draw}")


def _best_p(number, title, metric, label, **options):
    options = {"metric": metric, "label": label, "groups": GROUPS, **options}
    return _figure(number, title, SETS, COLUMNS, f"{DRAWINGS}:best_errors", **options)


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
    _best_p("6.1", "Best test error of AdaBoost and p-boosting", "best_test_error", "best test error (%)"),
    _best_p(
        "6.2",
        "Rounds to the best test error of AdaBoost and p-boosting",
        "best_round",
        "rounds to the best test error",
        log=True,
    ),
    *(_effect_of_p(name) for name in SETS),
    _figure(
        "6.4",
        "Test and training error against rounds on ring30",
        ("ring30",),
        [variant(*one) for one in SELECTED],
        f"{SHARED_DRAWINGS}:learning_curves",
    ),
    _figure(
        "6.5",
        "Coefficients and training error of single runs on ring30",
        ("ring30",),
        (adaboost(10_000), *(variant(*one, 10_000) for one in SELECTED)),
        f"{SHARED_DRAWINGS}:round_curves",
        metrics={"log_weights": "coefficient (log10)", "train_errors": "training error (%)"},
        groups={
            "AdaBoost": ["AdaBoost"],
            "strict": ["strict p=0.5", "strict p=1.0", "strict p=1.5"],
            "sloppy": ["sloppy p=0.5", "sloppy p=1.0", "sloppy p=1.5"],
        },
    ),
)
