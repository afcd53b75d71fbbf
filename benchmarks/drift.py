"""Thresholds that move and thresholds that stay: how often `drift_` and `misfit_` say something.

    python -m benchmarks.drift                                              # the tables of docs/thresholds.md
    python -m benchmarks.drift --figure docs/figures/threshold_drift.png    # and their figure
    python -m benchmarks.drift --runs 5                                     # a rough look

Moving: a logistic curve on the levels 0 to 10, whose threshold goes evenly from 3.5 to another place in the session.
Still: the curves of ``weaklearn.studies.own.thresholds``, both notes looked at after every answer. Bump: a curve that
rises at 0.35 and comes down again around 0.6.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from scipy.special import expit

from weaklearn.adaptive import PosteriorMinEnt
from weaklearn.display import legend_below, new_panel
from weaklearn.display.palette import COLOURS, GREY
from weaklearn.monotone import Crossing
from weaklearn.studies.own.thresholds.curve_cases import CASES, LEVELS

N_ANSWERS, LENGTHS = 60, (30, 60, 90, 120)
FROM, TO, SCALES = 3.5, (4.0, 4.5, 5.0, 6.5), (0.2, 0.5, 1.0)
DEPTHS = (0.3, 0.5, 0.7, 0.9)
NOT_S_SHAPED = ("plateau", "two steps")


def answered(sampler, curves, seed):
    """Ask once for every curve, and yield the sampler after the answer."""
    rng = np.random.default_rng(seed)
    sampler.set_params(random_state=seed)
    for curve in curves:
        level = sampler.ask()
        yield sampler.tell(level, bool(rng.random() < float(curve(np.array([level]))[0])))


def still(case, seed):
    """After every answer: the probability of a drift, and whether the curve is said not to be S-shaped."""
    sampler = PosteriorMinEnt(LEVELS, Crossing(case.target), guess_rate=case.guess_rate)
    return [(one.drift_, one.misfit_.found) for one in answered(sampler, [case.curve] * N_ANSWERS, seed)]


def moving(to, scale, length, seed):
    """(noticed, whether the interval of now holds the threshold, errors of ``now`` and of ``estimate()``)."""
    curves = [
        lambda x, place=place: 0.01 + 0.98 * expit((x - place) / scale)
        for place in np.linspace(FROM, to, length)
    ]
    *_, sampler = answered(PosteriorMinEnt(np.linspace(0, 10, 21)), curves, seed)
    drift = sampler.drift()
    if drift is None:
        return False, np.nan, np.nan, np.nan
    low, high = drift.interval
    return True, low <= to <= high, abs(drift.now - to), abs(sampler.estimate() - to)


def bumped(depth, length, seed):
    """(drift said, not S-shaped said) at the end of a session on a curve with a bump."""

    def curve(x):
        return np.clip(expit((x - 0.35) / 0.06) - depth * np.exp(-0.5 * ((x - 0.6) / 0.07) ** 2), 0.01, 0.99)

    *_, sampler = answered(PosteriorMinEnt(LEVELS), [curve] * length, seed)
    return sampler.drift_ > 0.5, sampler.misfit_.found


def print_row(*cells):
    texts = [f"{one:.3f}" if isinstance(one, float) else str(one) for one in cells]
    print(f"| {' | '.join(texts)} |", flush=True)


def print_header(*cells):
    print_row(*cells)
    print("|---" * len(cells) + "|")


def powers(runs):
    """How often a drift is noticed, (sizes, scales, lengths), and a table of it."""
    print_header("moves from 3.5 to", *(f"scale {x:g}, {n} answers" for x in SCALES for n in LENGTHS))
    found = np.array(
        [[[[moving(to, x, n, seed) for seed in range(runs)] for n in LENGTHS] for x in SCALES] for to in TO],
        dtype=float,
    )
    noticed = found[..., 0].mean(axis=-1)
    for to, row in zip(TO, noticed, strict=True):
        print_row(f"{to:g}", *(f"{one:.2f}" for one in row.ravel()))
    every = found.reshape(-1, 4)
    held, now, whole = every[every[:, 0] == 1, 1:].mean(axis=0)
    print(f"\n{int(every[:, 0].sum())} noticed: the interval of now held the threshold in {held:.2f}")
    print(f"mean error of now {now:.2f}, of the estimate from all answers {whole:.2f}\n", flush=True)
    return noticed


def alarms(runs):
    """The share of still sessions with a false alarm of a drift after 1, 2, ... answers, and a table."""
    print_header(f"still curve, {runs} sessions of {N_ANSWERS} answers", "drift said", "not S-shaped said")
    said = {}  # by case: (sessions, answers, 2), whether either note was given so far
    for name, case in CASES.items():
        found = np.array([still(case, seed) for seed in range(runs)], dtype=float)
        said[name] = np.maximum.accumulate(found, axis=1) > 0.5
        print_row(name, *said[name][:, -1].mean(axis=0).tolist())
    groups = {"all": "", "all S-shaped": NOT_S_SHAPED}
    for words, left_out in groups.items():
        kept = [found for name, found in said.items() if not left_out or not name.startswith(left_out)]
        print_row(words, *np.concatenate(kept)[:, -1].mean(axis=0).tolist())
    print()
    return np.concatenate(list(said.values()))[..., 0].mean(axis=0)


def bumps(runs):
    """A table of what is said about bumps."""
    print_header(
        f"bump, {runs} sessions each",
        *(f"{what}, {n} answers" for n in (60, 120) for what in ("drift said", "not S-shaped said")),
    )
    for depth in DEPTHS:
        found = [np.mean([bumped(depth, n, seed) for seed in range(runs)], axis=0) for n in (60, 120)]
        print_row(f"{depth:.0%} deep", *np.concatenate(found).tolist())


def draw(noticed, alarm_rate, path):
    """Power by size of the drift and number of answers (scale 0.5), and false alarms."""
    figure, axes = new_panel(
        xlabel="answers in the session", ylabel="sessions in which a drift is said", size=(6.4, 4.2)
    )
    middle = SCALES.index(0.5)
    for to, colour, row in zip(TO, COLOURS, noticed[:, middle], strict=False):
        axes.plot(
            LENGTHS, row, marker="o", color=colour, label=f"drift of {10 * (to - FROM):g}% of the range"
        )
    axes.plot(np.arange(1, N_ANSWERS + 1), alarm_rate, color=GREY, label="no drift: said at any time so far")
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlim(0, LENGTHS[-1] + 4)
    legend_below(figure, columns=2)
    figure.savefig(path, dpi=120)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--runs", type=int, default=40, help="sessions per cell; half as many on still curves"
    )
    parser.add_argument("--figure", type=Path, help="where to draw power and false alarms")
    given, start = parser.parse_args(), time.process_time()
    noticed, alarm_rate = powers(given.runs), alarms(max(given.runs // 2, 1))
    bumps(given.runs)
    if given.figure is not None:
        draw(noticed, alarm_rate, given.figure)
    print(f"\nCPU seconds: {time.process_time() - start:.0f}")


if __name__ == "__main__":
    main()
