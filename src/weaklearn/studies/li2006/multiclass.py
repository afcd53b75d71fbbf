"""li2006, chapter 4: multiclass boosting with repartitioning. Tables 4.1 to 4.5 and Figures 4.2 to 4.5.

Readings of the text that the numbers depend on:

- sets with an official split are run on it, those without by ten folds, ten times over; features are scaled to
  [-1, 1] on the training part;
- a hypothesis that is learned on a pair of classes sees their examples alone, and stump thresholds lie midway
  between values of those; a stump may be constant;
- the perceptron is RCD-bias as in AdaBoost in li2005, section 4.4: 200 epochs from the zero vector, bias moved
  only in the epochs devoted to it;
- "one-vs-one one-vs-all" is the lower of two errors. One-vs-one is the lower one on all ten sets with stumps, by
  5 points or more; it is the one that is run;
- "a simple greedy approximation" to max-cut on letter is not described; ours starts from one class drawn at random
  and makes the move that separates most until none does;
- C of the SVM is chosen on one random validation part of 30% of the training part, on all sets. The document repeats
  this ten times, and for sets without a split reports the best C over all folds. Times are compared at C = 8, the
  middle of its grid.
"""

from weaklearn.display.palette import BLACK, BLUE, GREEN, ORANGE, SKY, VERMILLION
from weaklearn.lab import Algorithm, Column, DataSource, Experiment, Figure, Profile, Protocol, Split, Table

TRIALS = "weaklearn.studies.li2006.multiclass_trials"
REDUCTIONS = "weaklearn.studies.li2006.reductions"
ROUND_CURVES = "weaklearn.lab.drawings:round_curves"
FOLDS = Split(test_share=0.1, features="minmax")
OFFICIAL_SIZES = {"dna": 2000, "letter": 16000, "pendigits": 7494, "satimage": 4435, "vowel": 528}
NAMES = ("dna", "glass", "iris", "letter", "pendigits", "satimage", "segment", "vehicle", "vowel", "wine")


def _source(name):
    size = OFFICIAL_SIZES.get(name)
    return DataSource(name, FOLDS if size is None else Split(train_size=size, features="minmax"))


ROWS = {name: _source(name) for name in NAMES}
ROWS["tangram"] = DataSource("tangram", Split(train_size=500), kind="artificial", params={"n_samples": 5500})

STUMP = Algorithm("stump", "weaklearn.stumps:DecisionStump")
PERCEPTRON = Algorithm(
    "perceptron",
    "weaklearn.linear:RCDPerceptron",
    {"init": "zero", "max_iter": 200, "bias_every": "auto", "bias_component": False},
)
BOOSTED_STUMPS = Algorithm(
    "AdaBoost-stump", "weaklearn.boosting:AdaBoostClassifier", {"estimator": STUMP, "n_estimators": 50}
)
C_VALUES = [2.0**-3, 1.0, 2.0**3, 2.0**6, 2.0**9]

ECC, ERP = "AdaBoostECCClassifier", "AdaBoostERPClassifier"


def _families(schedules, n_estimators):
    """The seven columns: name in the tables, class, parameters beside the base learner."""
    rounds = {"n_estimators": n_estimators}
    yield "one-vs-one one-vs-all", "OneVsOneClassifier", {}
    yield "ecc max-cut", ECC, {"partition": "max-cut", **rounds}
    yield "ecc rand-half", ECC, {"partition": "rand-half", **rounds}
    for partition in ("max-2", "rand-2"):
        for schedule in schedules:
            yield f"erp {partition} {schedule}", ERP, {"partition": partition, "schedule": schedule, **rounds}


def _algorithm(name, family, base, params):
    room = "weaklearn.multiclass" if params else REDUCTIONS
    params = {"estimator": base, **params}
    return Algorithm(name, f"{room}:{family}", params, id=f"weaklearn.multiclass:{family}")


def columns(base, n_estimators, schedules):
    """The algorithms of Tables 4.2 to 4.4."""
    families = _families(schedules, n_estimators)
    return tuple(_algorithm(name, family, base, params) for name, family, params in families)


def svm_columns():
    """The algorithms of Table 4.5."""
    for name, family, params in _families(("LR", "LRLR"), 200):
        yield Algorithm(
            name,
            f"{TRIALS}:validated_svm",
            {"family": family, "params": params, "C": C_VALUES},
            version=2,
            id="weaklearn.lab.multiclass_trials:validated_svm",
        )


def timed_columns():
    """AdaBoost.ERP of SVMs, whose time is compared with that of AdaBoost.ECC."""
    for name, family, params in _families(("LR", "LRLR"), 200):
        if family == ERP:
            params = {"family": family, "params": params, "C": 8.0}
            yield Algorithm(name, f"{TRIALS}:svm_ensemble", params)


WITH_STUMPS = columns(STUMP, 500, ("LRL", "LRLR"))
WITH_ALL_AGAINST_REST = (*WITH_STUMPS, _algorithm("one-vs-all", "OneVsRestClassifier", STUMP, {}))
WITH_PERCEPTRONS = columns(PERCEPTRON, 200, ("LRL", "LRLR"))
WITH_BOOSTED_STUMPS = columns(BOOSTED_STUMPS, 200, ("LR", "LRLR"))

# Twelve points per decade; the tables and the figures share their trials.
ROUNDS = sorted({round(10 ** (k / 12)) for k in range(37)} | {200, 500})


def _protocol(letter):
    return Protocol(f"{TRIALS}:multiclass_holdout", {"rounds": ROUNDS, "n_estimators": {"letter": letter}})


STUMP_PROTOCOL, OTHER_PROTOCOL = _protocol(1000), _protocol(500)

GREEDY = "The document's greedy approximation to max-cut is not described; ours is another."
TIED_CUTS = (
    "Which of several equally good cuts is taken is not published, and changes the error by up to 1.5 points; the "
    "published value is among those of other orders of the classes (Table 4.2 orders)."
)
NOTES = {
    **{(name, "ecc max-cut"): TIED_CUTS for name in NAMES if name != "letter"},
    ("letter", "ecc max-cut"): GREEDY,
}
# Deterministic cells are compared to the last published digit: these miss it by a few test examples.
STUMP_NOTES = {
    **NOTES,
    ("dna", "erp max-2 LRL"): "74 of 1,186 test examples wrong against 76: equally good stumps or pairs.",
    ("vowel", "erp max-2 LRLR"): "274 of 462 test examples wrong against 273: equally good stumps or pairs.",
    ("letter", "one-vs-one one-vs-all"): "1,578 of 4,000 wrong against 1,577: equal numbers of votes.",
    ("pendigits", "one-vs-one one-vs-all"): "826 of 3,498 wrong against 828: equal numbers of votes.",
    ("satimage", "one-vs-one one-vs-all"): "377 of 2,000 wrong against 383: equal numbers of votes.",
    ("segment", "one-vs-one one-vs-all"): (
        "Equal numbers of votes (3.9% of the test examples) go to the first class, and the order of the classes is not "
        "said: in reverse it is 12.55 ± 0.21."
    ),
}
UNEXPLAINED = "Better than published, {}; we do not know why. The other columns of the row agree."
PERCEPTRON_NOTES = {
    **NOTES,
    ("vowel", "one-vs-one one-vs-all"): UNEXPLAINED.format("49.5 ± 0.6 against 56.2 ± 0.3"),
    ("letter", "one-vs-one one-vs-all"): UNEXPLAINED.format("20.2 ± 0.3 against 22.2 ± 0.1"),
}
_TIES = "{} of {:,} test examples wrong against {}: equally good stumps or pairs, or equal numbers of votes."
BOOSTED_NOTES = {
    **NOTES,
    ("vowel", "one-vs-one one-vs-all"): _TIES.format(216, 462, 213),
    ("vowel", "erp max-2 LR"): _TIES.format(230, 462, "232.5"),
    ("vowel", "erp max-2 LRLR"): _TIES.format(258, 462, 264),
    ("dna", "erp max-2 LR"): _TIES.format(87, 1186, 89),
    ("satimage", "erp max-2 LR"): _TIES.format(296, 2000, 295),
    ("pendigits", "one-vs-one one-vs-all"): _TIES.format(175, 3498, 172),
    ("pendigits", "erp max-2 LR"): _TIES.format(161, 3498, 140),
    ("letter", "one-vs-one one-vs-all"): _TIES.format(483, 4000, 485),
    ("letter", "erp max-2 LR"): _TIES.format("1,068", 4000, "1,115"),
}

_STYLES = {
    "ecc max-cut": {"color": VERMILLION, "linestyle": "--"},
    "ecc rand-half": {"color": ORANGE, "linestyle": "-."},
    "erp max-2 LRL": {"color": GREEN, "linestyle": ":"},
    "erp max-2 LRLR": {"color": SKY, "linestyle": ":"},
    "erp rand-2 LRL": {"color": BLUE, "linestyle": "-"},
    "erp rand-2 LRLR": {"color": BLACK, "linestyle": "-"},
    "max-cut": {"color": VERMILLION, "linestyle": "--"},
    "rand-half": {"color": BLUE, "linestyle": "-"},
}
_CURVE_OPTIONS = {
    "metrics": {"costs": "training cost", "test_errors": "test error (%)"},
    "log_y": ("costs", "test_errors"),
    "styles": _STYLES,
}


def _curves(number, title, names, algorithms, protocol=OTHER_PROTOCOL):
    rows = tuple(ROWS[name] for name in names)
    columns = tuple(algorithm for algorithm in algorithms if algorithm.name in _STYLES)
    return Figure("li2006", number, title, rows, columns, protocol, ROUND_CURVES, _CURVE_OPTIONS)


TANGRAM_PROTOCOL = Protocol(f"{TRIALS}:tangram_rounds", {"rounds": [t for t in ROUNDS if t <= 200]})
TANGRAM_COLUMNS = tuple(
    _algorithm(partition, ECC, PERCEPTRON, {"n_estimators": 200, "partition": partition})
    for partition in ("max-cut", "rand-half")
)

# Of stumps on an official split, nothing but the greedy cuts of letter is random in these columns.
DETERMINISTIC = (
    "one-vs-one one-vs-all",
    "one-vs-all",
    "ecc max-cut",
    *(f"erp max-2 {schedule}" for schedule in ("LR", "LRL", "LRLR")),
)


def _without_chance(algorithms):
    """The cells of an official split that are the same in every trial."""
    return tuple(
        (name, algorithm.name)
        for name in OFFICIAL_SIZES
        for algorithm in algorithms
        if algorithm.name in DETERMINISTIC and (name, algorithm.name) != ("letter", "ecc max-cut")
    )


WITH_SVMS = tuple(name for name in NAMES if name not in ("dna", "letter"))
MISPRINT = {("iris", "erp rand-2 LR"): "Published as 79.33, most likely a misprint of 9.33."}
SVM_CHOICE = {("*", "*"): "C from one validation part of 30%, not the best over all folds."}

FACTS = {"#train": "n_train", "#test": "n_test", "K": "n_classes", "#attribute": "n_features"}
NO_TEST_SET = "No official test set."
CONSTANT = "One of the 19 attributes is constant; without it there are 18."
TIMED = ("glass", "iris", "vehicle", "vowel", "wine")
# Where the order of the classes decides between equally good cuts or equal numbers of votes, and the cuts are exact.
ORDERED = ("dna", "pendigits", "satimage", "segment", "vowel")


def _table(
    number, title, columns, notes, names=NAMES, protocol=OTHER_PROTOCOL, metric="test_error", **options
):
    rows = tuple(ROWS[name] for name in names)
    return Table("li2006", number, title, metric, rows, tuple(columns), protocol, notes=notes, **options)


EXPERIMENT = Experiment(
    name="li2006_multiclass",
    source="li2006",
    title="Multiclass boosting with repartitioning",
    tables=(
        _table(
            "4.1",
            "Sizes of the sets",
            (Column(name, metric=metric) for name, metric in FACTS.items()),
            {
                ("segment", "#attribute"): CONSTANT,
                **{(name, "#test"): NO_TEST_SET for name in NAMES if name not in OFFICIAL_SIZES},
            },
            protocol=Protocol(f"{TRIALS}:multiclass_facts"),
            metric="n_train",
            unit="count",
            deterministic=True,
        ),
        _table(
            "4.2",
            "Test error with decision stumps: 500 rounds, 1,000 on letter",
            WITH_ALL_AGAINST_REST,
            STUMP_NOTES,
            protocol=STUMP_PROTOCOL,
            deterministic=_without_chance(WITH_ALL_AGAINST_REST),
        ),
        _table(
            "4.3",
            "Test error with perceptrons: 200 rounds, 500 on letter",
            WITH_PERCEPTRONS,
            PERCEPTRON_NOTES,
        ),
        _table(
            "4.4",
            "Test error with AdaBoost of 50 stumps: 200 rounds, 500 on letter",
            WITH_BOOSTED_STUMPS,
            {**BOOSTED_NOTES, **MISPRINT},
            deterministic=_without_chance(WITH_BOOSTED_STUMPS),
        ),
        _table(
            "4.5", "Test error with perceptron-kernel SVMs: 200 rounds", svm_columns(), SVM_CHOICE, WITH_SVMS
        ),
        _table(
            "4.2 orders",
            "Test error with 500 decision stumps and the classes in random order",
            WITH_STUMPS[:2],
            {},
            ORDERED,
            Protocol(f"{TRIALS}:class_orders"),
        ),
        _table(
            "4.5 time",
            "CPU time of AdaBoost.ERP over that of AdaBoost.ECC (rand-half), 200 perceptron-kernel SVMs, C = 8",
            timed_columns(),
            {},
            TIMED,
            Protocol(f"{TRIALS}:fit_seconds", {"against": {"partition": "rand-half", "n_estimators": 200}}),
            "ratio",
            unit="ratio",
        ),
    ),
    figures=(
        _curves(
            "4.2",
            "AdaBoost.ECC of perceptrons on the tangram: two ways to pick columns",
            ["tangram"],
            TANGRAM_COLUMNS,
            TANGRAM_PROTOCOL,
        ),
        Figure(
            "li2006",
            "4.3",
            "Dominating partitions of the tangram",
            (ROWS["tangram"],),
            TANGRAM_COLUMNS,
            TANGRAM_PROTOCOL,
            "weaklearn.studies.li2006.drawings:partition_panels",
        ),
        _curves(
            "4.4",
            "Training cost and test error with decision stumps",
            ["letter", "pendigits"],
            WITH_STUMPS,
            STUMP_PROTOCOL,
        ),
        _curves("4.5", "Training cost and test error with perceptrons", ["letter"], WITH_PERCEPTRONS),
    ),
    profiles={
        # Where a trial takes a fraction of a second.
        "quick": Profile(
            n_trials=1,
            rows=("iris", "vowel", "wine", "tangram"),
            items={
                "table 4.5": Profile(n_trials=1, rows=("iris",)),
                "table 4.5 time": Profile(n_trials=1, rows=("iris",)),
            },
        ),
        "full": Profile(n_trials=100, items={"figure 4.2": Profile(20), "figure 4.3": Profile(20)}),
    },
)
