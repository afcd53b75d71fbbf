"""li2005: trials that sentences of the text need besides those of Tables 2 to 4; what is claimed is in `claims`.

The tables have names here, as the text has no tables of these numbers:

- *variants*, *orders*: the learners of Figures 1 and 2 at the end and "at the beginning", after 10 of 2,000 epochs;
- *ROMMA*: the two algorithms that the text leaves out, beside those of Table 2; *oscillation*: their last 100 epochs;
- *pocket*: how often pocket computes the training error;
- *reweighting* and *FLD start*: Table 4 with the other way to take weights, and with the other start;
- *cost*: CPU time per epoch;
- *draws*, *draws of ensembles*: learners on artificial sets that are drawn anew, for the errors of Tables 2 to 4.
"""

from dataclasses import replace
from functools import partial

from weaklearn.lab import Algorithm, Column, Experiment, Profile, Protocol, Row, Table
from weaklearn.studies.li2005.perceptrons import (
    ENSEMBLES,
    PIMA,
    ROWS,
    SINGLE,
    WEIGHTED,
    averaged_perceptrons,
    boosted,
    learners,
    resampled,
    variants,
)

TRIALS = "weaklearn.studies.li2005.trials"
BEGINNING, LAST = 10, 100
PATH = Protocol(f"{TRIALS}:along_the_path", {"early": BEGINNING, "last": LAST})
HOLDOUT = Protocol("holdout")
ARTIFICIAL = tuple(row for row in ROWS if row.kind == "artificial")
SMALL, WIDE, LONG = "500 x 10", "500 x 80", "16,000 x 10"


def _table(number, title, columns, metric="test_error", rows=ROWS, protocol=HOLDOUT, **options):
    return Table("li2005", number, title, metric, rows, tuple(columns), protocol, **options)


_on_pima = partial(_table, metric="train_error", rows=(PIMA,), protocol=PATH)


def romma(order="random"):
    """ROMMA and its aggressive form."""
    suffix = "" if order == "random" else f", {order}"
    for name, aggressive in (("ROMMA", False), ("aggressive ROMMA", True)):
        params = {"aggressive": aggressive, "order": order}
        yield Algorithm(name + suffix, "weaklearn.linear:ROMMA", params)


def _evaluations():
    for init, start in (("zero", "zero start"), ("fld", "FLD start")):
        pocket = next(learner for learner in learners(init) if learner.name == "pocket")
        yield Column(f"pocket training error computations in 2000 epochs, {start}", pocket, "evaluations")


def _problem(label, n_samples, n_features):
    return Row(
        label, setting={"n_samples": n_samples, "n_features": n_features, "epochs": 200, "init": "zero"}
    )


TABLES = (
    _on_pima("variants", "Variants of RCD from zero and from Fisher's discriminant (FLD)", variants()),
    _on_pima("orders", "Orders of presentation of the averaged perceptron", averaged_perceptrons()),
    _table(
        "ROMMA",
        "ROMMA beside the learners of Table 2: training error",
        (*romma(), *SINGLE[:-1]),
        "train_error",
    ),
    _on_pima(
        "oscillation",
        "Standard deviation of the training error over the last 100 epochs",
        (*romma(), *romma("cyclic")),
        metric="swing",
    ),
    _table(
        "claims: pocket",
        "How often pocket computes the training error of all examples",
        _evaluations(),
        "evaluations",
        (PIMA,),
        Protocol("holdout", {"metrics": {"evaluations": "n_error_evaluations_"}}),
        unit="count",
        kind="stated",
    ),
    _table(
        "reweighting",
        "AdaBoost as in Table 4 with learners that use the weights: test error",
        (boosted(learner) for learner in learners("zero", max_iter=200) if learner.name in WEIGHTED),
    ),
    _table("FLD start", "AdaBoost as in Table 4 from Fisher's discriminant: test error", resampled("fld")),
    _table(
        "cost",
        "CPU time per epoch",
        (Column(name, metric=name) for name in ("RCD", "averaged", "pocket", "operation")),
        "RCD",
        (
            replace(PIMA, setting={"epochs": 2000, "init": "fld"}),
            _problem(SMALL, 500, 10),
            _problem(WIDE, 500, 80),
            _problem(LONG, 16_000, 10),
        ),
        Protocol(f"{TRIALS}:cost_of_epochs"),
        unit="microseconds",
    ),
    _table(
        "draws",
        "The learners of Table 2 on new draws of the artificial sets, 10 splits each: training error",
        SINGLE,
        "train_error",
        ARTIFICIAL,
        Protocol(f"{TRIALS}:new_draw", {"n_splits": 10}),
    ),
    _table(
        "draws of ensembles",
        "The ensembles of Table 4 on new draws of the artificial sets, 4 splits each: test error",
        ENSEMBLES,
        rows=ARTIFICIAL,
        protocol=Protocol(f"{TRIALS}:new_draw", {"n_splits": 4}),
    ),
)

EXPERIMENT = Experiment(
    name="li2005_text",
    source="li2005",
    title="Perceptron learning with random coordinate descent: sentences of the text",
    tables=TABLES,
    profiles={"quick": Profile(n_trials=2), "full": Profile(n_trials=500)},
)
