"""Holm's correction for several tests."""

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values corrected by Holm's step-down procedure, in the given order.

    Examples
    --------
    >>> from weaklearn._holm import holm
    >>> holm([0.01, 0.03, 0.02])
    [0.03, 0.04, 0.04]
    """
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for rank, k in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, p_values[k] * (len(p_values) - rank)))
        corrected[k] = largest
    return corrected
