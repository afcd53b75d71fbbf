"""barnes1999: the numbers that the text states outside its tables, and why most of them have no cell of ours.

There are 73, by (row, column) of the published file. Those that are not in ``NOT_COMPARED`` are results or facts
about public data; the tables below compare every one of them.
"""

from dataclasses import replace

from weaklearn.lab import Algorithm, Column, Protocol, Table, load_published
from weaklearn.lab.studies.barnes1999.parts import (
    CURVES,
    N_ROUNDS,
    P_VALUES,
    RINGS,
    SETS,
    TRIALS,
    adaboost,
    ring,
    variant,
)

__all__ = ["CLAIMS", "CLAIM_TABLES", "DATA_TABLES", "NOT_COMPARED"]

CLAIMS = {(cell.row, cell.column): cell for cell in load_published("barnes1999") if cell.table == "claims"}

_SETTING = "a setting of the experiment or of a figure"
_CURVE = "read off a curve, without a rule for where it is read"
_BOUND = "a bound or a range, not a value"
_ACACIA = "acacia is not public"
_OTHERS = "a result of other authors' classifiers"
_INCOMPLETE = "counts records with missing values, which our copy leaves out"
NOT_COMPARED = {
    **{("figure 4.3", f"Naive p, curve {k}"): _SETTING for k in (1, 2, 3)},
    **{
        ("example of section 4.3.3", column): _SETTING
        for column in (
            "Strict p",
            "training samples",
            "iteration t without optimal solution",
            "samples right by h_1",
            "samples right by h_2",
            "samples right then right",
            "samples right then wrong",
            "samples wrong then right",
        )
    },
    ("example of section 4.3.3", "Strict largest p where no minimum always occurred"): _BOUND,
    ("example of section 4.3.3", "Strict smallest p where no minimum did not occur"): _BOUND,
    ("figure 4.5", "Strict smallest p with a well-defined minimum"): _BOUND,
    ("figure 4.5", "Strict p with monotonic increasing cost"): _BOUND,
    ("figure 4.5", "Strict p, third curve"): _SETTING,
    ("table 5.2", "tests run"): _SETTING,
    ("noisy datasets", "Sloppy largest improvement on AdaBoost at the optimal p"): (
        "a maximum over sets that are not named; the table of best p has the improvement on each ring"
    ),
    ("noisy datasets", "Sloppy p below which training is particularly inefficient"): _CURVE,
    ("noisy ring datasets", "Sloppy p* lower end"): _BOUND,
    ("noisy ring datasets", "Sloppy p* upper end"): _BOUND,
    ("low-noise datasets", "Strict and sloppy p* lower bound"): _BOUND,
    ("all datasets", "Strict p below which performance is very poor"): _BOUND,
    ("all datasets", "Strict p with a reasonable hypothesis, lower end"): _BOUND,
    ("all datasets", "Strict p with a reasonable hypothesis, upper end"): _BOUND,
    **{("ring30 (figure 6.4)", f"Sloppy erratic p, {k}"): _CURVE for k in ("first", "second")},
    ("ring30 (figure 6.4)", "Sloppy iterations not sufficient to converge"): _CURVE,
    **{
        ("ring30 (figure 6.5)", column): _SETTING
        for column in (
            "iterations of the single training run",
            "p, black curve",
            "p, dark gray curve",
            "p, light grey curve",
            "Sloppy smallest classifier weight on the scale, log10",
            "Sloppy magnified weight scale upper end, log10",
            "Sloppy magnified weight scale lower end, log10",
        )
    },
    ("ring30 (figure 6.5)", "Strict p = 1.5 iterations until weights drop"): _CURVE,
    ("ring30 (figure 6.5)", "Strict training time over AdaBoost"): _CURVE,
    ("ring30 (figure 6.5)", "Sloppy p = 1 and p = 0.5 kink"): _CURVE,
    ("wdbc", "iterations that one half of the trials make it through"): _SETTING,
    ("equation 6.1", "lambda equivalent to the sloppy algorithm"): _BOUND,
    ("ring", "radius squared"): _SETTING,
    ("ring", "centre, both coordinates"): _SETTING,
    **{key: _ACACIA for key in CLAIMS if key[0] == "acacia"},
    **{key: _OTHERS for key in CLAIMS if key[0] == "sonar" and key[1].startswith("Neural")},
    **{
        ("wdbc", column): _INCOMPLETE
        for column in (
            "samples with missing attributes included",
            "non-recurring",
            "recurring",
            "samples with a missing attribute",
        )
    },
}


def claims(number, keys):
    """Some of the claims as the published cells of a table of ours."""
    return tuple(replace(CLAIMS[key], table=number) for key in keys)


FACTS = Protocol(f"{TRIALS}:data_facts")
SIZES_51 = {"I (dimension)": "n_features", "Size": "n_samples"}
NO_TEST_TIME = "33 with the outcome time, as Table 5.1 has it."
COUNTED = {"samples": "n_samples", "attributes": "n_features"}
MINES = {"cylinders": "first_class", "rocks": "second_class"}


def _facts(metrics):
    return tuple(Column(name, metric=metric) for name, metric in metrics.items())


def _published_51():
    """What Table 5.1 says of the real sets themselves; wpbc, called wdbc there, by its name."""
    for cell in load_published("barnes1999"):
        if cell.table == "5.1" and cell.column in SIZES_51 and not cell.row.startswith("ring"):
            note = "acacia is not public." if cell.row == "acacia" else cell.note
            yield replace(cell, row="wpbc" if cell.row == "wdbc" else cell.row, note=note)


def _sweep(name):
    return Algorithm(name, "weaklearn.boosting:PBoostClassifier", {"variant": name, "n_estimators": N_ROUNDS})


DATA_TABLES = (
    Table(
        source="barnes1999",
        number="5.1",
        title="Sizes of the real sets; rings, noise and splits are settings",
        metric="n_samples",
        rows=(SETS["sonar"], SETS["wpbc"]),
        columns=_facts(SIZES_51),
        protocol=FACTS,
        unit="as published",
        deterministic=True,
        published=tuple(_published_51()),
    ),
    Table(
        source="barnes1999",
        number="claims: sonar",
        title="Appendix C.3",
        metric="n_samples",
        rows=(SETS["sonar"],),
        columns=_facts({**COUNTED, **MINES}),
        protocol=FACTS,
        unit="as published",
        deterministic=True,
        published=claims("claims: sonar", [("sonar", name) for name in (*COUNTED, *MINES)]),
    ),
    Table(
        source="barnes1999",
        number="claims: wpbc",
        title="Appendix C.4",
        metric="n_samples",
        rows=(replace(SETS["wpbc"], label="wdbc"),),
        columns=_facts(COUNTED),
        protocol=FACTS,
        unit="as published",
        deterministic=True,
        notes={("*", "attributes"): NO_TEST_TIME},
        published=claims("claims: wpbc", [("wdbc", name) for name in COUNTED]),
    ),
)
ABSTRACT = "low-dimensional noisy dataset"
CLAIM_TABLES = (
    Table(
        source="barnes1999",
        number="claims: abstract",
        title="The errors of the abstract, on ring20: least test error over the rounds",
        metric="best_test_error",
        rows=(ring("ring20", ABSTRACT),),
        columns=(
            Column("AdaBoost test error", adaboost()),
            Column("Best algorithm test error", variant("sloppy", 1.0)),
        ),
        protocol=CURVES,
        notes={
            (
                "*",
                "Best algorithm test error",
            ): "The abstract names neither set nor algorithm; this is sloppy with p = 1, 1,000 rounds. "
            "Test 27 has 10,000 rounds."
        },
        published=claims("claims: abstract", [key for key in CLAIMS if key[0] == ABSTRACT]),
    ),
    Table(
        source="barnes1999",
        number="claims: best p",
        title="The p of least error in repetitions of the tests, 1,000 rounds and 30 splits each; improvement on "
        "AdaBoost in percent of its error",
        metric="best_p",
        rows=(ring("ring0", "ring0 and sonar"), *(SETS[name] for name in RINGS[1:])),
        columns=(
            Column("Sloppy p*", _sweep("sloppy")),
            Column("Sloppy improvement", _sweep("sloppy"), metric="improvement"),
            Column("Strict p*", _sweep("strict")),
            Column("Strict improvement", _sweep("strict"), metric="improvement"),
        ),
        protocol=Protocol(f"{TRIALS}:best_p", {"p_values": P_VALUES, "n_splits": 30}),
        unit="p",
        notes={("ring0 and sonar", "*"): "ring0 alone, p up to 2: the text expects the best beyond."},
        published=(
            *claims("claims: best p", [("ring30", "Sloppy p*"), ("ring30", "Strict p*")]),
            *(
                replace(cell, column="Sloppy p*")
                for cell in claims("claims: best p", [("ring0 and sonar", "Sloppy p* lower bound")])
            ),
        ),
    ),
    Table(
        source="barnes1999",
        number="claims: ends of runs",
        title="Rounds before strict boosting with p = 0.5 ends on ring30",
        metric="n_rounds",
        rows=(ring("ring30", "ring30 (figure 6.5)"),),
        columns=(Column("Strict p = 0.5 iterations before abort", variant("strict", 0.5)),),
        protocol=CURVES,
        unit="rounds",
        published=claims(
            "claims: ends of runs", [("ring30 (figure 6.5)", "Strict p = 0.5 iterations before abort")]
        ),
    ),
    Table(
        source="barnes1999",
        number="claims: hard data",
        title="The share of AdaBoost's trials on wpbc that made 1,000 rounds",
        metric="reached_1000",
        rows=(replace(SETS["wpbc"], label="wdbc"),),
        columns=(Column("trials making it through 1000 iterations", adaboost(10000)),),
        protocol=CURVES,
        unit="share",
        published=claims("claims: hard data", [("wdbc", "trials making it through 1000 iterations")]),
    ),
)
