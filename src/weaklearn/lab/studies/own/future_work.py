"""Ideas that barnes1999 names and leaves for later, as hypotheses with a verdict each.

A cell is the mean difference of two learners on the same splits, in points of error. The hypothesis is that the first
is at least as good: a bound of 0. So *confirmed* means shown to be better, *contradicted* shown to be worse.

- Acceleration (equation 6.1): a cost that becomes steeper with the rounds "would serve to accelerate training", which
  would show in the training error first.
- Gravity (equation 4.14), "no experiments were performed": the pull of the norm, tuned, against AdaBoost.
- Hard data (section 6.5.1): "a stronger weak learning algorithm" on wpbc.
- Chapter 7: "no quantitative comparisons" of the p-convex hull with soft margins and DOOM II "were made". Here every
  learner has three values of its parameter and three numbers of rounds to choose from, by the same three folds of the
  noisy training part.

Rings have 200 training examples, of which 20 or 30% have the wrong label; test labels are right.
"""

from weaklearn.lab import Algorithm, Column, Experiment, Profile, Protocol, PublishedCell, Table
from weaklearn.lab.studies.barnes1999.parts import SETS, ring

TRIALS = "weaklearn.lab.studies.own.future_work_trials"
DIFFERENCE = Protocol(f"{TRIALS}:tuned_difference")
RINGS = tuple(ring(name, f"{name}, 200 examples", n_train=200) for name in ("ring20", "ring30"))
N_ROUNDS = 200
BOOSTING = "weaklearn.boosting"


def _booster(class_name, n_estimators=N_ROUNDS, **params):
    return Algorithm(
        class_name, f"{BOOSTING}:{class_name}Classifier", {"n_estimators": n_estimators, **params}
    )


ROUNDS = (10, 50, 200)


def _grid(name, *values):
    """Every value with every number of rounds."""
    return [{name: value, "n_estimators": n} for value in values for n in ROUNDS]


def _pair(name, first, second, first_grid=(), second_grid=(), metric="test"):
    params = {
        "first": first,
        "second": second,
        "first_grid": list(first_grid),
        "second_grid": list(second_grid),
    }
    return Column(name, Algorithm(name, f"{TRIALS}:Pair", params), metric)


def _hypotheses(number, title, rows, columns):
    """A table whose cells are expected to be at most 0."""
    cells = tuple(
        PublishedCell("weaklearn", number, row.label, column.name, 0.0, unit="points", relation="at most")
        for row in rows
        for column in columns
    )
    return Table(
        source="weaklearn",
        number=number,
        title=title,
        metric="test",
        rows=rows,
        columns=columns,
        protocol=DIFFERENCE,
        unit="points",
        published=cells,
    )


ADABOOST = _booster("AdaBoost")
SLOPPY = _booster("PBoost", p=1.0)
ACCELERATED = _booster("PBoost", p=1.0, acceleration=0.5)
HULL_GRID = _grid("p", 0.8, 1.0, 1.5)
SIZES = [{"n_estimators": n} for n in ROUNDS]
TREE = Algorithm("tree", "sklearn.tree:DecisionTreeClassifier", {"max_depth": 2})

EXPERIMENT = Experiment(
    name="future_work",
    source="weaklearn",
    title="Ideas that barnes1999 leaves for later",
    tables=(
        _hypotheses(
            "acceleration",
            "Sloppy p-boosting, p = 1, 200 rounds: acceleration 0.5 minus none",
            RINGS,
            (
                _pair("training error", ACCELERATED, SLOPPY, metric="train"),
                _pair("test error", ACCELERATED, SLOPPY),
            ),
        ),
        _hypotheses(
            "gravity",
            "Test error of boosting with gravity, tuned, minus AdaBoost's with 200 rounds, and with a tuned number",
            RINGS,
            tuple(
                _pair(
                    name,
                    _booster("PBoost", variant="gravity", p=1.0),
                    ADABOOST,
                    _grid("gravity", 0.01, 0.03, 0.1),
                    grid,
                )
                for name, grid in (("minus AdaBoost", ()), ("minus AdaBoost, tuned", SIZES))
            ),
        ),
        _hypotheses(
            "hard data",
            "Test error on wpbc, 100 rounds: trees of depth 2 minus stumps",
            (SETS["wpbc"],),
            (
                _pair(
                    "depth 2 minus stumps",
                    _booster("AdaBoost", 100, estimator=TREE),
                    _booster("AdaBoost", 100),
                ),
            ),
        ),
        _hypotheses(
            "hull",
            "Test error of sloppy p-boosting minus baselines that are tuned as much",
            RINGS,
            (
                _pair("minus AdaBoost, tuned", SLOPPY, ADABOOST, HULL_GRID, SIZES),
                _pair(
                    "minus AdaBoost-Reg",
                    SLOPPY,
                    _booster("AdaBoostReg"),
                    HULL_GRID,
                    _grid("mistrust", 1.0, 3.0, 10.0),
                ),
                _pair(
                    "minus DOOM II",
                    SLOPPY,
                    _booster("Doom2"),
                    HULL_GRID,
                    _grid("steepness", 3.0, 10.0, 30.0),
                ),
            ),
        ),
    ),
    profiles={
        "quick": Profile(n_trials=2, cells={("ring20, 200 examples", "*"): 0}),
        "full": Profile(n_trials=100),
    },
)
