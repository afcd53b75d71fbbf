"""Do the answers look like an S-shaped curve at all?"""

from typing import NamedTuple

import numpy as np

from weaklearn.adaptive._shapes import NAMED

# A session looks after every answer: at this level about one session of 60 answers in fifty raises a false alarm.
_LEVEL = 0.003
_N_DRAWN, _MOST_DRAWN = 199, 1999  # at first, and in all
_ENOUGH = 5  # drawn tables that fit as badly: no more are needed, the p-value cannot be below the level


class Misfit(NamedTuple):
    """The result of a test of the S-shaped curves against all rising ones.

    Attributes
    ----------
    p_value : float
        The probability of answers that fit as badly, if the best S-shaped curve is true.
    message : str
        What that means, as a sentence.
    """

    p_value: float
    message: str

    @property
    def found(self):
        """Whether the p-value is below 0.003: small, because a session looks after every answer."""
        return self.p_value < _LEVEL


def misfit_of(grid, u, yes, asked, rng):
    """The likelihood ratio test of the named S-shaped families against isotonic curves.

    The p-value is that of a parametric bootstrap: answers are drawn from the best S-shaped curve at the levels
    that were asked, as often as they were asked, and both kinds of curves are fitted to them again. Drawing ends as
    soon as it is clear that the p-value is not below the level.
    """
    if len(u) < 3:
        return Misfit(1.0, "Fewer than three levels were asked: the shape of the curve cannot be judged.")
    order = np.argsort(u)
    u, yes, asked = u[order], yes[order], asked[order]
    named = np.flatnonzero(grid.shapes.family < len(NAMED))
    columns = [grid.probabilities(place)[:, named].ravel() for place in u]
    p = np.stack(columns).astype(np.float64)
    log_p, log_q = np.log(p), np.log1p(-p)
    fits = yes @ log_p + (asked - yes) @ log_q
    best = p[:, fits.argmax()]

    def ratios(tables):
        s_shaped = (tables @ log_p + (asked - tables) @ log_q).max(axis=1)
        return _isotonic_log_likelihood(u, tables, asked) - s_shaped

    own, n_drawn, n_worse = ratios(yes[None])[0], 0, 0
    while n_drawn < _MOST_DRAWN and n_worse < _ENOUGH:
        size = min(_N_DRAWN + (n_drawn > 0), _MOST_DRAWN - n_drawn)
        drawn = rng.binomial(asked.astype(np.int64), best, (size, len(u))).astype(np.float64)
        n_drawn, n_worse = n_drawn + size, n_worse + int(np.sum(ratios(drawn) >= own - 1e-9))
    p_value = (1 + n_worse) / (1 + n_drawn)
    if p_value < _LEVEL:
        message = (
            f"The answers do not look like an S-shaped curve (p = {p_value:.3f}): they may have a plateau or several "
            "steps. The interval allows for that; ask more, and look at the curve."
        )
    else:
        message = f"The answers do not contradict an S-shaped curve (p = {p_value:.2g})."
    return Misfit(p_value, message)


def _isotonic_log_likelihood(u, yes, asked):
    from weaklearn._fast.isotonic import isotonic_rows

    weights = np.ascontiguousarray(np.broadcast_to(asked, yes.shape))
    values = np.empty(yes.shape)
    isotonic_rows(np.ascontiguousarray(u), yes / asked, weights, values)
    values = np.clip(values, 1e-12, 1 - 1e-12)
    return (yes * np.log(values) + (asked - yes) * np.log1p(-values)).sum(axis=1)
