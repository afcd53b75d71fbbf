"""pratap2008, chapter 4: data cloning. Tables 4.1 and 4.2, Figures 4.1 to 4.11.

Readings of the text that the numbers depend on:

- The parameters of the Gaussian SVM that measures complexity are not published. The source complexities of Figures
  4.1 to 4.8 are compared with raw inputs, C = 20 and width 1 (plane) or 2^-6 (20 dimensions); the published set is one
  draw, so the comparison is with single draws. The cloners match complexities by their own measure: C = 1 and the
  width that follows from the variance of standardised inputs.
- RingNorm has the mean of section 4.7.1, a = 2 / sqrt(20).
- Tables 4.1 and 4.2: 200 examples (the text does not say how many); the 20 machines are four widths times five C, in
  the order of their power; 5-fold cross-validation; three clones of the size of the data for training and 1,000
  cloned test examples for each.
- New inputs for clones come from the problem's own generator, as the text assumes.
- AdaBoost's rounds and the noise of rho-cloning are matched to the complexity of the data set (see
  `weaklearn.cloning`), and rho-values are compared with a threshold that keeps the classes' shares.
- Figures 4.10 and 4.11: 20 targets of our data engine in the plane, its families taking turns. Cross-validation is
  ours.

The tables "regret" and "error" are ours: what the choice costs a user, where the text looks at out-of-sample minus
in-sample error.
"""

from dataclasses import replace

from weaklearn.lab import (
    Algorithm,
    Column,
    DataSource,
    Experiment,
    Figure,
    Profile,
    Protocol,
    Row,
    Split,
    Table,
    load_published,
)

TRIALS = "weaklearn.studies.pratap2008.cloning_trials"
DRAWINGS = "weaklearn.studies.pratap2008.drawings"
PROBLEMS = ("leftsin", "yinyang", "twonorm", "ringnorm")
CHOICES = (5, 10, 15, 20)
# The published columns, and the names that the protocol records them under.
METHODS = {
    "In-Sample": "in",
    "CV": "cv",
    "rho-cloning": "rho",
    "AdaBoost-Cloning": "adaboost",
    "Oracle": "out",
}
OURS = {"repeated CV": "cv_repeated", "one standard error": "one_se"}


HALVES = Split(test_share=0.5)  # stated of every set, though the trials draw their own test examples
SVC = Algorithm("SVM", "sklearn.svm:SVC", {"kernel": "rbf"})


def _problem(name, n_samples, label, **params):
    data = DataSource(
        f"{TRIALS}:make_problem",
        HALVES,
        kind="artificial",
        params={"problem": name, "n_samples": n_samples, **params},
        id="weaklearn.lab.cloning_trials:make_problem",
    )
    return Row(label, data)


UNKNOWN_GRID = (
    "Neither the 20 machines nor the number of examples is published; with ours the gaps differ in size. "
    "What can be compared is the order of the columns."
)
CHOSEN_SVM = (
    "The machine is not published. Raw inputs, C = 20 and width 1 (plane) or 2^-6 (20 dimensions) were found among 300 "
    "settings on these very numbers; the draws that are compared here were not part of that search."
)


def _selection(number, problem, measure, title, published):
    methods = METHODS if published else {**METHODS, **OURS}
    return Table(
        source="pratap2008",
        number=number,
        title=title,
        metric=f"{measure}_cv",
        rows=tuple(_problem(problem, 200, f"# choices={n}", n_choices=n) for n in CHOICES),
        columns=tuple(Column(name, SVC, f"{measure}_{key}") for name, key in methods.items()),
        protocol=Protocol(f"{TRIALS}:clone_selection"),
        notes={("*", "*"): UNKNOWN_GRID} if published else {},
        published=None if published else (),
    )


def _both(problem, number, name):
    yield _selection(
        number, problem, "gap", f"Out-of-sample minus in-sample error of the chosen machine: {name}", True
    )
    for measure, title in (
        ("error", "Out-of-sample error of the chosen machine"),
        ("regret", "Out-of-sample error beyond the oracle's"),
    ):
        yield _selection(f"{number} ({measure})", problem, measure, f"{title}: {name} (ours)", False)


CLONERS = {"AdaBoost-Cloner": "adaboost", "rho-Cloner": "rho"}
FIGURES = [(problem, n) for problem in PROBLEMS for n in (400, 200)]


def _cloner(name, label):
    builder = {"adaboost": "AdaBoostCloner", "rho": "RhoCloner"}[name]
    return Algorithm(label, f"weaklearn.cloning:{builder}")


def _source_complexity(position, problem, n):
    """Both columns are about the one set that was cloned: the number is its complexity, whatever the cloner."""
    number = f"fig4.{position}"
    return Table(
        source="pratap2008",
        number=number,
        title=f"Complexity of a set as cloned: {problem}, {n} examples",
        metric="raw",
        rows=(_problem(problem, n, f"{problem} with {n} examples"),),
        columns=tuple(Column(f"{label} complexity of source dataset") for label in CLONERS),
        protocol=Protocol(f"{TRIALS}:set_complexity"),
        unit="fraction of examples",
        notes={("*", "*"): CHOSEN_SVM},
        # The publication has one draw of the set.
        published=tuple(
            replace(cell, n_runs=1) for cell in load_published("pratap2008") if cell.table == number
        ),
    )


def _histograms(number, problem, n, cloner, label, selection=True):
    suffix = "" if selection else ", without data selection"
    return Figure(
        source="pratap2008",
        number=number,
        title=f"Complexity of clones by the {label}: {problem}, {n} examples{suffix}",
        rows=(_problem(problem, n, f"{problem}, {n} examples"),),
        columns=(_cloner(cloner, label),),
        protocol=Protocol(f"{TRIALS}:clone_complexity", {"cloner": cloner, "selection": selection}),
        draw=f"{DRAWINGS}:complexity_histograms",
    )


def _all_histograms():
    for position, (problem, n) in enumerate(FIGURES, start=1):
        for panel, (label, cloner) in zip("bc", CLONERS.items(), strict=True):
            yield _histograms(f"4.{position}{panel}", problem, n, cloner, label)
    for panel, (label, cloner) in zip("ab", CLONERS.items(), strict=True):
        yield _histograms(f"4.9{panel}", "yinyang", 400, cloner, label, selection=False)


TARGETS = tuple(
    Row(
        str(target),
        DataSource(
            f"{TRIALS}:make_engine_target",
            HALVES,
            kind="artificial",
            params={"target": target, "n_samples": 400},
            id="weaklearn.lab.cloning_trials:make_engine_target",
        ),
    )
    for target in range(20)
)


def _algorithm_choice(number, metric, title):
    return Figure(
        source="pratap2008",
        number=number,
        title=title,
        rows=TARGETS,
        columns=(Column("network or SVM", SVC),),
        protocol=Protocol(f"{TRIALS}:algorithm_choice"),
        draw=f"{DRAWINGS}:method_bars",
        options={"metric": metric},
    )


HISTOGRAMS = tuple(_all_histograms())

EXPERIMENT = Experiment(
    name="pratap2008_cloning",
    source="pratap2008",
    title="Data cloning",
    tables=(
        *_both("leftsin", "4.1", "LeftSin"),
        *_both("ringnorm", "4.2", "ringnorm"),
        *(_source_complexity(i, problem, n) for i, (problem, n) in enumerate(FIGURES, start=1)),
    ),
    figures=(
        *HISTOGRAMS,
        _algorithm_choice(
            "4.10", "hit", "How often each way of choosing agrees with the oracle: network or SVM"
        ),
        _algorithm_choice("4.11", "error", "Average out-of-sample error of the chosen algorithm"),
    ),
    profiles={
        "quick": Profile(
            n_trials=2,
            cells={("# choices=5", "*"): 0},
            items={
                **{figure.item: Profile(n_trials=2) for figure in HISTOGRAMS},
                "figure 4.10": Profile(n_trials=1, rows=("1", "2")),
                "figure 4.11": Profile(n_trials=1, rows=("1", "2")),
            },
        ),
        "full": Profile(
            n_trials=50,
            items={
                **{figure.item: Profile(n_trials=100) for figure in HISTOGRAMS},
                "figure 4.10": Profile(n_trials=20),
                "figure 4.11": Profile(n_trials=20),
            },
        ),
    },
)
