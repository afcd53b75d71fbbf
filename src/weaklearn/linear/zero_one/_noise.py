"""The 0/1 loss with a margin, for new examples: smooth losses from convex to nearly 0/1, averaged.

If every label is wrong with probability eps, whatever the example, the negative log likelihood is

    l(z) = -log(eps + (1 - 2 eps) sigma(z)),      z_i = y_i (<w, x_i> + b),

which lies between log(1 / (1 - eps)) and log(1 / eps): an example far on the wrong side costs no more than one a
little on the wrong side. As |w| grows l becomes log((1 - eps) / eps) times the 0/1 loss, plus a constant; a ridge
on w keeps |w| moderate, which is a wide margin. eps = 0 is ridge logistic regression. So eps goes from a
convex loss that feels every outlier to a soft form of the 0/1 loss.

Where labels are mostly right a convex loss does best, and often the squared hinge max(0, 1 - z)^2 of linear support
vector machines. The average of `averaged_noise_fit` therefore has three convex members, which most of the weight is on
unless cross-validation objects, and three that outliers cannot move: two noise levels and the 0/1 minimum.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dposv
from scipy.optimize import minimize
from scipy.special import expit

# Chosen on splits of the data sets of li2005 other than those of docs/zero_one.md, among a few hundred combinations
# most of which hardly differed. A ridge on standardised features was clearly better than one on their ranges.
_HINGE_RIDGES, _LOGISTIC_RIDGES, _LEVELS = (64.0,), (4.0, 16.0), (0.2, 0.4)
_PRIOR = np.array([5.0, 5.0, 5.0, 1.0, 1.0, 1.0])  # in this order, the 0/1 minimum last
_PER_ERROR = 0.25  # a member loses this much log weight for each error more in cross-validation
_FOLDS, _REPEATS = 5, 2
_LARGEST_SAMPLE = 5000  # rows used by cross-validation
_FLAT = 1e-6  # ridge on the bias, so that the Hessian is never singular


class _Loss(NamedTuple):
    """Sums over the examples: value; and per example the slope and a curvature that is not negative."""

    value: float
    slope: np.ndarray
    curvature: np.ndarray


def _noisy(noise):
    def loss(z, weight):
        s = expit(z)
        likelihood = np.maximum(noise + (1.0 - 2.0 * noise) * s, 1e-300)
        pull = (1.0 - 2.0 * noise) * s * (1.0 - s) / likelihood
        # Where the loss is concave a Newton step would go uphill.
        curvature = np.maximum(pull * (pull - 1.0 + 2.0 * s), 0.0)
        return _Loss(-(weight @ np.log(likelihood)), -weight * pull, weight * curvature)

    return loss


def _squared_hinge(z, weight):
    short = np.maximum(1.0 - z, 0.0)
    return _Loss(weight @ (short * short), -2.0 * weight * short, 2.0 * weight * (short > 0))


def _newton(loss, rows, weight, ridge, start, max_iter=50, tolerance=1e-5):
    """A local minimum of loss + sum_j ridge_j / 2 w_j^2 without the bias, from ``start``: (w, value).

    ``ridge`` is a number or one for each feature.
    """
    p = rows.shape[1]
    penalty = np.full(p, _FLAT)
    penalty[:-1] = ridge
    w, z = start, rows @ start
    now = loss(z, weight)
    value = now.value + 0.5 * (penalty * w) @ w
    for _ in range(max_iter):
        gradient = now.slope @ rows + penalty * w
        hessian = (rows * now.curvature[:, None]).T @ rows
        hessian.flat[:: p + 1] += penalty
        _, step, info = dposv(hessian, -gradient, lower=1)
        decrease = -(gradient @ step)
        if info != 0 or decrease < tolerance:
            break
        change = rows @ step
        length = 1.0
        for _ in range(30):
            new_w, new_z = w + length * step, z + length * change
            new = loss(new_z, weight)
            new_value = new.value + 0.5 * (penalty * new_w) @ new_w
            if new_value <= value - 1e-4 * length * decrease:
                break
            length *= 0.5
        else:
            break
        w, z, now, value = new_w, new_z, new, new_value
    return w, value


def noisy_logistic(rows, weight, noise, ridge, start, max_iter=100):
    """Minimise sum_i phi_i l(<rows_i, w>) + ridge / 2 |w without bias|^2 from ``start`` by L-BFGS.

    For the starts of the search, where a rough minimum will do and rows may be many.
    """
    loss = _noisy(noise)

    def objective(w):
        now = loss(rows @ w, weight)
        gradient = now.slope @ rows
        gradient[:-1] += ridge * w[:-1]
        return now.value + 0.5 * ridge * (w[:-1] @ w[:-1]), gradient

    return minimize(objective, start, jac=True, method="L-BFGS-B", options={"maxiter": max_iter}).x


def noise_path(rows, weight, minimum, levels):
    """One weight vector per noise level, with a ridge of 1.

    The loss has local minima. Each level is started twice, from the fit of the level before, which goes back to the
    convex loss, and from ``minimum``, a weight vector of small 0/1 error; the lower minimum wins.
    """
    w, _ = _newton(_noisy(0.0), rows, weight, 1.0, np.zeros(rows.shape[1]))
    other = minimum * (2.0 / max(np.abs(rows @ minimum).mean(), 1e-300))
    fits = []
    for noise in levels:
        if noise > 0:
            w, value = _newton(_noisy(noise), rows, weight, 1.0, w)
            other, other_value = _newton(_noisy(noise), rows, weight, 1.0, other)
            fits.append(w if value <= other_value else other)
        else:
            fits.append(w)
    return np.array(fits)


def averaged_noise_fit(rows, weight, minimise, rng):
    """Average of convex fits, fits for two noise levels and the 0/1 minimum, weighted by cross-validation.

    The 0/1 minimum stands for the limit of no ridge, whatever the scale of the features. A member whose weighted
    cross-validation error (in examples, mean of two runs) exceeds that of another by d gets exp(-d / 4) of the other's
    weight, times a prior that is larger for convex members: members without a clear difference share, instead of one
    of them winning by luck. Weight vectors are averaged at equal mean size of their scores.
    ``minimise(rows, weight)`` supplies weight vectors of small 0/1 error.

    Returns the weight vector; the average noise level (0 for convex members, its training error for the 0/1 minimum);
    and the rows of the cross-validation, in its order, with the average's score of each by members that have not
    seen it.
    """
    errors = np.zeros(len(_PRIOR))
    n = len(rows)
    tested, held_scores = [np.empty(0, dtype=np.intp)], [np.empty((len(_PRIOR), 0))]
    for _ in range(_REPEATS if n >= 2 * _FOLDS else 0):
        order = rng.permutation(n)[:_LARGEST_SAMPLE]
        for k in range(_FOLDS):
            held, rest = order[k::_FOLDS], np.concatenate([order[j::_FOLDS] for j in range(_FOLDS) if j != k])
            fits = _family(rows[rest], weight[rest], minimise)
            found = fits @ rows[held].T
            errors += (found <= 0) @ weight[held] / _REPEATS
            tested.append(held)
            held_scores.append(found / _size(fits, rows[rest])[:, None])
    share = _PRIOR * np.exp(_PER_ERROR * (errors.min() - errors))
    share /= share.sum()
    fits = _family(rows, weight, minimise)
    scores = fits @ rows.T
    fits /= _size(fits, rows)[:, None]
    error = min((scores[-1] <= 0) @ weight / weight.sum(), 0.5)
    levels = np.zeros(len(_PRIOR))
    levels[-1 - len(_LEVELS) :] = *_LEVELS, error
    held_out = np.concatenate(tested), share @ np.hstack(held_scores)
    return share @ fits, float(share @ levels), held_out


def _size(fits, rows):
    return np.maximum(np.abs(fits @ rows.T).mean(axis=1), 1e-300)


def _family(rows, weight, minimise):
    minimum = minimise(rows, weight)
    start = np.zeros(rows.shape[1])
    # A ridge on standardised features is one in units of their variance. A row is y (x, 1).
    x = rows[:, :-1] * rows[:, -1:]
    variance = weight @ (x - weight @ x / weight.sum()) ** 2 / weight.sum()
    variance[variance < 1e-12] = 1.0
    convex = []
    for loss, ridges in ((_squared_hinge, _HINGE_RIDGES), (_noisy(0.0), _LOGISTIC_RIDGES)):
        convex += [_newton(loss, rows, weight, ridge * variance, start)[0] for ridge in ridges]
    return np.vstack([*convex, noise_path(rows, weight, minimum, _LEVELS), minimum])
