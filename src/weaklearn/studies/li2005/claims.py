"""li2005: what its sentences say about the learners, as cells; Tables 2 to 4 and the figures are in `perceptrons`.

Readings:

- a claim about two curves of a figure is about their difference on the same split: "significantly lower" is a bound of
  0, "no significant difference" the value 0;
- "at the beginning" is after 10 of the 2,000 epochs; claims on Figure 2 are about the start from zero;
- in claims about all data sets the sets take turns: trial k is on set k mod 12;
- "lowest for most data sets" is counted in small repetitions of the tables, and equal errors count as lowest;
- li2006, chapter 2, repeats some of the claims: these are tables of li2006 here, with the same trials.
"""

from dataclasses import replace
from functools import partial

from weaklearn.lab import Algorithm, Column, Experiment, Profile, Protocol, Row, load_published
from weaklearn.lab.claims import claim_table
from weaklearn.studies.li2005.perceptrons import (
    ENSEMBLES,
    PIMA,
    ROWS,
    SINGLE,
    averaged_perceptrons,
    learners,
    variants,
)

TRIALS = "weaklearn.studies.li2005.claims_trials"
CLAIMS = [cell for cell in load_published("li2005") if cell.table == "claims"]
ALL_SETS = "all data sets"
BEGINNING = 10
SOURCES = [row.data.describe() for row in ROWS if row.data is not None]
BY_NAME = {ensemble.name: ensemble for ensemble in ENSEMBLES}


def _contest(name, members):
    return Algorithm(
        name,
        f"{TRIALS}:Contest",
        {"members": {member.name: member for member in members}},
        id="weaklearn.lab.studies.li2005.claims_trials:Contest",
    )


_table = partial(claim_table, "li2005")


def _of_figure(number, title, members, prefix=""):
    """Claims "a minus b, measure" about the curves of a figure."""
    row = replace(PIMA, label=f"pima (figure {number})")
    cells = [cell for cell in CLAIMS if cell.row == row.label]
    pairs = dict.fromkeys(
        tuple(cell.column.removeprefix(prefix).split(", ")[0].split(" minus ")) for cell in cells
    )
    contest = _contest(f"figure {number}", members)
    protocol = Protocol(
        f"{TRIALS}:final_differences", {"pairs": [list(pair) for pair in pairs], "early": BEGINNING}
    )
    columns = tuple(Column(cell.column, contest, cell.column.removeprefix(prefix)) for cell in cells)
    return _table(f"figure {number}", title, (row,), columns, protocol, unit="percent")


def _evaluations():
    for init, start in (("zero", "zero start"), ("fld", "FLD start")):
        pocket = next(learner for learner in learners(init) if learner.name == "pocket")
        yield Column(f"pocket training error computations in 2000 epochs, {start}", pocket, "evaluations")


DIFFERENCES = {"training error": "train_error", "test error": "test_error", "rounds": "n_rounds"}
WEIGHTED = ("pocket", "ave-perc", "SGD-hinge", "SGD-mls")
ONLY_YINYANG = "The mean hides one set: pocket on yinyang has 3.0 with reweighting and 4.5 with resampling."
FEW_SPLITS = "Counted on few splits: sets on which two learners are close fall to either side."
NOT_ALWAYS = "Pocket never reaches it on german and rarely on pima; RCD and RCD-bias always do."

TABLES = (
    _table(
        "pocket",
        "How often pocket computes the training error of all examples",
        (PIMA,),
        tuple(_evaluations()),
        Protocol("holdout", {"metrics": {"evaluations": "n_error_evaluations_"}}),
        unit="count",
    ),
    _of_figure("1", "Variants of RCD from zero and from Fisher's discriminant (FLD)", list(variants())),
    _of_figure(
        "2",
        "Orders of presentation of the averaged perceptron, from zero",
        list(averaged_perceptrons()),
        "averaged perceptron, ",
    ),
    _of_figure("3", "Five learners", learners("fld")),
    _table(
        "ensembles",
        "Rounds and training error of ensembles, the sets in turn",
        (Row(ALL_SETS),),
        tuple(
            Column(f"AdaBoost {what} with {name}", BY_NAME[name], metric)
            for name in ("RCD", "RCD-bias", "pocket")
            for what, metric in (("rounds", "n_rounds"), ("final training error", "train_error"))
        ),
        Protocol(f"{TRIALS}:boosted_in_turn", {"sources": SOURCES}),
        notes={("*", "AdaBoost final training error with pocket"): NOT_ALWAYS},
    ),
    _table(
        "resampling",
        "Resampling minus reweighting, the sets in turn",
        (Row(ALL_SETS),),
        tuple(
            Column(f"AdaBoost with {name}, resampling minus reweighting: {what}", BY_NAME[name], metric)
            for name in WEIGHTED
            for what, metric in DIFFERENCES.items()
        ),
        Protocol(f"{TRIALS}:resampling_in_turn", {"sources": SOURCES}),
        notes={("*", "AdaBoost with pocket, resampling minus reweighting: test error"): ONLY_YINYANG},
    ),
    _table(
        "lowest",
        "On how many sets RCD or RCD-bias has the lowest error, in repetitions of Tables 2 and 3 with 10 splits",
        (Row(ALL_SETS),),
        tuple(
            Column(
                f"data sets where RCD or RCD-bias has the lowest {part} error",
                _contest("single", SINGLE),
                metric,
            )
            for part, metric in (("training", "train"), ("test", "test"))
        ),
        Protocol(
            f"{TRIALS}:lowest_counts", {"sources": SOURCES, "ours": ["RCD", "RCD-bias"], "n_splits": 10}
        ),
        unit="count",
        notes={("*", "*"): FEW_SPLITS},
    ),
    _table(
        "lowest of ensembles",
        "Share of sets on which RCD, RCD-bias or pocket has the lowest error, repetitions of Table 4 with 3 splits",
        (Row(ALL_SETS),),
        (
            Column(
                "share of data sets where AdaBoost with RCD, RCD-bias or pocket has the lowest test error",
                _contest("ensembles", ENSEMBLES),
                "test_share",
            ),
        ),
        Protocol(
            f"{TRIALS}:lowest_counts",
            {"sources": SOURCES, "ours": ["RCD", "RCD-bias", "pocket"], "n_splits": 3},
        ),
        unit="share",
        notes={("*", "*"): FEW_SPLITS},
    ),
)


def _repeated(name, renamed, notes=None):
    """Claims that li2006 repeats: the trials of a table above, under the names that the claims have there."""
    (table,) = (table for table in TABLES if table.number == f"claims: {name}")
    columns = {column.name: column for column in table.columns}
    cells = [cell for cell in load_published("li2006") if cell.table == "claims" and cell.column in renamed]
    number = f"claims: chapter 2, {name}"
    return replace(
        table,
        source="li2006",
        number=number,
        rows=(replace(table.rows[0], label=cells[0].row),),
        columns=tuple(replace(columns[there], name=here) for here, there in renamed.items()),
        notes=notes or {},
        published=tuple(replace(cell, table=number) for cell in cells),
    )


POCKET_2006 = "pocket on pima, average number of training error computations in 2000 epochs, "
LOWEST_2006 = "number of data sets where RCD or RCD-bias has the lowest test error (ringnorm and yinyang)"
ROUNDS_2006 = "AdaBoost iterations reached with RCD, RCD-bias and pocket (no early stop)"
ERROR_2006 = "final training error of AdaBoost with RCD and RCD-bias, always (with pocket almost always)"
REPEATED = (
    _repeated(
        "pocket",
        {
            f"{POCKET_2006}{start} initial vector": f"pocket training error computations in 2000 epochs, {start} start"
            for start in ("zero", "FLD")
        },
    ),
    _repeated(
        "lowest",
        {LOWEST_2006: "data sets where RCD or RCD-bias has the lowest test error"},
        {("*", "*"): FEW_SPLITS},
    ),
    _repeated(
        "ensembles",
        {
            ROUNDS_2006: "AdaBoost rounds with pocket",
            ERROR_2006: "AdaBoost final training error with RCD",
        },
        {
            ("*", ROUNDS_2006): "All three learners are meant; this is pocket, the only one in doubt.",
            ("*", ERROR_2006): "RCD and RCD-bias are meant; this is RCD.",
        },
    ),
)

EXPERIMENT = Experiment(
    name="li2005_claims",
    source="li2005",
    title="Perceptron learning with random coordinate descent: claims of the text",
    tables=(*TABLES, *REPEATED),
    profiles={
        "quick": Profile(
            n_trials=3,
            items={
                f"table claims: {name}": Profile(n_trials=0)
                for name in (
                    "ensembles",
                    "resampling",
                    "lowest",
                    "lowest of ensembles",
                    "chapter 2, lowest",
                    "chapter 2, ensembles",
                )
            },
        ),
        "full": Profile(
            n_trials=500,
            items={
                "table claims: lowest": Profile(n_trials=5),
                "table claims: chapter 2, lowest": Profile(n_trials=5),
                "table claims: lowest of ensembles": Profile(n_trials=3),
            },
        ),
    },
)
