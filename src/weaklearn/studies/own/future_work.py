"""Open questions on boosting that the documents name, as hypotheses with a verdict each.

A cell is the mean difference of two learners on the same splits, in points of error. The hypothesis is that the first
is at least as good: a bound of 0. So *confirmed* means shown to be better, *contradicted* shown to be worse.

- Acceleration (barnes1999, equation 6.1): a cost that becomes steeper with the rounds "would serve to accelerate
  training", which would show in the training error first.
- Annealing (section 6.4.1), as "another optimisation strategy that is less sensitive to starting point": p starts at 4,
  where few old coefficients are forgotten, and falls to 1 in the course of the rounds.
- Gravity (equation 4.14), "no experiments were performed": the pull of the norm, tuned, against AdaBoost.
- Hard data (section 6.5.1): "a stronger weak learning algorithm" on wpbc. "A method of restarting training after it has
  aborted" is another idea of the text; it has a use only where training aborts, so the hypothesis is that less than one
  of 1,000 rounds is lost.
- Chapter 7: "no quantitative comparisons" of the p-convex hull with soft margins and DOOM II "were made". Here every
  learner has three values of its parameter and three numbers of rounds to choose from, by the same three folds of the
  noisy training part.
- li2005 (section 4.2) is "still unclear for what problems" ensembles of perceptrons do not overfit. Here: AdaBoost of
  RCD perceptrons, test error after 100 rounds minus that after 5, on clean and on wrong labels.

Rings have 200 training examples, of which 20 or 30% have the wrong label; test labels are right.
"""

from weaklearn.lab import Algorithm, Column, Experiment, Profile, Protocol
from weaklearn.studies.barnes1999.parts import SETS, ring
from weaklearn.studies.learners import artificial, real
from weaklearn.studies.own.hypotheses import booster, hypotheses, own_algorithm, pair

TRIALS = "weaklearn.studies.own.future_work_trials"
RINGS = tuple(ring(name, f"{name}, 200 examples", n_train=200) for name in ("ring20", "ring30"))
ROUNDS = (10, 50, 200)


def _grid(name, *values):
    """Every value with every number of rounds."""
    return [{name: value, "n_estimators": n} for value in values for n in ROUNDS]


ADABOOST = booster("AdaBoost")
SLOPPY = booster("PBoost", p=1.0)
ACCELERATED = booster("PBoost", p=1.0, acceleration=0.5)
GRAVITY = booster("PBoost", variant="gravity", p=1.0)
ANNEALED = own_algorithm(
    "annealed",
    "future_work_trials:AnnealedPBoostClassifier",
    {"n_estimators": 200, "p": 1.0, "p_start": 4.0, "annealing": 200},
)
HULL_GRID = _grid("p", 0.8, 1.0, 1.5)
GRAVITIES = _grid("gravity", 0.01, 0.03, 0.1)
MISTRUSTS = _grid("mistrust", 1.0, 3.0, 10.0)
STEEPNESSES = _grid("steepness", 3.0, 10.0, 30.0)
SIZES = [{"n_estimators": n} for n in ROUNDS]
TREE = Algorithm("tree", "sklearn.tree:DecisionTreeClassifier", {"max_depth": 2})
DEPTH_2 = booster("AdaBoost", 100, estimator=TREE)

HALF_WAY = "After 200 rounds sloppy p-boosting is 12 to 16 points worse than AdaBoost; annealing wins back six of them."

PERCEPTRON = Algorithm("perceptron", "weaklearn.linear:RCDPerceptron", {"max_iter": 100})
EARLY, LATE = 5, 100
GROWTH = Protocol(f"{TRIALS}:later_minus_earlier", {"earlier": EARLY})


def _learned(name, flip, n_train=200):
    """An artificial set of li2005 with some wrong labels in the training part."""
    label = f"{name}, {f'{flip:.0%} wrong labels' if flip else 'right labels'}"
    return artificial(name, {"n_samples": 5000 + n_train}, label, {"flip": flip}, train_size=n_train)


GROWN = tuple(_learned(name, flip) for name in ("yinyang", "ringnorm") for flip in (0.0, 0.1, 0.2))
PIMA, CLEVELAND = real("pima", test_share=0.2), real("cleveland", test_share=0.2)

EXPERIMENT = Experiment(
    name="future_work",
    source="weaklearn",
    title="Open questions on boosting",
    tables=(
        hypotheses(
            "acceleration",
            "Sloppy p-boosting, p = 1, 200 rounds: acceleration 0.5 minus none",
            RINGS,
            (
                pair("training error", ACCELERATED, SLOPPY, metric="train"),
                pair("test error", ACCELERATED, SLOPPY),
            ),
        ),
        hypotheses(
            "annealing",
            "Sloppy p-boosting, p = 1, 200 rounds: annealed from p = 4, minus not",
            RINGS,
            (
                pair("training error", ANNEALED, SLOPPY, metric="train"),
                pair("test error", ANNEALED, SLOPPY),
                pair("test error minus AdaBoost's", ANNEALED, ADABOOST),
            ),
            notes={("*", "test error minus AdaBoost's"): HALF_WAY},
        ),
        hypotheses(
            "gravity",
            "Test error of boosting with gravity, tuned, minus AdaBoost's with 200 rounds, and with a tuned number",
            RINGS,
            (
                pair("minus AdaBoost", GRAVITY, ADABOOST, GRAVITIES),
                pair("minus AdaBoost, tuned", GRAVITY, ADABOOST, GRAVITIES, SIZES),
            ),
        ),
        hypotheses(
            "hard data",
            "Test error on wpbc, 100 rounds: trees of depth 2 minus stumps",
            (SETS["wpbc"],),
            (pair("depth 2 minus stumps", DEPTH_2, booster("AdaBoost", 100)),),
        ),
        hypotheses(
            "restarts",
            "Rounds of 1,000 that training on wpbc lacks when it ends",
            (SETS["wpbc"],),
            (Column("AdaBoost", booster("AdaBoost", 1000)), Column("sloppy, p = 1", booster("PBoost", 1000))),
            Protocol(f"{TRIALS}:lost_rounds"),
            most=1.0,
            unit="rounds",
        ),
        hypotheses(
            "hull",
            "Test error of sloppy p-boosting minus baselines that are tuned as much",
            RINGS,
            (
                pair("minus AdaBoost, tuned", SLOPPY, ADABOOST, HULL_GRID, SIZES),
                pair("minus AdaBoost-Reg", SLOPPY, booster("AdaBoostReg"), HULL_GRID, MISTRUSTS),
                pair("minus DOOM II", SLOPPY, booster("Doom2"), HULL_GRID, STEEPNESSES),
            ),
        ),
        hypotheses(
            "perceptron ensembles",
            f"AdaBoost of RCD perceptrons: test error after {LATE} rounds minus that after {EARLY}",
            (*GROWN, PIMA, CLEVELAND),
            (Column(f"{LATE} minus {EARLY} rounds", booster("AdaBoost", LATE, estimator=PERCEPTRON)),),
            GROWTH,
        ),
    ),
    profiles={
        "quick": Profile(
            n_trials=2,
            cells={("ring20, 200 examples", "*"): 0},
            items={"table perceptron ensembles": Profile(n_trials=2, rows=(GROWN[0].label,))},
        ),
        "full": Profile(
            n_trials=100, items={"table restarts": Profile(50), "table perceptron ensembles": Profile(50)}
        ),
    },
)
