"""pratap2008, chapter 4: data cloning. Tables 4.1 and 4.2, Figures 4.1 to 4.11.

Readings of the text that the numbers depend on:

- Tables 4.1 and 4.2: neither the 20 machines, nor the number of examples, nor the settings of cloners are published.
  Here: 200 examples, inputs as they are, blocks of five machines of the same C with rising widths, the last of equals.
  LeftSin: C = 4, 16, 64, 256, widths 2^-5 to 2^-1, the rho-cloner by the published rules, 100 rounds of AdaBoost, three
  clones. Ringnorm: C = .5, 2, 8, 32, widths 2^-8 to 2^-4, our rho-cloner (the published rule gives all clones one
  label there), 500 rounds of AdaBoost without data selection, five clones. These were found on the published numbers,
  with trials that are not among these.
- Table 4.1 has 5% wrong labels in training and test sets. This is inferred, not printed; the table "4.1, no wrong
  labels" has the same trials without them. The gap counts wrong labels of the test set, the error does not.
- The bars of Table 4.2 are not standard errors of 50 runs: binomial noise alone is sixty times the smallest. They are
  left out.
- The oracle chooses on new training sets, as the text says, and is judged on other examples than it has seen.
- The parameters of the Gaussian SVM that measures complexity are not published. The source complexities of Figures
  4.1 to 4.8 agree with inputs as they are, C = 20 and width 1 (plane) or 2^-6 (20 dimensions). The cloners match
  complexities by another one: C = 1 and the width that follows from the variance of standardised inputs.
- RingNorm has the mean of section 4.7.1, a = 2 / sqrt(20). New inputs for clones come from the problem's own generator.
- Figures 4.10 and 4.11: 20 targets of our data engine in the plane, its families taking turns.

"First machine" is ours: it looks at no data, and has a small gap where the simplest machine has one. So the error of
the machine that was taken, and how much more that is than the oracle's (regret), stand beside the gap.
"""

from dataclasses import replace
from functools import partial

from weaklearn.lab import Algorithm, Column, Experiment, Figure, Profile, Protocol, Row, Table, load_published
from weaklearn.studies.learners import artificial

TRIALS = "weaklearn.studies.pratap2008.cloning_trials"
SELECTION = "weaklearn.studies.pratap2008.selection_trials"
DRAWINGS = "weaklearn.studies.pratap2008.drawings"
PROBLEMS = ("leftsin", "yinyang", "twonorm", "ringnorm")
CHOICES = (5, 10, 15, 20)
# The published columns, and the names that the protocol records them under; the last one is ours.
METHODS = {
    "In-Sample": "in",
    "CV": "cv",
    "rho-cloning": "rho",
    "AdaBoost-Cloning": "adaboost",
    "Oracle": "oracle",
    "First machine": "first",
}
MEASURES = {"": "gap", " error": "error", " regret": "regret", " distance": "distance"}
HALVES = {"test_share": 0.5}  # stated of every set, though the trials draw their own examples


def _problem(name, n_samples, label="", suffix=""):
    params, id = {"problem": name, "n_samples": n_samples}, "weaklearn.lab.cloning_trials:make_problem"
    label = label or f"{name}, {n_samples} examples"
    return artificial(f"{TRIALS}:make_problem", params, label, id=id, suffix=suffix, **HALVES)


_table, _figure = partial(Table, "pratap2008"), partial(Figure, "pratap2008")


def _powers(low, high):
    return [2.0**k for k in range(low, high + 1)]


LEFTSIN = {
    "widths": _powers(-5, -1),
    "prices": [4.0, 16.0, 64.0, 256.0],
    "choices": list(CHOICES),
    "rho": {"noise": 1.0, "threshold": "zero"},
    "adaboost": {"n_estimators": 100},
    "n_clones": 3,
    "flip": 0.05,
}
RINGNORM = {
    "widths": _powers(-8, -4),
    "prices": [0.5, 2.0, 8.0, 32.0],
    "choices": list(CHOICES),
    "rho": {},
    "adaboost": {"n_estimators": 500, "selection": False},
    "n_clones": 5,
}
INFERRED = (
    "Machines, examples, cloners and the share of wrong labels are not published: inferred from the table."
)


def _selection(number, problem, title, params, **options):
    """Gaps, errors and regrets; the published cells are gaps."""
    of = number.partition(",")[0]
    return _table(
        number,
        title,
        "gap_cv",
        tuple(_problem(problem, 200, f"# choices={n}", f"_{n}") for n in CHOICES),
        tuple(
            Column(f"{method}{heading}", metric=f"{measure}_{name}")
            for heading, measure in MEASURES.items()
            for method, name in METHODS.items()
            if (measure, name) not in (("regret", "oracle"), ("distance", "oracle"))
        ),
        Protocol(f"{SELECTION}:machine_choice", params),
        notes={("*", "*"): INFERRED},
        published=tuple(
            # Bars that are no standard errors are not used: ours tell how far 50 runs scatter.
            replace(cell, table=number, error=None if of == "4.2" else cell.error)
            for cell in load_published("pratap2008", of)
        ),
        **options,
    )


CLONERS = {"AdaBoost-Cloner": "adaboost", "rho-Cloner": "rho"}
FIGURES = [(problem, n) for problem in PROBLEMS for n in (400, 200)]
CHOSEN_SVM = (
    "The machine is not published. Raw inputs, C = 20 and width 1 (plane) or 2^-6 (20 dimensions) were found among "
    "300 settings on these very numbers; the draws that are compared here were not part of that search."
)


def _cloner(label, **params):
    builder = "AdaBoostCloner" if "AdaBoost" in label else "RhoCloner"
    return Algorithm(label, f"weaklearn.cloning:{builder}", params)


def _source_complexity(position, problem, n):
    """Both columns are about the one set that was cloned: the number is its complexity, whatever the cloner."""
    number = f"fig4.{position}"
    return _table(
        number,
        f"Complexity of a set as cloned: {problem}, {n} examples",
        "raw",
        (_problem(problem, n, f"{problem} with {n} examples"),),
        tuple(Column(f"{label} complexity of source dataset") for label in CLONERS),
        Protocol(f"{TRIALS}:set_complexity"),
        unit="fraction of examples",
        notes={("*", "*"): CHOSEN_SVM},
        kind="stated",
        # The publication has one draw of the set.
        published=tuple(replace(cell, n_runs=1) for cell in load_published("pratap2008", number)),
    )


CLONES = _table(
    "clones",
    "Complexity of clones minus that of their original",
    "change",
    tuple(_problem(problem, n) for problem, n in FIGURES),
    (
        _cloner("AdaBoost-Cloner"),
        _cloner("rho-Cloner"),
        # Nothing is matched: the published rules, with a number of rounds that is not published.
        _cloner("AdaBoost-Cloner, 100 rounds", n_estimators=100),
        _cloner("rho-Cloner, published rules", noise=1.0, threshold="zero"),
    ),
    Protocol(f"{TRIALS}:clones_of_originals", {"n_clones": 2}),
    unit="fraction of examples",
)


def _histograms(number, panels, problem, n, selection=True):
    """A panel for each cloner."""
    suffix = "" if selection else ", without data selection"
    for panel, (label, cloner) in zip(panels, CLONERS.items(), strict=True):
        yield _figure(
            f"{number}{panel}",
            f"Complexity of clones by the {label}: {problem}, {n} examples{suffix}",
            (_problem(problem, n),),
            (_cloner(label),),
            Protocol(f"{TRIALS}:clone_complexity", {"cloner": cloner, "selection": selection}),
            f"{DRAWINGS}:complexity_histograms",
        )


HISTOGRAMS = (
    *(figure for k, some in enumerate(FIGURES, start=1) for figure in _histograms(f"4.{k}", "bc", *some)),
    *_histograms("4.9", "ab", "yinyang", 400, selection=False),
)


def _target(number):
    params, id = {"target": number, "n_samples": 400}, "weaklearn.lab.cloning_trials:make_engine_target"
    return artificial(f"{TRIALS}:make_engine_target", params, str(number), id=id, **HALVES)


TARGETS = tuple(map(_target, range(20)))
SVC = Algorithm("SVM", "sklearn.svm:SVC", {"kernel": "rbf"})
BARS = ("figure 4.10", "figure 4.11")


def _algorithm_choice(number, metric, title):
    columns, protocol = (Column("network or SVM", SVC),), Protocol(f"{TRIALS}:algorithm_choice")
    return _figure(number, title, TARGETS, columns, protocol, f"{DRAWINGS}:method_bars", {"metric": metric})


EXPERIMENT = Experiment(
    name="pratap2008_cloning",
    source="pratap2008",
    title="Data cloning",
    tables=(
        _selection(
            "4.1",
            "leftsin",
            "Out-of-sample minus in-sample error of the chosen machine: LeftSin, 5% wrong labels",
            LEFTSIN,
        ),
        _selection(
            "4.1, no wrong labels",
            "leftsin",
            "The same without wrong labels, a reading that does not agree",
            {**LEFTSIN, "flip": 0.0},
            kind="stated",
        ),
        _selection(
            "4.2",
            "ringnorm",
            "Out-of-sample minus in-sample error of the chosen machine: ringnorm",
            RINGNORM,
            tolerance=0.1,
            tolerance_reason="the least improvement over cross-validation that the text counts (10 choices, "
            "rho-cloning)",
        ),
        *(_source_complexity(i, problem, n) for i, (problem, n) in enumerate(FIGURES, start=1)),
        CLONES,
        _table(
            "theorems 5 and 6",
            "Violations among 500 random finite worlds",
            "bound",
            (Row("random worlds"),),
            (
                Column("theorem 5", metric="bound"),
                Column("theorem 6 as printed", metric="printed"),
                Column("theorem 6 corrected", metric="corrected"),
            ),
            Protocol("weaklearn.studies.pratap2008.theorems_trials:cloning_theorems", {"n_instances": 500}),
            unit="worlds",
        ),
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
            items={
                "table clones": Profile(n_trials=0),
                **dict.fromkeys(BARS, Profile(n_trials=1, rows=("1", "2"))),
            },
        ),
        "full": Profile(
            n_trials=50,
            items={
                **{figure.item: Profile(n_trials=100) for figure in HISTOGRAMS},
                **dict.fromkeys(BARS, Profile(n_trials=20)),
            },
        ),
    },
)
