"""The 0/1 loss with a margin: logistic regression that expects a share of wrong labels.

If every label is wrong with probability eps, whatever the example, the negative log likelihood is

    l(z) = -log(eps + (1 - 2 eps) sigma(z)),      z_i = y_i (<w, x_i> + b),

which lies between log(1 / (1 - eps)) and log(1 / eps): an example far on the wrong side costs no more than one a
little on the wrong side. As |w| grows l becomes log((1 - eps) / eps) times the 0/1 loss, plus a constant; a ridge
on w keeps |w| moderate, which is a wide margin. eps = 0 is ridge logistic regression. So eps goes from a
convex loss that feels every outlier to a soft form of the 0/1 loss.
"""

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

__all__ = ["NOISE_LEVELS", "averaged_noise_fit", "noise_path", "noisy_logistic"]

NOISE_LEVELS = (0.0, 0.03, 0.1, 0.2, 0.3, 0.4)
_FOLDS = 5


def _objective(w, rows, weight, noise, ridge):
    s = expit(rows @ w)
    likelihood = np.maximum(noise + (1.0 - 2.0 * noise) * s, 1e-300)
    slope = -weight * (1.0 - 2.0 * noise) * s * (1.0 - s) / likelihood
    gradient = slope @ rows
    gradient[:-1] += ridge * w[:-1]
    return 0.5 * ridge * (w[:-1] @ w[:-1]) - weight @ np.log(likelihood), gradient


def noisy_logistic(rows, weight, noise, ridge, start, max_iter=100):
    """Minimise sum_i phi_i l(<rows_i, w>) + ridge / 2 |w without bias|^2 from ``start`` by L-BFGS."""
    arguments = (rows, weight, noise, ridge)
    return minimize(
        _objective, start, arguments, jac=True, method="L-BFGS-B", options={"maxiter": max_iter}
    ).x


def noise_path(rows, weight, minimum, levels=NOISE_LEVELS):
    """One weight vector per noise level.

    The loss has local minima. Each level is started twice, from the fit of the level before, which goes back to the
    convex loss, and from ``minimum``, a weight vector of small 0/1 error; the lower minimum wins.
    """
    fits = []
    w = np.zeros(rows.shape[1])
    other = minimum * (2.0 / max(np.abs(rows @ minimum).mean(), 1e-300))
    for noise in levels:
        w = noisy_logistic(rows, weight, noise, 1.0, w)
        if noise > 0:
            other = noisy_logistic(rows, weight, noise, 1.0, other)
            values = [_objective(v, rows, weight, noise, 1.0)[0] for v in (w, other)]
            fits.append(w if values[0] <= values[1] else other)
        else:
            fits.append(w)
    return np.array(fits)


def averaged_noise_fit(rows, weight, minimise, rng):
    """Average of the fits for all noise levels and of the 0/1 minimum, weighted by cross-validation.

    The 0/1 minimum stands for the limit of no ridge, which no feature scale can upset. A member whose weighted
    cross-validation error (in examples) exceeds that of the best by d has the weight exp(-d): members that
    cannot be told apart share, instead of one of them winning by luck. Weight vectors
    are averaged at equal mean size of their scores. ``minimise(rows, weight)`` supplies weight vectors of small
    0/1 error.

    Returns
    -------
    weights : ndarray of shape (m + 1,)
    noise : float
        The average noise level; that of the 0/1 minimum is its training error.
    """
    n = len(rows)
    fold = rng.permutation(n) % _FOLDS
    errors = np.zeros(len(NOISE_LEVELS) + 1)
    for k in range(_FOLDS if n >= 2 * _FOLDS else 0):
        held = fold == k
        fits = _family(rows[~held], weight[~held], minimise)
        errors += (fits @ rows[held].T <= 0) @ weight[held]
    share = np.exp(errors.min() - errors)
    share /= share.sum()
    fits = _family(rows, weight, minimise)
    scores = fits @ rows.T
    fits /= np.maximum(np.abs(scores).mean(axis=1), 1e-300)[:, None]
    levels = np.append(NOISE_LEVELS, min((scores[-1] <= 0) @ weight / weight.sum(), 0.5))
    return share @ fits, float(share @ levels)


def _family(rows, weight, minimise):
    minimum = minimise(rows, weight)
    return np.vstack([noise_path(rows, weight, minimum), minimum])
