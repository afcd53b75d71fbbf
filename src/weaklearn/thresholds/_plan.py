"""How many answers a precision takes: experiments with a simulated observer, as plain data, figure and job."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from weaklearn.adaptive import (
    DEFAULT_SAMPLER,
    SAMPLERS,
    TrialPlan,
    guess_rate_of,
    plan_trials,
    suggested_scale,
)
from weaklearn.display import legend_below, new_panel
from weaklearn.display.palette import BLUE, GREY, VERMILLION
from weaklearn.monotone import Crossing
from weaklearn.reports import inline_figure
from weaklearn.thresholds._options import FieldErrors
from weaklearn.thresholds._setup import Setup, read_setup
from weaklearn.thresholds._wording import number
from weaklearn.web import JobError, Work

_MARKS = (5, 10, 15, 20, 30, 40, 60, 80, 100, 120, 160, 200, 300)

# Where nothing is said: neither in the middle nor at a level, and as steep as trained people are.
_PLACE, _SPREAD, _LAPSE = 0.43, 0.05, 0.02


class _Observer:
    """Says yes with a probability that is logistic in the level, or in its logarithm.

    It is halfway between guessing and lapsing at ``threshold``; ``spread`` is the scale of the curve, in units of the
    levels or of their natural logarithm.
    """

    def __init__(self, threshold, spread, guess, lapse, log, increasing):
        self.threshold, self.spread, self.guess, self.lapse = threshold, spread, guess, lapse
        self.log, self.increasing = log, increasing

    def __call__(self, levels):
        """The probability of yes."""
        x = np.asarray(levels, dtype=float)
        away = np.log(x / self.threshold) if self.log else x - self.threshold
        rise = 0.5 * (1 + np.tanh((1 if self.increasing else -1) * away / (2 * self.spread)))
        return self.guess + (1 - self.guess - self.lapse) * rise

    def answers(self, seed: int) -> Callable[[float], bool]:
        """A function of the level that gives random answers, from a seed of its own."""
        rng = np.random.default_rng([seed, 1])
        return lambda level: bool(rng.random() < float(self(level)))

    def threshold_of(self, functional, low: float, high: float) -> float:
        """The true threshold; that of a crossing may lie outside the levels, infinitely far if it is not reached."""
        if not isinstance(functional, Crossing):
            return functional(self, low, high)
        share = (functional.level - self.guess) / (1 - self.guess - self.lapse)
        if not 0 < share < 1:
            return math.inf
        away = self.spread * math.log(share / (1 - share)) * (1 if self.increasing else -1)
        return self.threshold * math.exp(away) if self.log else self.threshold + away


def observer_for(setup: Setup) -> _Observer:
    """The observer for these settings; what is not given is chosen from the range of the levels."""
    low, high = setup.levels[0], setup.levels[-1]
    threshold, spread, scale = setup.truth, setup.spread, setup.params.get("scale")
    if scale is None and SAMPLERS[setup.sampler].takes("scale"):
        scale = suggested_scale(setup.levels)
    log = scale == "log"
    if threshold is None:
        threshold = low * (high / low) ** _PLACE if log else low + _PLACE * (high - low)
    if log and threshold <= 0:
        raise FieldErrors({"truth": f"on a log scale a threshold is positive, got {threshold:g}"})
    if spread is None:
        spread = _SPREAD * (math.log(high / low) if log else high - low)
    guess = guess_rate_of(setup.task) if setup.task else 0.0
    return _Observer(threshold, spread, guess, _LAPSE, log, setup.increasing)


def plan_for(
    setup: Setup, *, runs: int = 100, max_answers: int = 120, seed: int = 0, progress=None
) -> TrialPlan:
    """Simulate ``runs`` experiments of up to ``max_answers`` answers with a guess of the curve."""
    width = _wanted_width(setup)
    return plan_trials(
        setup.make_sampler(seed),
        observer_for(setup),
        width,
        n_runs=runs,
        max_answers=max_answers,
        random_state=seed,
        progress=progress,
    )


def _wanted_width(setup: Setup) -> float:
    if setup.width is None:
        raise FieldErrors({"width": "to plan, say how narrow the 90% interval should be"})
    return setup.width


def preview(setup: Setup) -> str:
    """What 30 and 60 answers buy, as a sentence."""
    if setup.sampler != DEFAULT_SAMPLER:
        return f"For {setup.sampler}, simulate under More: How many answers will it take?"
    observer, span = observer_for(setup), setup.levels[-1] - setup.levels[0]
    found = plan_trials(setup.make_sampler(0), observer, span, n_runs=24, max_answers=60, random_state=0)
    first, last = (number(width, width) for width in found.typical_width[[29, 59]])
    place = number(observer.threshold, span / 10)
    return (
        f"30 answers give a 90% interval at most {first} wide, 60 answers one at most {last} wide, in 4 of 5 simulated "
        f"experiments with a practised observer whose threshold is {place}."
    )


def check_plan(setup: Setup) -> None:
    """ValueError if experiments with these settings cannot be simulated."""
    _wanted_width(setup)
    observer_for(setup)
    setup.make_sampler(0).ask()


def run_plan(work: Work) -> None:
    """The work of a job whose settings are what was typed: 60 experiments of up to 120 answers, for the page."""

    def progress(done: int, total: int) -> None:
        work.report(done=done, total=total, text="Simulating experiments with these settings")

    try:
        found = plan_for(read_setup(work.settings), runs=60, progress=progress)
    except ValueError as error:
        raise JobError(str(error)) from None
    drawing = inline_figure(plan_figure(found), "plan", found.sentence())
    document = {**plan_document(found), "drawing": drawing}
    (work.result / "page.json").write_text(json.dumps(document), encoding="utf-8")


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
