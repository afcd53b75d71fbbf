"""How many answers a precision takes: by simulated experiments, as plain data and as a figure."""

from pathlib import Path
from typing import Any

from weaklearn.adaptive import TrialPlan, plan_trials
from weaklearn.display import legend_below, new_panel
from weaklearn.display.palette import BLUE, GREY, VERMILLION
from weaklearn.thresholds._observer import observer_for
from weaklearn.thresholds._options import FieldErrors
from weaklearn.thresholds._setup import Setup

__all__ = ["plan_document", "plan_figure", "plan_for"]

_MARKS = (5, 10, 15, 20, 30, 40, 60, 80, 100, 120, 160, 200, 300)


def plan_for(
    setup: Setup, *, runs: int = 100, max_answers: int = 120, seed: int = 0, progress=None
) -> TrialPlan:
    """Simulate ``runs`` experiments of up to ``max_answers`` answers with a guess of the curve."""
    if setup.width is None:
        raise FieldErrors({"width": "to plan, say how narrow the 90% interval should be"})
    return plan_trials(
        setup.make_sampler(seed),
        observer_for(setup),
        setup.width,
        n_runs=runs,
        max_answers=max_answers,
        random_state=seed,
        progress=progress,
    )


def plan_document(plan: TrialPlan) -> dict[str, Any]:
    """The plan as plain data."""
    last = len(plan.n_answers)
    places = [n for n in _MARKS if n < last] + [last]
    return {
        "sentence": plan.sentence(),
        "needed": plan.needed,
        "width": plan.width,
        "share": plan.share,
        "confidence": plan.confidence,
        "rows": [
            {
                "answers": n,
                "width": float(plan.typical_width[n - 1]),
                "rmse": float(plan.rmse[n - 1]),
                "coverage": float(plan.coverage[n - 1]),
            }
            for n in places
        ],
    }


def plan_figure(plan: TrialPlan, path: Path | None = None):
    """The width that most experiments stay below, and the error, against the number of answers."""
    figure, axes = new_panel(xlabel="answers", ylabel="in units of the levels", size=(6.4, 4.2))
    label = f"interval, {plan.share:.0%} of the experiments"
    axes.plot(plan.n_answers, plan.typical_width, color=BLUE, label=label)
    axes.plot(plan.n_answers, plan.rmse, color=GREY, label="root mean squared error")
    axes.axhline(plan.width, color=VERMILLION, linestyle=":", label="wanted width")
    if plan.needed is not None:
        axes.axvline(plan.needed, color=VERMILLION, linestyle="--", label=f"{plan.needed} answers")
    axes.set_ylim(bottom=0)
    axes.set_xlim(0, plan.n_answers[-1])
    legend_below(figure, columns=2)
    if path is not None:
        figure.savefig(path, dpi=120)
    return figure
