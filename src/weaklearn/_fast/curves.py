"""Compiled work on many drawn curves at once: one more answer for each, and where a broken line crosses a level."""

from numba import njit


@njit(cache=True, nogil=True)
def crossing_rows(x, values, level, low, high, out):
    """The middle of the points of [low, high] at which the broken line has the value ``level``.

    ``values`` (rows, levels) do not decrease along ``x``; beyond its ends the line is constant. A line that
    stays below the level gets ``high``, one that stays above gets ``low``.
    """
    n_rows, n = values.shape
    for r in range(n_rows):
        v = values[r]
        if v[n - 1] < level:
            out[r] = high
            continue
        if v[0] > level:
            out[r] = low
            continue
        # First and last point at the level: both exist, as v[0] <= level <= v[n - 1].
        i = 0
        while v[i] < level:
            i += 1
        first = low if i == 0 else x[i - 1] + (x[i] - x[i - 1]) * (level - v[i - 1]) / (v[i] - v[i - 1])
        j = n - 1
        while v[j] > level:
            j -= 1
        last = high if j == n - 1 else x[j] + (x[j + 1] - x[j]) * (level - v[j]) / (v[j + 1] - v[j])
        first, last = max(first, low), min(last, high)
        out[r] = 0.5 * (first + last)


@njit(cache=True, nogil=True)
def one_more_answer(drawn, further, asked, places, y, m):
    """Mean answers and counts when one answer is added to drawn data sets, at each place in turn.

    ``drawn`` (runs, draws, levels) are yes answers among ``asked`` (runs, levels); ``further`` says how one more
    at each level would turn out. ``y`` and ``m`` (runs * places * draws, levels) are filled; y is 0 where nothing
    was asked.
    """
    n_runs, n_draws, n = drawn.shape
    row = 0
    for r in range(n_runs):
        for place in places:
            for b in range(n_draws):
                for i in range(n):
                    yes, count = drawn[r, b, i], asked[r, i]
                    if i == place:
                        count += 1.0
                        yes += further[r, b, i]
                    m[row, i] = count
                    y[row, i] = yes / count if count > 0 else 0.0
                row += 1
