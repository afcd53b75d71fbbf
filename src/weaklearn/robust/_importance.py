r"""Which columns matter: the rise of the held-out log loss when a column is shuffled.

The shuffled row i, :math:`x'_i`, is scored by the machine that has not seen row i. For a ridge machine this is exact:
with :math:`g(x, x_i)` the weight that the prediction at x gives to one unit of row i,
:math:`f^{-i}(x'_i) = f(x'_i) - g(x'_i, x_i)\, \phi_i u_i\, (y_i - f^{-i}(x_i))` in the notation of `_ridge`. Forests
score it with the trees that have not drawn row i, boosted trees with the fold that has not.
"""

import numpy as np
from scipy.special import logsumexp

__all__ = ["held_out_importances"]

# More rows than this add little to an average over rows.
_ROWS = 2000
_NEGLIGIBLE = 0.01


def held_out_importances(machine, rows, seed, sources, n_columns):
    """One number for each of the n_columns of a table, summing to one (all 0 if no column matters).

    ``sources`` has, for each column of ``rows.X``, the column of the table that it was made from; those of one source
    are shuffled together.
    """
    random = np.random.RandomState(seed)
    n = len(rows.codes)
    chosen = np.arange(n) if n <= _ROWS else np.sort(random.choice(n, _ROWS, replace=False))
    codes, weight = rows.codes[chosen], rows.weight[chosen]
    used = np.flatnonzero(machine.stack.weight > _NEGLIGIBLE)
    scorers = {k: machine.members[k].held_out_scorer(machine.data, chosen) for k in used}

    def loss(X):
        views = machine.columns.views(X)
        S = machine.stack.constant + sum(
            machine.stack.weight[k] * machine.calibrations[k].log_odds(scorers[k](views)) for k in used
        )
        return weight @ (logsumexp(S, axis=1) - S[np.arange(len(codes)), codes])

    X = rows.X[chosen].copy()
    before = loss(X)
    rise = np.zeros(n_columns)
    order = random.permutation(len(X))
    for j in np.unique(sources):
        part = np.flatnonzero(sources == j)
        kept = X[:, part]
        X[:, part] = kept[order]
        rise[j] = max(loss(X) - before, 0.0)
        X[:, part] = kept
    total = rise.sum()
    return rise / total if total > 0 else rise
