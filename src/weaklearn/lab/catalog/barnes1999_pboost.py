"""barnes1999: p-boosting. The tests of Table 5.2 that have public data, and Figures 3.3 to 6.5 that come from runs.

Readings of the text that the numbers depend on:

- a ring set is one pool of 5,050 points, of which each trial trains on 50, with flipped labels, and tests on
  the other 5,000, without: nearly what drawing them anew would give;
- the reported error of a trial is the least test error over all rounds; the last round's is recorded too;
- "sloppy" takes AdaBoost's sample weights and normalises only the coefficients; "sloppy, normalised weights" is
  the letter of the text, whose best p comes out higher than reported;
- wpbc (printed wdbc in places) has 33 features with the outcome time; acacia is not public.

The document's tables print settings, not results; its only printed results are in the abstract, which names no
set. They are compared with ring20.
"""

from weaklearn.lab import Algorithm, Column, DataSource, Experiment, Figure, Profile, Protocol, Split, Table

# Registers the protocols that are used below.
from weaklearn.lab import boosting_trials as boosting_trials

P_VALUES = [k / 10 for k in range(5, 21)]
N_ROUNDS = 1000
ROUNDS = [t for t in sorted({round(10 ** (k / 12)) for k in range(37)}) if t <= N_ROUNDS]
NOISE = {"ring0": 0.0, "ring10": 0.1, "ring20": 0.2, "ring30": 0.3}
RING = Split(train_size=50)


def ring(label):
    """A ring set; its noise is the protocol's."""
    return DataSource("ring", RING, kind="artificial", params={"n_samples": 5050}, label=label)


SONAR = DataSource("sonar", Split(train_size=70))
WPBC = DataSource("wpbc", Split(train_size=97))


def adaboost(n_estimators=N_ROUNDS):
    """AdaBoost of stumps."""
    return Algorithm("AdaBoost", "weaklearn.boosting:AdaBoostClassifier", {"n_estimators": n_estimators})


def variant(name, p, n_estimators=N_ROUNDS, **params):
    """One p-boosting algorithm at one p."""
    params = {"variant": name, "p": p, "n_estimators": n_estimators, **params}
    label = f"{name}{', normalised weights' if 'weighting' in params else ''} p={p}"
    return Algorithm(label, "weaklearn.boosting:PBoostClassifier", params)


SLOPPY = tuple(variant("sloppy", p) for p in P_VALUES)
STRICT = tuple(variant("strict", p) for p in P_VALUES)
NAIVE = tuple(variant("naive", p) for p in P_VALUES)
LITERAL = tuple(variant("sloppy", p, weighting="normalised") for p in P_VALUES)
COLUMNS = (adaboost(), *SLOPPY, *STRICT, *NAIVE, *LITERAL)
P_OF = {column.name: column.params["p"] for column in COLUMNS[1:]}
SERIES = {column.name: column.name.rpartition(" p=")[0] for column in COLUMNS[1:]}
GROUPS = {
    "sloppy": [column.name for column in SLOPPY],
    "strict": [column.name for column in STRICT],
    "naive": [column.name for column in NAIVE],
}


def rounds_protocol(noise):
    """All rounds, with this share of flipped training labels."""
    return Protocol("boosted_rounds", {"flip": noise, "rounds": ROUNDS})


def _effect_of_p(label, row, noise):
    return Figure(
        source="barnes1999",
        number=f"6.3 {label}",
        title=f"Best test error against p: {label}",
        rows=(row,),
        columns=COLUMNS,
        protocol=rounds_protocol(noise),
        draw="weaklearn.lab.boosting_trials:quantities",
        options={
            "x": P_OF,
            "series": SERIES,
            "by": "column",
            "metrics": {
                "best_test_error": "best test error (%)",
                "test_error": "test error after the last round (%)",
            },
        },
    )


def _comparison(number, title, metric, label):
    return [
        Figure(
            source="barnes1999",
            number=f"{number} {name}",
            title=f"{title}: {name}",
            rows=(ring(name),),
            columns=COLUMNS,
            protocol=rounds_protocol(noise),
            draw="weaklearn.lab.boosting_trials:best_errors",
            options={"metric": metric, "label": label, "groups": GROUPS},
        )
        for name, noise in NOISE.items()
    ]


RING30 = ring("ring30")
ERRORS = {"test_errors": "test error (%)", "train_errors": "training error (%)"}
SELECTED = tuple(variant(name, p) for name in ("strict", "sloppy") for p in (0.5, 1.0, 1.5))
BEST_SLOPPY = variant("sloppy", 1.0)
QUICK_COLUMNS = (
    "AdaBoost",
    *(f"sloppy p={p}" for p in (0.8, 1.0, 1.2, 1.6)),
    *(f"strict p={p}" for p in (0.5, 0.9, 1.0)),
    "naive p=1.5",
    "sloppy, normalised weights p=1.5",
)


def _drawn(number, title, draw):
    return Figure(
        source="barnes1999",
        number=number,
        title=title,
        rows=(RING30,),
        columns=(adaboost(),),
        protocol=rounds_protocol(0.3),
        draw=f"weaklearn.lab.boosting_trials:{draw}",
    )


EXPERIMENT = Experiment(
    name="barnes1999_pboost",
    source="barnes1999",
    title="Capacity control in boosting using a p-convex hull",
    tables=(
        Table(
            source="barnes1999",
            number="claims",
            title="The results of the abstract, on ring20: least test error over the rounds",
            metric="best_test_error",
            rows=(
                DataSource(
                    "ring",
                    RING,
                    kind="artificial",
                    params={"n_samples": 5050},
                    label="low-dimensional noisy dataset",
                ),
            ),
            columns=(
                Column("AdaBoost test error", adaboost()),
                Column("Best algorithm test error", BEST_SLOPPY),
            ),
            protocol=rounds_protocol(0.2),
            notes={
                (
                    "*",
                    "Best algorithm test error",
                ): "The abstract names neither set nor algorithm; this is sloppy with p = 1, "
                "1,000 rounds. 10,000 rounds come to 20%."
            },
        ),
    ),
    figures=(
        Figure(
            source="barnes1999",
            number="3.7",
            title="AdaBoost overfits noisy rings: ring30",
            rows=(RING30,),
            columns=(adaboost(),),
            protocol=rounds_protocol(0.3),
            draw="weaklearn.lab.boosting_trials:round_curves",
            options={"metrics": ERRORS},
        ),
        _drawn("4.3", "Effect of p on the coefficients of the naive algorithm", "naive_coefficients"),
        _drawn("4.5", "Sample costs of the strict line search", "line_costs"),
        *_comparison(
            "6.1", "Best test error of AdaBoost and p-boosting", "best_test_error", "best test error (%)"
        ),
        *_comparison(
            "6.2", "Rounds to the best test error of AdaBoost and p-boosting", "best_round", "rounds"
        ),
        *(_effect_of_p(name, ring(name), noise) for name, noise in NOISE.items()),
        _effect_of_p("sonar", SONAR, 0.0),
        _effect_of_p("wpbc", WPBC, 0.0),
        Figure(
            source="barnes1999",
            number="6.4",
            title="Test and training error against rounds on ring30",
            rows=(RING30,),
            columns=SELECTED,
            protocol=rounds_protocol(0.3),
            draw="weaklearn.lab.boosting_trials:round_curves",
            options={"metrics": ERRORS},
        ),
        Figure(
            source="barnes1999",
            number="6.5",
            title="Coefficients and training error of single runs on ring30",
            rows=(RING30,),
            columns=(adaboost(), *SELECTED),
            protocol=rounds_protocol(0.3),
            draw="weaklearn.lab.boosting_trials:round_curves",
            options={
                "metrics": {"log_weights": "coefficient (log10)", "train_errors": "training error (%)"},
            },
        ),
    ),
    profiles={
        "quick": Profile(
            n_trials=3,
            columns=(*QUICK_COLUMNS, "AdaBoost test error", "Best algorithm test error"),
            items={
                "figure 6.3 wpbc": Profile(n_trials=0),
                "figure 6.5": Profile(n_trials=1),
                "table claims": Profile(n_trials=10),
            },
        ),
        "full": Profile(n_trials=30, items={"figure 6.5": Profile(n_trials=1)}),
    },
)
