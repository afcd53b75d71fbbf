"""pratap2008, chapter 2: AlphaBoost, DLPBoost and the margins. Tables 2.2, 2.3; Figures 2.1 to 2.8 and 2.23 to 2.28.

Readings of the text that the numbers depend on:

- no constant stump; the size of an ensemble is its number of distinct stumps, its margins are normalised by the sum of
  the coefficients' absolute values;
- "cancer" is the Wisconsin set in Table 2.2 and WDBC (569) in Table 2.3. The means of Table 2.2 agree best with all 699
  records of the former and all 303 of cleveland, a missing value being one more value (``docs/differences.md``); here
  are the 683 and 297 complete ones, which come with the package;
- the Vote row of Table 2.2 cannot be the voting records (Table 2.3 contradicts it). Misprints, most likely: AdaBoost's
  cost of cleveland in Table 2.2, .0651 for .2651, and pima's DLPBoost margin in Table 2.3, .00829 for .0829;
- the brackets of Table 2.3 are the deviation over n, not over the square root of n: they are multiplied by the latter.
  Those of the errors of pima and DLPBoost's of vote, with one digit less than the others, are right as they are;
- Figures 2.1 and 2.2 are of targets of our data engine in 8 dimensions (the text does not say how many): three
  families and four complexity factors, always with seed 0; Figure 2.2 shows the first of them. A trial trains on 500 of
  10,500 examples and tests on the others;
- Figures 2.2 to 2.8 draw cost and error of AlphaBoost and of 150 rounds of AdaBoost, and in panel (c) the margins of
  AlphaBoost and of the 100 rounds that it starts from.
"""

import math
from dataclasses import replace
from functools import partial

from weaklearn.display.palette import BLUE, GREEN, VERMILLION
from weaklearn.lab import Algorithm, Column, Experiment, Figure, Profile, Protocol, Table, load_published
from weaklearn.studies.learners import engine_target, real

TRIALS = "weaklearn.studies.pratap2008.margins_trials"
DRAWINGS = "weaklearn.studies.pratap2008.drawings"
PANELS = f"{DRAWINGS}:margin_panels"
QUANTITIES = "weaklearn.lab.drawings:quantities"
STUMP = Algorithm("stump", "weaklearn.stumps:DecisionStump", {"constant": False})


def booster(name, class_name, n_estimators, **params):
    """A booster of stumps."""
    params = {"estimator": STUMP, "n_estimators": n_estimators, **params}
    return Algorithm(name, f"weaklearn.boosting:{class_name}Classifier", params)


ALPHA = booster("AlphaBoost", "AlphaBoost", 100, n_descent=50)
ADA_100 = booster("AdaBoost, 100 rounds", "AdaBoost", 100)
ADA_150 = booster("AdaBoost", "AdaBoost", 150)
ADA_250 = booster("AdaBoost", "AdaBoost", 250)
DLP_250 = booster("DLPBoost", "DLPBoost", 250)


def _rows(cancer):
    names = {label: label for label in ("pima indian", "sonar", "cleveland", "ionosphere", "vote", "cancer")}
    names |= {"pima indian": "pima", "vote": "votes84", "cancer": cancer}
    return {label: real(name, label, test_share=0.2) for label, name in names.items()}


def _columns(algorithms, metrics):
    return tuple(
        Column(f"{algorithm.name} {heading}", algorithm, metric=metric)
        for algorithm in algorithms
        for heading, metric in metrics.items()
    )


TABLE_22 = _columns((ALPHA, ADA_150), {"Cost": "cost", "pi": "error", "bar(Delta)": "mean_margin"})
MINIMA = _columns((ALPHA, ADA_150), {"min(Delta)": "least"})
OF_BOTH = {"Size of Ensemble": "size", "pi": "error", "bar(Delta)": "mean_margin"}
TABLE_23 = (
    *_columns((DLP_250,), {**OF_BOTH, "Maximum Change": "max_change"}),
    *_columns((ADA_250,), OF_BOTH),
)
MARGINS = Protocol(f"{TRIALS}:ensemble_margins")
ROUNDS = [1, 2, 3, 5, 7, *range(10, 151, 5)]
CURVES = Protocol(f"{TRIALS}:ensemble_margins", {"rounds": ROUNDS})
CURVE_METRICS = {"costs": "cost", "test_errors": "test error (%)"}
FAMILIES = ("network", "svm", "rbf")
COMPLEXITIES = (1, 2, 4, 8)
TARGETS = {
    (family, factor): engine_target(family, 500, f"{family} target, complexity {factor}", complexity=factor)
    for family in FAMILIES
    for factor in COMPLEXITIES
}
TARGET_STYLES = {
    f"{family}, {name}": {"color": colour, "linestyle": dash}
    for family, colour in zip(FAMILIES, (BLUE, VERMILLION, GREEN), strict=True)
    for name, dash in (("AlphaBoost", "--"), ("AdaBoost", "-"))
}
_table, _figure = partial(Table, "pratap2008"), partial(Figure, "pratap2008")


def _alpha_panels(position, title, row):
    """Margins, cost and error of AlphaBoost and AdaBoost on one set."""
    options = {
        "metrics": CURVE_METRICS,
        "log": False,
        # AlphaBoost starts from AdaBoost's 100 rounds: their margins are what it is compared with.
        "margins_of": (ALPHA.name, ADA_100.name),
        "groups": {"": (ALPHA.name, ADA_150.name)},
    }
    columns, title = (ALPHA, ADA_150, ADA_100), f"AlphaBoost and AdaBoost{title}"
    return _figure(f"2.{position}", title, (row,), columns, CURVES, PANELS, options)


def _dlp_panels(position, label):
    title, columns = f"Margins of DLPBoost and AdaBoost: {label}", (ADA_250, DLP_250)
    return _figure(f"2.{position}", title, (ROWS_23[label],), columns, MARGINS, PANELS)


def _published_22(minima):
    """The minimum margins of Table 2.2, of one repetition of the runs, or all else."""
    for cell in load_published("pratap2008", "2.2"):
        if cell.column.endswith("min(Delta)") == minima:
            yield replace(cell, table="2.2, minima", n_runs=1) if minima else cell


def _published_23():
    """The cells of Table 2.3 with the standard errors of means; see the module's docstring."""
    for cell in load_published("pratap2008", "2.3"):
        right = cell.column.endswith("pi") and cell.error is not None and cell.error >= 0.002
        if cell.error is None or cell.n_runs is None or right:
            yield cell
        else:
            yield replace(cell, error=cell.error * math.sqrt(cell.n_runs))


ORDER_22 = ("pima indian", "cancer", "sonar", "ionosphere", "vote", "cleveland")
ROWS_22, ROWS_23 = _rows("breast"), _rows("wdbc")
NO_VOTE = "Not the voting records: Table 2.3 has an error of 6% and a margin of .44 for them."
LOWER_COST = "Our descent ends a little lower than the published one; the cause is not known."
NO_COST = "Most likely a misprint of .2651: AlphaBoost, which starts from this cost, and the margins agree."
FEW_SPLITS = (
    "A few splits that cannot be separated decide the mean. With all 303 records 30 splits have .034 ± .010."
)
ALL_CLEVELAND = (
    "All 303 records, missing values being one more value, agree: 30 splits have mean margins of .0977 ± .0018 "
    "(AlphaBoost) and .1361 ± .0014 (AdaBoost)."
)
NEARLY_SEPARATED = (
    "On the 683 complete records AlphaBoost comes within .0005 of separating the training set. The means of Table 2.2 "
    "agree better with all 699 records; the minimum was not tried on them."
)
ALL_CANCER = (
    "All 699 records, missing values being one more value, come nearer: 100 splits have costs of .0028 (AlphaBoost) "
    "and .0550 (AdaBoost) and mean margins of .2366 ± .0030 and .2714 ± .0019."
)
MORE_STUMPS = (
    '3.6% more different stumps than published, on the 569 records of wdbc, where the text says "cancer" alone. Error '
    "and mean margin of AdaBoost are 0.4 points and .007 above the published ones, neither of them shown to differ."
)
LOST_DIGIT = "Most likely a misprint of -.0183: it is published in bold, as better than -.0747."
EXCHANGED = "Perhaps a misprint of -.0799: ours is -.080, and .0979 is the mean margin of another row."
DEEPER = "AlphaBoost's descent leaves a larger margin here than published; AdaBoost's agrees."
FEWER_MARGINS = (
    "Complete records give a mean margin of .36, with one or two missing votes .28; published .44."
)
IONOSPHERE = (
    "The objective by cost gives the same size, and few coefficients are small: 102 to 105 in every reading."
)

EXPERIMENT = Experiment(
    name="pratap2008_margins",
    source="pratap2008",
    title="Boosting the margins: AlphaBoost and DLPBoost",
    tables=(
        _table(
            "2.2",
            "AlphaBoost (100 rounds and 50 steps) and AdaBoost (150 rounds)",
            "cost",
            tuple(ROWS_22.values()),
            TABLE_22,
            CURVES,
            unit="as published",
            notes={
                ("vote", "*"): NO_VOTE,
                ("pima indian", "AlphaBoost Cost"): LOWER_COST,
                ("cleveland", "AdaBoost Cost"): NO_COST,
                ("cleveland", "AlphaBoost Cost"): FEW_SPLITS,
                **{("cleveland", f"{name} bar(Delta)"): ALL_CLEVELAND for name in ("AlphaBoost", "AdaBoost")},
                **{
                    ("cancer", f"{name} {what}"): ALL_CANCER
                    for name in ("AlphaBoost", "AdaBoost")
                    for what in ("Cost", "bar(Delta)")
                },
            },
            published=tuple(_published_22(minima=False)),
        ),
        _table(
            "2.2, minima",
            "The least margin of any of 50 runs: AlphaBoost (100 rounds and 50 steps) and AdaBoost (150 rounds)",
            "least",
            tuple(ROWS_22.values()),
            MINIMA,
            Protocol(f"{TRIALS}:least_margin", {"n_splits": 50}),
            unit="margin",
            notes={
                ("vote", "*"): NO_VOTE,
                ("cleveland", "AlphaBoost min(Delta)"): LOST_DIGIT,
                ("pima indian", "AlphaBoost min(Delta)"): EXCHANGED,
                ("cancer", "AlphaBoost min(Delta)"): NEARLY_SEPARATED,
                ("sonar", "AlphaBoost min(Delta)"): DEEPER,
                ("ionosphere", "AlphaBoost min(Delta)"): DEEPER,
            },
            published=tuple(_published_22(minima=True)),
        ),
        _table(
            "2.3",
            "DLPBoost and AdaBoost, 250 rounds",
            "size",
            tuple(ROWS_23.values()),
            TABLE_23,
            MARGINS,
            unit="as published",
            notes={
                ("vote", "DLPBoost bar(Delta)"): FEWER_MARGINS,
                ("vote", "AdaBoost bar(Delta)"): FEWER_MARGINS,
                ("vote", "DLPBoost Maximum Change"): FEWER_MARGINS,
                ("ionosphere", "DLPBoost Size of Ensemble"): IONOSPHERE,
                ("cancer", "AdaBoost Size of Ensemble"): MORE_STUMPS,
            },
            published=tuple(_published_23()),
        ),
    ),
    figures=(
        _figure(
            "2.1",
            "Final cost and test error of AlphaBoost and AdaBoost on targets of the data engine",
            tuple(TARGETS.values()),
            (ALPHA, ADA_150),
            CURVES,
            QUANTITIES,
            {
                "x": {row.label: complexity for (_, complexity), row in TARGETS.items()},
                "series": {row.label: family for (family, _), row in TARGETS.items()},
                "x_label": "complexity factor of the target",
                "metrics": {"cost": "final cost", "error": "test error (share)"},
                "styles": TARGET_STYLES,
            },
        ),
        _alpha_panels(2, " on a typical target", next(iter(TARGETS.values()))),
        *(_alpha_panels(k, f": {label}", ROWS_22[label]) for k, label in enumerate(ORDER_22, start=3)),
        *(_dlp_panels(k, label) for k, label in enumerate(ROWS_23, start=23)),
    ),
    profiles={
        "quick": Profile(n_trials=4, items={"table 2.2, minima": Profile(n_trials=2, rows=("cleveland",))}),
        "full": Profile(
            n_trials=100, items={"table 2.2": Profile(n_trials=50), "table 2.2, minima": Profile(n_trials=20)}
        ),
    },
)
