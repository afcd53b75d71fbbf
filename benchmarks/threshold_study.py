"""``python -m benchmarks.threshold_study [--runs N] [--doses]``: how well samplers find thresholds, with the same luck.

Prints mean squared errors after 30 and 60 answers against the baselines, the coverage of 90% intervals after 30 and 60
answers and at the moment `IntervalWidth` stops, and, with --doses, dose escalation against the continual reassessment
method. docs/thresholds.md quotes the tables.
"""

import argparse
import sys
from typing import NamedTuple

import numpy as np

from benchmarks.threshold_cases import BASELINES, LEVELS, cases, luck_of, seed_of
from weaklearn.adaptive import IntervalWidth, PosteriorMinEnt, simulate
from weaklearn.monotone import Crossing

POINTS = (30, 60)
STOP_WIDTHS = (0.15, 0.25)


class Row(NamedTuple):
    """One case: errors by method, the coverage after 30 and 60 answers, and (coverage, mean answers) when stopped."""

    case: object
    squared_error: dict
    bias: float
    coverage: tuple
    stopped: tuple


def sampler_of(case, **params):
    """The default sampler as a user would set it up for this case."""
    return PosteriorMinEnt(LEVELS, Crossing(case.target), guess_rate=case.guess_rate, **params)


def run_ours(case, luck):
    """The study of the default sampler, whose luck is drawn from the same seed as ``luck``."""
    return simulate(
        sampler_of(case),
        case.curve,
        len(luck),
        budget=luck.shape[1],
        confidence=0.9,
        random_state=np.random.default_rng(seed_of(case)),
    )


def at_the_stop(done, width):
    """Whether the interval held the truth when `IntervalWidth` stopped each run (or at its end), and the answers."""
    narrow = done.widths[0] <= width
    narrow[:, : IntervalWidth(width).min_answers - 1] = False
    narrow[:, -1] = True
    stop = narrow.argmax(axis=1)
    return done.held[0][np.arange(len(stop)), stop], stop + 1


def study(n_runs, progress=None):
    """One `Row` per case."""
    rows = []
    at = np.array(POINTS) - 1
    for case in cases():
        luck = luck_of(case, n_runs, max(POINTS))
        done = run_ours(case, luck)
        errors = {name: method(case, luck)[:, at] - case.truth for name, method in BASELINES.items()}
        errors = {"PosteriorMinEnt": done.estimates[0][:, at] - case.truth, **errors}
        squared = {name: (error**2).mean(axis=0) for name, error in errors.items()}
        stopped = [tuple(part.mean() for part in at_the_stop(done, width)) for width in STOP_WIDTHS]
        rows.append(Row(case, squared, float(done.bias[0, -1]), tuple(done.coverage[0, at]), tuple(stopped)))
        if progress:
            progress(f"{case.name} done")
    return rows


def error_table(rows):
    """Mean squared errors x 1000, and in how many of the 21 cases ours is within 10% of the least."""
    names = list(rows[0].squared_error)
    lines = ["| case | " + " | ".join(f"{name} {n}" for n in POINTS for name in names) + " | bias |"]
    lines.append("|---" * (2 + len(POINTS) * len(names)) + "|")
    for row in rows:
        cells = []
        for at in range(len(POINTS)):
            values = [1e3 * row.squared_error[name][at] for name in names]
            cells += [f"**{v:.2f}**" if v <= 1.1 * min(values) else f"{v:.2f}" for v in values]
        lines.append(f"| {row.case.name} | " + " | ".join(cells) + f" | {row.bias:+.3f} |")
    for at, n in enumerate(POINTS):
        main = [row for row in rows if row.case.group in ("S-shaped", "badly fitted")]
        good = sum(
            row.squared_error[names[0]][at] <= 1.1 * min(v[at] for v in row.squared_error.values())
            for row in main
        )
        lines.append(
            f"\nAfter {n} answers the default is within 10% of the least in {good} of {len(main)} cases."
        )
        for group in ("S-shaped", "badly fitted", "step", "AFC"):
            part = [row for row in rows if row.case.group == group]
            ratios = [
                np.exp(
                    np.mean(
                        [
                            np.log(row.squared_error[name][at] / row.squared_error[names[0]][at])
                            for row in part
                        ]
                    )
                )
                for name in names[1:]
            ]
            words = ", ".join(f"{name} {ratio:.2f}" for name, ratio in zip(names[1:], ratios, strict=True))
            lines.append(f"Geometric mean of squared errors over ours, {group}: {words}.")
    return "\n".join(lines)


def coverage_table(rows):
    """Coverage of nominal 90% intervals: mean and worst case of every group."""
    head = [f"{n} answers" for n in POINTS] + [f"stopped at width {width:g}" for width in STOP_WIDTHS]
    lines = ["| cases | " + " | ".join(head) + " |", "|---" * (1 + len(head)) + "|"]
    for group in ("S-shaped", "badly fitted", "step", "AFC"):
        part = [row for row in rows if row.case.group == group]
        columns = [[row.coverage[at] for row in part] for at in range(len(POINTS))]
        columns += [[row.stopped[i][0] for row in part] for i in range(len(STOP_WIDTHS))]
        answers = [""] * len(POINTS) + [
            f", {np.mean([row.stopped[i][1] for row in part]):.0f} answers" for i in range(len(STOP_WIDTHS))
        ]
        cells = [
            f"{np.mean(column):.3f} ({min(column):.2f}){more}"
            for column, more in zip(columns, answers, strict=True)
        ]
        lines.append(f"| {group} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main(arguments=None):
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--doses", action="store_true")
    chosen = parser.parse_args(arguments)
    if chosen.doses:
        from benchmarks.threshold_doses import dose_table

        print(dose_table(chosen.runs))
        return
    rows = study(chosen.runs, progress=lambda text: print(text, file=sys.stderr, flush=True))
    print(f"{chosen.runs} runs per case, mean squared error x 1000\n")
    print(error_table(rows))
    print()
    print(coverage_table(rows))


if __name__ == "__main__":
    main()
