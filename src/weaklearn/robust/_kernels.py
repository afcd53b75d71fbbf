r"""The kernels of the ridge machines, each conditionally positive definite, so that a machine with a bias may use it.

- *linear*, :math:`\langle p, q \rangle`;
- *quadratic*, :math:`\langle p, q \rangle + \tfrac12 \langle p, q \rangle^2 / m` for m columns: products of
  two columns;
- *stump*, :math:`-\|p - q\|_1`: all decision stumps at once (li2006, chapter 5);
- *perceptron*, :math:`-\|p - q\|_2`: all perceptrons at once (ibid.);
- *gaussian*, :math:`e^{-\|p - q\|_2^2 / m}`;
- *laplace*, :math:`e^{-\|p - q\|_1 / m}`.

Columns have mean 0 and standard deviation 1, so that m is half the mean squared distance.
"""

import numpy as np
from scipy.spatial.distance import cdist

__all__ = ["KERNELS"]


def _squared_distances(P, Q):
    squared = P @ Q.T
    squared *= -2
    squared += np.einsum("ij,ij->i", P, P)[:, None]
    squared += np.einsum("ij,ij->i", Q, Q)
    np.maximum(squared, 0, out=squared)
    return squared


def linear(P, Q):
    return P @ Q.T


def quadratic(P, Q):
    product = P @ Q.T
    return product + 0.5 * product**2 / P.shape[1]


def stump(P, Q):
    return -cdist(P, Q, "cityblock")


def perceptron(P, Q):
    return -np.sqrt(_squared_distances(P, Q))


def gaussian(P, Q):
    return np.exp(-_squared_distances(P, Q) / P.shape[1])


def laplace(P, Q):
    return np.exp(-cdist(P, Q, "cityblock") / P.shape[1])


KERNELS = {
    "linear": linear,
    "quadratic": quadratic,
    "stump": stump,
    "perceptron": perceptron,
    "gaussian": gaussian,
    "laplace": laplace,
}
