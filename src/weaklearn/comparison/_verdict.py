"""The sentences that say what a comparison means."""

import numpy as np

from weaklearn.comparison._models import MAJORITY

__all__ = ["advice", "tied_models", "verdict"]

_SIGNIFICANT = 0.05
_MOST_NAMED = 6


def tied_models(comparison):
    """The best classifier, and those with no clear difference from it."""
    others = [m for m in comparison.models[1:] if m.p_value is not None and m.p_value > _SIGNIFICANT]
    return [comparison.best, *others]


def _named(names):
    shown = ", ".join(names[:_MOST_NAMED])
    return shown + (f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else "")


def verdict(comparison):
    """One sentence that says what the comparison shows."""
    best = comparison.best
    tied = [m.name for m in tied_models(comparison)[1:]]
    tested = [m for m in comparison.models[1:] if m.p_value is not None]
    start = f"{best.name[0].upper()}{best.name[1:]} has the lowest error, {100 * best.error:.1f}%"
    if not tested:
        return f"{start}; no other classifier was tested."
    if not tied:
        return f"{start}, and its lead over every other classifier is significant."
    return f"{start}; on this table there is no clear difference from {_named(tied)}."


def advice(comparison):
    """A sentence or two on what to do with the result."""
    chosen = comparison.recommended
    if chosen is None:
        return (
            "No classifier is significantly better than predicting the majority class: these columns say little about "
            "the label, or there are too few rows. Collect more rows or other columns before using any of them."
        )
    said = [f"Use {chosen.name}"]
    if len(tied_models(comparison)) == 1:
        said.append(": nothing else comes close on this table.")
    elif chosen.log_loss is None:
        said.append(": it has the lowest error, but gives no probabilities.")
    elif chosen is comparison.best:
        said.append(": it has the lowest error, and the best-calibrated probabilities among the ties.")
    else:
        said.append(
            f": there is no clear difference between its error and the lowest, and its probabilities are the "
            f"best among the ties (log loss {chosen.log_loss:.3f})."
        )
    seen = _visible_difference(comparison)
    if seen is not None:
        said.append(
            f" With {comparison.n_rows} rows, differences below about {100 * seen:.1f} points cannot be seen."
        )
    return "".join(said)


def _visible_difference(comparison):
    """The median half width of the intervals of differences, without that of the majority class."""
    halves = [
        (m.difference_high - m.difference_low) / 2
        for m in comparison.models
        if m.difference is not None and m.name != MAJORITY
    ]
    return float(np.median(halves)) if halves else None
