"""Line searches: where along a direction the cost is least.

A direction is given by its margins d_i: the gain of example i for a unit step. The search looks for the
first stationary point at a positive step, which for a convex cost is the minimum.
"""

import math

import numpy as np
from scipy.optimize import brentq

from weaklearn._fast.trees.rounds import PERFECT_RATIO

# Beyond this many doublings of the first step the cost is taken to fall without end.
_DOUBLINGS = 40


def line_edge(cost, margins, direction, sample_weight, step):
    """Minus the slope of the total cost along the direction, over the total weight: only its sign is a slope's.

    Normalised weights keep it in range, and its sign right, where the slopes themselves underflow.
    """
    weights = cost.weights(margins + step * direction)
    weights *= sample_weight
    total = weights.sum()
    return float((weights * direction).sum() / total) if total > 0 else 0.0


def first_stationary_step(cost, margins, direction, sample_weight):
    """The first step > 0 at which the cost along the direction stops falling; 0 if it does not fall at all.

    Where it falls without end (every example gains, or the cost flattens out first), the step that gives the example
    that gains most half the logarithm of 1000: for a hypothesis without errors that is AdaBoost's convention.
    """

    def edge(step):
        return line_edge(cost, margins, direction, sample_weight, step)

    start = edge(0.0)
    if not start > 0:
        return 0.0
    without_end = 0.5 * math.log(PERFECT_RATIO) / float(np.abs(direction).max())
    if direction.min() >= 0:
        return without_end
    # For the exponential cost and a +-1 direction this is the answer; an eighth of it is a safe start for
    # costs whose first stationary point comes earlier.
    largest = float(np.abs(direction).max())
    relative = min(start / largest, 1 - 1e-9)
    low, high = 0.0, math.atanh(relative) / largest / 8
    for _ in range(_DOUBLINGS):
        value = edge(high)
        if value <= 0:
            return (
                high if value == 0 else float(brentq(edge, low, high, xtol=1e-15, rtol=1e-14, maxiter=2000))
            )
        low, high = high, 2 * high
    return without_end
