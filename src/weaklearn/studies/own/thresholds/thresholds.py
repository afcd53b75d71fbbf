"""Thresholds and doses: our samplers beside what laboratories use; no published counterpart.

Tables 1 and 2: mean squared error after 30 and 60 answers on 21 yes/no curves, three steps between two levels and six
curves with guessing or lapses. Table 3: how often nominal 90% intervals of the default sampler hold the truth. Table 4:
dose escalation beside the continual reassessment method. Tables 5 and 6: the same for six unusual curves, among them
one that moves, with a fit of a normal curve to the same answers. A trial is 20 experiments (50 dose-finding trials), in
which all methods meet the same luck.
"""

from weaklearn.lab import Column, Experiment, Figure, Profile, Protocol, Row
from weaklearn.studies.own.hypotheses import own_algorithm, own_table
from weaklearn.studies.own.thresholds.curve_cases import CASES, UNUSUAL
from weaklearn.studies.own.thresholds.dose_scenarios import SCENARIOS

_HERE = "weaklearn.studies.own.thresholds"
POINTS, WIDTHS = (30, 60), (0.15, 0.25)


OURS = own_algorithm("PosteriorMinEnt", "thresholds.threshold_trials:DefaultSampler", version=2)
BASELINES = (
    own_algorithm("QUEST+", "thresholds.baseline_trials:QuestPlusInStep"),
    own_algorithm("weighted staircase", "thresholds.baseline_trials:WeightedStaircase"),
    own_algorithm("Robbins-Monro", "thresholds.baseline_trials:RobbinsMonro"),
)
DOSE_ESCALATION = own_algorithm("DoseEscalation", "thresholds.dose_trials:DefaultEscalation", version=3)
CRM = own_algorithm("CRM", "thresholds.dose_trials:ContinualReassessment")

_SOUGHT = Protocol(
    f"{_HERE}.threshold_trials:sought", {"n_runs": 20, "points": list(POINTS), "widths": list(WIDTHS)}
)
_AFTER = {"1": 30, "2": 60}  # answers, by table and figure
_NOTES = {"drift": "drift", "misfit": "not S-shaped", "outside": "outside"}
_ROWS = tuple(Row(name, setting={"case": name}) for name in CASES)
_UNUSUAL = tuple(Row(name, setting={"case": name}) for name in UNUSUAL)


def _stopped():
    """Columns about the moment at which `IntervalWidth` stops."""
    for width in WIDTHS:
        yield Column(f"stopped at width {width:g}", OURS, f"covered_at_{width:g}")
        yield Column(f"answers until width {width:g}", OURS, f"answers_at_{width:g}")


EXPERIMENT = Experiment(
    name="thresholds",
    source="weaklearn",
    title="Thresholds and doses with few answers",
    tables=(
        *(
            own_table(
                number,
                f"Mean squared error of the threshold times 1000 after {n} answers",
                f"error_{n}",
                _ROWS,
                (OURS, *BASELINES, Column("bias of PosteriorMinEnt", OURS, f"bias_{n}")),
                _SOUGHT,
                unit="",
            )
            for number, n in _AFTER.items()
        ),
        own_table(
            "3",
            "How often nominal 90% intervals hold the truth",
            "covered_30",
            _ROWS,
            (*(Column(f"after {n} answers", OURS, f"covered_{n}") for n in POINTS), *_stopped()),
            _SOUGHT,
        ),
        own_table(
            "4",
            "Five doses, 30 patients in cohorts of three, target 30%",
            "right",
            tuple(Row(name, setting={"scenario": name}) for name in SCENARIOS),
            tuple(
                Column(f"{words}: {method.name}", method, metric)
                for metric, words in (("right", "right dose"), ("overdosed", "overdosed patients"))
                for method in (DOSE_ESCALATION, CRM)
            ),
            Protocol(f"{_HERE}.dose_trials:treated", {"n_runs": 50}),
        ),
        own_table(
            "5",
            "Unusual curves: mean squared error times 1000, and bias",
            "error_60",
            _UNUSUAL,
            tuple(
                Column(f"{words} {n}: {name}", method, f"{prefix}{metric}_{n}")
                for metric, words in (("error", "error"), ("bias", "bias"))
                for n in POINTS
                for name, method, prefix in (
                    (OURS.name, OURS, ""),
                    ("normal fit of its answers", OURS, "fit_"),
                    *((method.name, method, "") for method in BASELINES),
                )
            ),
            _SOUGHT,
            unit="",
        ),
        own_table(
            "6",
            "Unusual curves: coverage of nominal 90% intervals, and what is said",
            "covered_60",
            _UNUSUAL,
            (
                *(Column(f"after {n} answers", OURS, f"covered_{n}") for n in POINTS),
                *_stopped(),
                *(Column(f"normal fit, {n} answers", OURS, f"fit_covered_{n}") for n in POINTS),
                *(
                    Column(f"{what} said, {n} answers", OURS, f"{metric}_{n}")
                    for metric, what in _NOTES.items()
                    for n in POINTS
                ),
                *(Column(f"error x 1000 of now, {n} answers", OURS, f"now_error_{n}") for n in POINTS),
            ),
            _SOUGHT,
        ),
    ),
    figures=tuple(
        Figure(
            "weaklearn",
            number,
            f"Mean squared error over the least of all methods after {n} answers",
            _ROWS,
            (OURS, *BASELINES),
            _SOUGHT,
            f"{_HERE}.threshold_drawings:over_the_least",
            {"metric": f"error_{n}"},
        )
        for number, n in _AFTER.items()
    ),
    profiles={
        "quick": Profile(
            n_trials=1,
            rows=("logistic 50%", "two steps 50%"),
            items={
                "table 4": Profile(n_trials=1, rows=("steep, dose 3",)),
                **dict.fromkeys(("table 5", "table 6"), Profile(n_trials=1, rows=("drift",))),
            },
        ),
        # 1,000 experiments per case: the ratio of two errors is then uncertain by 4% or so, not by 10% as with 200.
        "full": Profile(
            n_trials=50,
            items={
                "table 4": Profile(n_trials=80),
                **dict.fromkeys(("table 5", "table 6"), Profile(n_trials=15)),
            },
        ),
    },
)
