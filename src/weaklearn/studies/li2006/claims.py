"""li2006: Table 4.1, the error bars of Table 3.2, and what the text claims, as cells.

Readings:

- a principal point (c, e) of the one published Yin-Yang set is two cells: the fewest errors that complexity c allows,
  and the least complexity that e errors allow, each compared as the result of one draw;
- "cannot be told apart": the mean contribution of flipped examples is not above that of clean ones by two standard
  errors, with 20,000 permutations;
- chapter 2's claims are those of li2005 and are with them;
- "the small gray disk" is the one of the two that costs more, and has entered when all its examples have;
- a run with the sigmoid cost ends in the round that finds no new stump;
- Figure 3.1's curves are averages: a trial averages ten splits of the network target, then reads the round off;
- the error bars of Table 3.2 are deviations of single trials.
"""

import math
from dataclasses import replace
from functools import partial

from weaklearn.lab import Column, Experiment, Profile, Protocol, Table, load_published
from weaklearn.lab.claims import claim_table
from weaklearn.studies.li2006 import cgboost, complexity, multiclass

TRIALS = "weaklearn.studies.li2006.claims_trials"
PUBLISHED = load_published("li2006")
CLAIMS = [cell for cell in PUBLISHED if cell.table == "claims"]
POINT = "Yin-Yang, principal point"


_table = partial(claim_table, "li2006")
POINT_ROWS = list(dict.fromkeys(cell.row for cell in CLAIMS if POINT in cell.row))
# "section 1.4.3, Yin-Yang, principal point (12, 15)"
POINTS = {row: tuple(map(int, row.rpartition("(")[2].rstrip(")").split(", "))) for row in POINT_ROWS}
PRINCIPAL = Protocol(
    f"{TRIALS}:principal_points",
    {"n_clusters": 32, "max_subsets": 60_000, "points": sorted(set(POINTS.values()))},
)
ONE_DRAW = "One draw, clustered by hand; ours are many draws, clustered by rule."


def _points():
    for row, (complexity_there, errors_there) in POINTS.items():
        place = row.replace("section ", "").replace(" Yin-Yang, principal", "")
        yield _table(
            place,
            f"Yin-Yang, 100 examples: fewest errors at complexity {complexity_there}, least complexity at "
            f"{errors_there} errors",
            (replace(complexity.SMALL_YINYANG, label=row),),
            (
                Column("complexity", complexity.MEASURE, f"complexity at {errors_there}"),
                Column("errors", complexity.MEASURE, f"errors at {complexity_there}"),
            ),
            PRINCIPAL,
            notes={("*", "*"): ONE_DRAW},
        )


FACTS = {"#train": "n_train", "#test": "n_test", "K": "n_classes", "#attribute": "n_features"}
BARS = "roughly error bar"
NO_TEST_SET = "No official test set."
CONSTANT = "One of the 19 attributes is constant; without it there are 18."
UNKNOWN_TARGET = "The target of Figure 3.1 is not published; this is a network of our data engine."


def _error_bars():
    for cell in PUBLISHED:
        if cell.table == "3.2" and cell.row == BARS:
            # A sample deviation of n normal values has this standard error.
            error = cell.value / math.sqrt(2 * ((cell.n_runs or 60) - 1))
            yield replace(cell, table="3.2 error bars", row=cell.column, column=BARS, error=error)


EXPERIMENT = Experiment(
    name="li2006_claims",
    source="li2006",
    title="Data complexity, CGBoost, multiclass boosting: facts about data and claims of the text",
    tables=(
        Table(
            source="li2006",
            number="4.1",
            title="Sizes of the sets",
            metric="n_train",
            rows=tuple(multiclass.ROWS.values()),
            columns=tuple(Column(name, metric=metric) for name, metric in FACTS.items()),
            protocol=Protocol(f"{TRIALS}:multiclass_facts"),
            unit="count",
            deterministic=True,
            notes={
                ("segment", "#attribute"): CONSTANT,
                **{
                    (name, "#test"): NO_TEST_SET
                    for name in multiclass.NAMES
                    if name not in multiclass.OFFICIAL_SIZES
                },
            },
        ),
        Table(
            source="li2006",
            number="3.2 error bars",
            title="Deviation of the test error over ten splits, exponential cost, AnyBoost",
            metric="deviation",
            rows=cgboost.ROWS,
            columns=(Column(BARS, cgboost.booster("AnyBoost", "AnyBoost", "exponential")),),
            protocol=Protocol(f"{TRIALS}:error_deviation", {"n_splits": 10}),
            published=tuple(_error_bars()),
        ),
        *_points(),
        _table(
            "small disks",
            "Yin-Yang, 100 examples: how many are in the small disks",
            (replace(complexity.SMALL_YINYANG, label="section 1.4.3"),),
            (Column("Yin-Yang, number of examples in the two small disks", complexity.MEASURE, "in_disks"),),
            PRINCIPAL,
            notes={("*", "*"): ONE_DRAW},
        ),
        _table(
            "gray disk",
            "Yin-Yang, 100 examples: complexity from which a principal subset contains the dearer small disk",
            (replace(complexity.SMALL_YINYANG, label="section 1.5.4"),),
            (
                Column(
                    "Yin-Yang (100 examples), the examples of the small gray disk enter principal subsets only from "
                    "this complexity on",
                    complexity.MEASURE,
                    "disk_complexity",
                ),
            ),
            PRINCIPAL,
            notes={("*", "*"): ONE_DRAW},
        ),
        _table(
            "alike",
            "Yin-Yang, 400 examples: up to which size flipped and clean examples contribute alike",
            (replace(complexity.YINYANG, label="section 1.5.3"),),
            (
                Column(
                    "largest subset size at which noisy and clean examples cannot be told apart by average "
                    "contribution",
                    complexity.MEASURE,
                    "alike",
                ),
            ),
            Protocol(f"{TRIALS}:alike_sizes", {"flip": 0.1, "n_permutations": 20_000, "n_sizes": 30}),
        ),
        _table(
            "figure 3.1",
            "Rounds with a lower cost of AdaBoost, and of its lowest test error; curves averaged over ten splits",
            (replace(cgboost.TARGETS[0], label="section 3.3.1"),),
            tuple(
                Column(
                    cell.column,
                    cgboost.CONJUGATE[0],
                    "overfits_after" if "overfits" in cell.column else "slower_until",
                )
                for cell in CLAIMS
                if cell.row == "section 3.3.1"
            ),
            Protocol(f"{TRIALS}:average_curves", {"n_splits": 10}),
            unit="round",
            notes={("*", "*"): UNKNOWN_TARGET},
        ),
        _table(
            "sigmoid",
            "The round in which boosting of optimal stumps with the sigmoid cost ends: pima",
            (replace(cgboost.ROWS[0], label="section 3.3.2"),),
            (
                Column(
                    "iteration at which AnyBoost and CGBoost end with the sigmoid cost if the first weak hypothesis is "
                    "optimal",
                    metric="ends_at",
                ),
            ),
            Protocol(f"{TRIALS}:sigmoid_end"),
            unit="round",
        ),
    ),
    profiles={
        "quick": Profile(
            n_trials=2,
            items={
                "table 3.2 error bars": Profile(n_trials=2, rows=("clevel", "cancer")),
            },
        ),
        "full": Profile(
            n_trials=20,
            items={
                "table 3.2 error bars": Profile(n_trials=6),
                "table claims: figure 3.1": Profile(n_trials=13),
            },
        ),
    },
)
