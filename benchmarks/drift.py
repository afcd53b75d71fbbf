"""Thresholds that move and thresholds that stay: how often `drift_` and `misfit_` say something.

    python -m benchmarks.drift            # the tables of docs/thresholds.md
    python -m benchmarks.drift --runs 5   # a rough look

Still: the curves of ``weaklearn.studies.own.thresholds``, both notes looked at after every answer. Moving: a logistic
curve on the levels 0 to 10, whose threshold goes evenly from 3.5 to another place during the session.
"""

import argparse
import time

import numpy as np
from scipy.special import expit

from weaklearn.adaptive import PosteriorMinEnt
from weaklearn.monotone import Crossing
from weaklearn.studies.own.thresholds.curve_cases import CASES, LEVELS

N_ANSWERS = 60
FROM, TO, SCALES, LENGTHS = 3.5, (4.5, 5.0, 6.5), (0.2, 0.5, 1.0), (30, 60, 120)
NOT_S_SHAPED = ("plateau", "two steps")


def still(case, seed):
    """(the largest probability of a drift, the smallest p-value) of a session on a curve that stays."""
    rng = np.random.default_rng(seed)
    sampler = PosteriorMinEnt(LEVELS, Crossing(case.target), guess_rate=case.guess_rate, random_state=seed)
    most, least = 0.0, 1.0
    for _ in range(N_ANSWERS):
        level = sampler.ask()
        sampler.tell(level, bool(rng.random() < case.curve(np.array([level]))[0]))
        least = min(least, sampler.misfit_.p_value)
        most = max(most, sampler.drift_)
    return most, least


def moving(to, scale, length, seed):
    """(noticed, whether the interval of now holds the threshold, errors of ``now`` and of ``estimate()``)."""
    rng = np.random.default_rng(seed)
    sampler = PosteriorMinEnt(np.linspace(0, 10, 21), random_state=seed)
    for place in np.linspace(FROM, to, length):
        level = sampler.ask()
        sampler.tell(level, bool(rng.random() < 0.01 + 0.98 * expit((level - place) / scale)))
    drift = sampler.drift()
    if drift is None:
        return False, np.nan, np.nan, np.nan
    low, high = drift.interval
    return True, low <= to <= high, abs(drift.now - to), abs(sampler.estimate() - to)


def _print_row(name, found):
    print(f"| {name} | {(found[:, 0] > 0.5).mean():.3f} | {(found[:, 1] < 0.003).mean():.3f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--runs",
        type=int,
        default=40,
        help="sessions per cell of the first table, half of them per row of the second (default: %(default)s)",
    )
    runs, start = parser.parse_args().runs, time.process_time()
    print(
        "| moves from 3.5 to | "
        + " | ".join(f"scale {x:g}, {n} answers" for x in SCALES for n in LENGTHS)
        + " |"
    )
    print("|---" * (1 + len(SCALES) * len(LENGTHS)) + "|")
    noticed = []
    for to in TO:
        cells = []
        for scale in SCALES:
            for length in LENGTHS:
                found = np.array([moving(to, scale, length, seed) for seed in range(runs)], dtype=float)
                noticed.extend(found[found[:, 0] == 1])
                cells.append(f"{found[:, 0].mean():.2f}")
        print(f"| {to:g} | {' | '.join(cells)} |", flush=True)
    held, now, whole = np.mean(noticed, axis=0)[1:]
    print(f"\n{len(noticed)} noticed: the interval of now held the threshold in {held:.2f}")
    print(f"mean error of now {now:.2f}, of the estimate from all answers {whole:.2f}\n")
    n_still = max(runs // 2, 1)
    print(
        f"| still curve, {n_still} sessions of {N_ANSWERS} answers | drift said | not S-shaped said |\n|---|---|---|"
    )
    everything = {}
    for name, case in CASES.items():
        everything[name] = np.array([still(case, seed) for seed in range(n_still)])
        _print_row(name, everything[name])
    _print_row("all", np.concatenate(list(everything.values())))
    s_shaped = [found for name, found in everything.items() if not name.startswith(NOT_S_SHAPED)]
    _print_row("all S-shaped", np.concatenate(s_shaped))
    print(f"\nCPU seconds: {time.process_time() - start:.0f}")


if __name__ == "__main__":
    main()
