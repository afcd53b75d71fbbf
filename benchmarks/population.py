"""Several observers: errors of the hierarchical mean and spread against plain averages of the single estimates.

    python -m benchmarks.population               # the table of docs/thresholds.md; half a minute of processor time
    python -m benchmarks.population --studies 3   # a rough look

Thresholds are normal, curves logistic with a scale of 0.08 that varies between observers by a factor of 1.35.
"""

import argparse

import numpy as np
from scipy.special import expit

from weaklearn.adaptive import PosteriorMinEnt, population
from weaklearn.monotone import Crossing
from weaklearn.studies.own.thresholds.curve_cases import LEVELS

# observers, answers, mean, spread, guess rate
SETTINGS = (
    (12, 30, 0.4, 0.05, 0.0),
    (12, 30, 0.3, 0.12, 0.0),
    (12, 60, 0.4, 0.05, 0.0),
    (30, 15, 0.3, 0.05, 0.0),
    (30, 30, 0.25, 0.08, 0.0),
    (20, 40, 0.35, 0.06, 0.5),
    (6, 30, 0.4, 0.08, 0.0),
)


def observed(rng, n_answers, mean, spread, guess):
    """The answers of one observer."""
    place, scale = rng.normal(mean, spread), 0.08 * np.exp(0.3 * rng.normal())
    sampler = PosteriorMinEnt(LEVELS, Crossing(0.5 + 0.5 * guess), guess_rate=guess, random_state=0)
    for _ in range(n_answers):
        level = sampler.ask()
        sampler.tell(level, bool(rng.random() < guess + (1 - guess) * expit((level - place) / scale)))
    return sampler


def study(seed, n_observers, n_answers, mean, spread, guess):
    """Errors of mean and spread, hierarchical and averaged, and whether the intervals hold them."""
    rng = np.random.default_rng(seed)
    found = population([observed(rng, n_answers, mean, spread, guess) for _ in range(n_observers)])
    errors = found.mean - mean, found.averaged[0] - mean, found.spread - spread, found.averaged[1] - spread
    pairs = (found.mean_interval, mean), (found.spread_interval, spread)
    return (*errors, *(ends.low <= truth <= ends.high for ends, truth in pairs))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--studies", type=int, default=20, help="simulated studies per row (default: %(default)s)"
    )
    n = parser.parse_args().studies
    print(
        "| observers x answers | mean, spread | mean: hierarchical | averages | spread: hierarchical (bias) |"
        " averages (bias) | intervals hold mean, spread |"
    )
    print("|---" * 7 + "|")
    for setting in SETTINGS:
        found = np.array([study(seed, *setting) for seed in range(n)], dtype=float)
        error, bias = np.sqrt((found[:, :4] ** 2).mean(axis=0)), found.mean(axis=0)
        observers, answers, mean, spread, guess = setting
        print(
            f"| {observers} x {answers}{', 2AFC' if guess else ''} | {mean:.2f}, {spread:.2f} "
            f"| {error[0]:.3f} | {error[1]:.3f} "
            f"| {error[2]:.3f} ({bias[2]:+.3f}) | {error[3]:.3f} ({bias[3]:+.3f}) | {bias[4]:.2f}, {bias[5]:.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
