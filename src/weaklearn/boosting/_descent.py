"""Conjugate gradient descent on the coefficients of a fixed set of hypotheses."""

import numpy as np

from weaklearn.boosting._line import first_stationary_step

__all__ = ["descend"]


def descend(cost, votes, coefficients, sample_weight, n_steps, step_size=None):
    """Lower ``C(a) = sum_i w_i c(sum_t a_t votes_ti)``, w of sum 1, by nonlinear conjugate gradients.

    The direction is ``d = g + beta d'`` with the negative gradient g and Polak and Ribiere's
    ``beta = <g, g - g'> / <g', g'>``; where that does not descend, g itself. Coefficients may become negative.
    Source: pratap2008, algorithm 3, which has a fixed step; its experiments used a line search. The algorithm moves
    along the direction of the step before, which must be a slip: its first step would go nowhere.

    Parameters
    ----------
    cost : MarginCost
    votes : ndarray of shape (n_hypotheses, n_samples)
    coefficients : ndarray of shape (n_hypotheses,)
        The start.
    sample_weight : ndarray of shape (n_samples,)
    n_steps : int
    step_size : float, optional
        The fixed step, in units of the gradient of C; by default a line search to the first stationary point.

    Returns
    -------
    list of ndarray
        The coefficients after each step; fewer than n_steps if a step no longer lowers the cost.
    """
    path, previous, direction = [], None, None
    for _ in range(n_steps):
        margins = coefficients @ votes
        # Normalised weights: the gradient up to a factor, which beta must not mix between steps.
        weights = cost.weights(margins) * sample_weight
        scale = cost.log_weights(margins).max()
        gradient = votes @ weights / sample_weight.sum()
        if not gradient.any():
            break
        beta = 0.0
        if previous is not None:
            factor = np.exp(previous[1] - scale)
            earlier = previous[0] * factor
            beta = (
                float(gradient @ (gradient - earlier) / (earlier @ earlier)) if np.isfinite(factor) else 0.0
            )
        new = gradient if direction is None or beta == 0 else gradient + beta * factor * direction
        if new @ gradient <= 0:
            new = gradient
        if step_size is None:
            step = first_stationary_step(cost, margins, new @ votes, sample_weight)
        else:
            step = _fixed_step(cost, margins, new @ votes, sample_weight, step_size * np.exp(scale))
        if step <= 0:
            break
        previous, direction = (gradient, scale), new
        coefficients = coefficients + step * new
        path.append(coefficients)
    return path


def _fixed_step(cost, margins, direction, sample_weight, step):
    """The step if it lowers the cost, else 0."""
    now, then = (sample_weight @ cost.value(at) for at in (margins, margins + step * direction))
    return step if then < now else 0.0
