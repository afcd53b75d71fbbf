"""What waiting costs and brings: coverage where an experiment stops once its interval was narrow for some answers.

python -m benchmarks.stopping               # half a minute of processor time
python -m benchmarks.stopping --share 0.8   # with more of the deviances of rising curves in the interval
"""

import argparse

import numpy as np

from weaklearn.adaptive import PosteriorMinEnt, _posterior_interval, simulate
from weaklearn.monotone import Crossing
from weaklearn.studies.own.thresholds.curve_cases import CASES, LEVELS

NAMES, WIDTHS, WAITS, LEAST = (
    ("plateau 50%", "two steps 50%", "linear 50%", "logistic 50%"),
    (0.15, 0.25),
    (1, 2, 3, 5, 8),
    10,
)


def stopped(done, width, wait):
    """(coverage at the stop, mean answers) where the interval was at most ``width`` for ``wait`` answers."""
    narrow = done.widths[0] <= width
    narrow[:, : LEAST - 1] = False
    lasting = np.lib.stride_tricks.sliding_window_view(narrow, wait, axis=1).all(axis=2)
    at = np.where(lasting.any(axis=1), lasting.argmax(axis=1) + wait - 1, narrow.shape[1] - 1)
    return done.held[0][np.arange(len(at)), at].mean(), (at + 1).mean()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--share", type=float, default=_posterior_interval._DEVIANCE_SHARE)
    given = parser.parse_args()
    _posterior_interval._DEVIANCE_SHARE = given.share
    for name in NAMES:
        case = CASES[name]
        sampler = PosteriorMinEnt(LEVELS, Crossing(case.target))
        done = simulate(sampler, case.curve, given.runs, budget=80, confidence=0.9, random_state=77)
        print(
            f"{name}: coverage {done.coverage[0, 29]:.3f} after 30, {done.coverage[0, 59]:.3f} after 60 answers"
        )
        for width in WIDTHS:
            for wait in WAITS:
                coverage, answers = stopped(done, width, wait)
                print(f"  width {width:g} for {wait}: {coverage:.3f} after {answers:.1f} answers", flush=True)


if __name__ == "__main__":
    main()
