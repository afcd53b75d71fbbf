"""Do the answers look like an S-shaped curve at all?"""

from typing import NamedTuple

import numpy as np

from weaklearn.adaptive._shapes import NAMED

__all__ = ["Misfit", "misfit_of"]

_LEVEL = 0.05
_N_DRAWN = 199


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
        """Whether the p-value is below 0.05."""
        return self.p_value < _LEVEL


def misfit_of(grid, u, yes, asked, rng):
    """The likelihood ratio test of the named S-shaped families against isotonic curves.

    The p-value is that of a parametric bootstrap: answers are drawn from the best S-shaped curve at the levels
    that were asked, as often as they were asked, and both kinds of curves are fitted to them again.
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
    drawn = rng.binomial(asked.astype(np.int64), best, (_N_DRAWN, len(u))).astype(np.float64)
    tables = np.concatenate([yes[None], drawn])
    s_shaped = (tables @ log_p + (asked - tables) @ log_q).max(axis=1)
    ratio = _isotonic_log_likelihood(u, tables, asked) - s_shaped
    p_value = float((1 + np.sum(ratio[1:] >= ratio[0] - 1e-9)) / (1 + _N_DRAWN))
    if p_value < _LEVEL:
        message = (
            f"The answers do not look like an S-shaped curve (p = {p_value:.3f}): they may have a plateau or several "
            "steps. The interval allows for that; ask more, and look at the curve."
        )
    else:
        message = f"The answers agree with an S-shaped curve (p = {p_value:.2f})."
    return Misfit(p_value, message)


def _isotonic_log_likelihood(u, yes, asked):
    from weaklearn._fast.isotonic import isotonic_rows

    weights = np.ascontiguousarray(np.broadcast_to(asked, yes.shape))
    values = np.empty(yes.shape)
    isotonic_rows(np.ascontiguousarray(u), yes / asked, weights, values)
    values = np.clip(values, 1e-12, 1 - 1e-12)
    return (yes * np.log(values) + (asked - yes) * np.log1p(-values)).sum(axis=1)
