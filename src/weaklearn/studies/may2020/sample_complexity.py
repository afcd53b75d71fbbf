"""may2020, part II: how many examples four learners need in the 'just a little bit' problem.

Figures 9 and 10, the curves whose equations are given above Table 25, Table 25 itself (as the share of runs in which
AIC picks the published kind of curve) and Table 26. Readings:

- one pass over the data for the perceptron and winnow, and no bias;
- Method 1 with 10 runs for every number of examples, starting from 0.6 times the estimate at the dimension before;
  fewer runs where three already settle the question. Method 2 for nearest neighbours;
- 2,000 test examples in each run instead of 10,000: the noise of ten such runs (0.2 points) is small beside the spread
  of the runs themselves;
- curves are fitted by least squares on the sample complexities themselves, not on their logarithms;
- the weights of winnow are those of features 0 and 1, twice those on -1 and +1.

The published factor 0.926 of the nearest-neighbour curve cannot be right: at n = 2 the curve has two examples do,
which are of one class half of the time and then wrong on half of the cube. Table "line" has what it is likely to be:
the intercept of a straight line through the logarithms, so that the factor is e^0.926 = 2.5, with Method 1.
"""

import dataclasses

from weaklearn.lab import Algorithm, Column, Experiment, Figure, Profile, Protocol, Table, load_published
from weaklearn.studies.learners import artificial

TRIALS = "weaklearn.studies.may2020.sample_complexity_trials"
DRAW = "weaklearn.studies.may2020.drawings:growth_curves"
# The trials draw their own examples, of every dimension.
LITTLE_BIT = artificial("little_bit", {"n_samples": 4}, "just a little bit", test_share=0.5)
GROWTH = Protocol(f"{TRIALS}:growth_trial")


def _learner(estimator, kind, dimensions, **options):
    params = {
        "estimator": estimator,
        "problem": "weaklearn.datasets:make_little_bit",
        "kind": kind,
        "dimensions": list(dimensions),
        "n_test": 2000,
        **options,
    }
    id = "weaklearn.lab.kernel_trials:LearnerOnProblem"
    return Algorithm(estimator.name, f"{TRIALS}:LearnerOnProblem", params, id=id)


PERCEPTRON = Algorithm("Perceptron", "weaklearn.linear:Perceptron", {"fit_intercept": False, "max_iter": 1})
WINNOW = Algorithm("Winnow", "weaklearn.linear:Winnow", {"max_iter": 1})
SQUARES = Algorithm("Least squares", "weaklearn.linear:LeastSquaresClassifier", {"fit_intercept": False})
NEAREST = Algorithm(
    "1-nearest neighbours",
    "sklearn.neighbors:KNeighborsClassifier",
    {"n_neighbors": 1, "algorithm": "brute"},
)
LEARNERS = (
    _learner(PERCEPTRON, "linear", range(10, 101, 10)),
    _learner(WINNOW, "log", range(5, 101, 5), weight_scale=2.0),
    _learner(SQUARES, "linear", range(10, 101, 10)),
    _learner(NEAREST, "exponential", range(2, 13), method="bisect"),
)
NEIGHBOURS = _learner(NEAREST, "exponential", range(1, 13))
FACTOR = (
    "Half of all samples of two examples have one class, so two examples cannot have an error of 10%, but the "
    "published curve is 2.0 at n = 2: 0.926 is the intercept of a line through logarithms (table line)."
)


def _published(number):
    # The ten runs that the text speaks of are those behind one estimate; curves and weights are those of one run.
    return tuple(
        dataclasses.replace(cell, row=LITTLE_BIT.label, n_runs=1)
        for cell in load_published("may2020", number)
    )


def _table(number, title, columns, unit, **options):
    return Table(
        source="may2020", number=number, title=title, metric="b", rows=(LITTLE_BIT,), columns=tuple(columns),
        protocol=GROWTH, unit=unit, published=_published(number), **options,
    )  # fmt: skip


def _weights(learner):
    yield Column(f"{learner.name} Estimate (m)", learner, "last")
    for k in range(1, 11):
        yield Column(f"{learner.name} Weight index {k}", learner, f"weight {k}")


LINE = tuple(Column(name, NEIGHBOURS, name) for name in ("intercept", "slope"))
EXPERIMENT = Experiment(
    name="may2020_sample_complexity",
    source="may2020",
    title="Sample complexity of a perceptron, winnow, least squares and nearest neighbours",
    tables=(
        _table(
            "fits",
            "Fitted curves: a + b n, a + b log n, a exp(b n)",
            (Column(f"{learner.name} {part}", learner, part) for learner in LEARNERS for part in "ab"),
            "examples",
            notes={(LITTLE_BIT.label, "1-nearest neighbours a"): FACTOR},
        ),
        dataclasses.replace(
            _table("line", "1-NN: the line through the logarithms", LINE, "logarithm of examples"),
            protocol=Protocol(f"{TRIALS}:growth_line"),
            published=tuple(
                dataclasses.replace(cell, table="line", column=name)
                for name, key in (("intercept", "a"), ("slope", "b"))
                for cell in _published("fits")
                if cell.column == f"1-nearest neighbours {key}"
            ),
        ),
        _table(
            "25",
            "Share of runs in which the published kind of curve has the least AIC",
            (
                Column(f"{learner.name}: {learner.params['kind']}", learner, "best_kind")
                for learner in LEARNERS
            ),
            "share",
        ),
        _table(
            "26",
            "Estimate at n = 100 and the first weights of one machine trained on as many examples",
            (column for learner in LEARNERS[:3] for column in _weights(learner)),
            "weight",
        ),
    ),
    figures=tuple(
        Figure("may2020", number, title, (LITTLE_BIT,), LEARNERS, GROWTH, DRAW, options)
        for number, title, options in (
            ("9", "Sample complexity against dimension", {}),
            ("10", "The same with fitted curves and mistake bounds", {"fits": True}),
        )
    ),
    profiles={
        # The quickest learner.
        "quick": Profile(n_trials=1, columns=("Least squares a", "Least squares b", "Least squares: linear")),
        "full": Profile(n_trials=20),
    },
)  # fmt: skip
