r"""Kernel functions and Gram matrices.

Conventions:

- ``kernel(X, Y)`` is the matrix of k(x_i, y_j); ``kernel(X)`` is the symmetric Gram matrix of X, of which only one
  half is computed.
- Inputs are finite arrays with one example per row; nothing here validates more than shapes.
- ``dtype=numpy.float32`` halves memory and time. Distances are then taken from centred data, so that what is lost is
  relative to the spread of the data and not to their distance from the origin. Gaussians of far pairs become 0 at
  e^-104 instead of e^-745: of a narrow kernel nothing may be left but ties.
- The perceptron and stump kernels are a constant minus a distance. Without the constant they are conditionally
  positive definite, which is all that a machine with a bias needs (its dual coefficients sum to zero, so the constant
  drops out). `positive_shift` gives the constant that makes them positive definite on a given set.

Everything is written block by block into one output array: beside it, no more than a few megabytes are used.
"""

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from weaklearn._docstrings import documented
from weaklearn._fast.gram import cityblock
from weaklearn._training import check_array

_KERNEL = partial(
    documented,
    shared="""
Parameters
----------
X : array-like of shape (n_X, n_features)
Y : array-like of shape (n_Y, n_features), default=None
    None means X.
gamma : float, default=1.0
coef0 : float, default=None
shift : float, default=None
    The constant :math:`\\Delta`; see `positive_shift`.
dtype : {numpy.float64, numpy.float32}, default=numpy.float64

Returns
-------
ndarray of shape (n_X, n_Y)
""",
)

# Numbers per block: below this matrix products lose speed, above it a block no longer stays in the L2 or L3 cache.
_BLOCK_NUMBERS = 1 << 20
# Squares of numbers below these lose digits or vanish.
_VANISHING = {"float64": 1e-100, "float32": 1e-12}
# Squared distances below this share of the squared norms have lost half of their digits to cancellation.
_CANCELLED = 1e-8


@_KERNEL
def linear_kernel(X, Y=None, *, dtype=np.float64):
    r"""Inner products, :math:`k(p, q) = \langle p, q \rangle`.

    Examples
    --------
    >>> from weaklearn.kernel import linear_kernel
    >>> linear_kernel([[1, 2], [0, 1]])
    array([[5., 2.],
           [2., 1.]])
    """
    X, Y = _pair(X, Y, dtype)
    return _blocks(X, Y, lambda block, rows, columns: None)


@_KERNEL
def polynomial_kernel(X, Y=None, *, degree=3, gamma=1.0, coef0=0.0, dtype=np.float64):
    r"""Polynomials, :math:`k(p, q) = (\gamma \langle p, q \rangle + c_0)^d`.

    The defaults, a bare power of the inner product, are those of may2020, section 2.

    Parameters
    ----------
    degree : int, default=3
        :math:`d \ge 1`.

    Examples
    --------
    >>> from weaklearn.kernel import polynomial_kernel
    >>> polynomial_kernel([[1, 2], [0, 1]], degree=2)
    array([[25.,  4.],
           [ 4.,  1.]])
    """
    X, Y = _pair(X, Y, dtype)
    product = abs(gamma) * X.shape[1] * _largest(X) * _largest(Y) + abs(coef0)
    if product > 1 and degree * math.log(product) > math.log(float(np.finfo(dtype).max)):
        raise ValueError(
            f"the polynomial may overflow: products of rows reach {product:.2g}, and their power {degree} is too large "
            f"for {np.dtype(dtype).name}. Divide X by a constant or choose a smaller gamma."
        )

    def transform(block, rows, columns):
        if gamma != 1.0:
            block *= gamma
        if coef0 != 0.0:
            block += coef0
        _power(block, degree)

    return _blocks(X, Y, transform)


@_KERNEL
def gaussian_kernel(X, Y=None, *, gamma=1.0, dtype=np.float64):
    r"""Gaussians, :math:`k(p, q) = e^{-\gamma \|p - q\|^2}` (may2020, section 3, where gamma is the width c).

    Examples
    --------
    >>> from weaklearn.kernel import gaussian_kernel
    >>> gaussian_kernel([[0.0], [1.0]], gamma=0.5).round(4)
    array([[1.    , 0.6065],
           [0.6065, 1.    ]])
    """
    X, Y = _pair(X, Y, np.float64)
    X, Y = _centred(X, Y, dtype)
    squares = _square_norms(X), _square_norms(Y)

    def transform(block, rows, columns):
        _to_square_distances(block, squares[0][rows], squares[1][columns])
        block *= -gamma
        np.exp(block, out=block)

    return _blocks(X, Y, transform, diagonal=1.0)


@_KERNEL
def perceptron_kernel(X, Y=None, *, shift=0.0, dtype=np.float64):
    r"""The perceptron kernel, :math:`k(p, q) = \Delta - \|p - q\|_2`.

    The inner product of all perceptrons' outputs on p and q (up to a factor), so that a machine with this kernel is an
    infinite ensemble of perceptrons. There is no width to choose.

    References
    ----------
    li2006, subsection 1.3.4; H.-T. Lin and L. Li, "Infinite ensemble learning with support vector machines", 2005.

    Examples
    --------
    >>> from weaklearn.kernel import perceptron_kernel
    >>> perceptron_kernel([[0, 0], [3, 4]], shift=5)
    array([[5., 0.],
           [0., 5.]])
    """
    _check_dtype(dtype)
    given, other = _pair(X, Y, np.float64)
    largest = max(_largest(given), _largest(other))
    if 0 < largest < _VANISHING[np.dtype(dtype).name]:
        unit = int(np.frexp(largest)[1])
        distances = perceptron_kernel(
            np.ldexp(given, -unit), None if other is given else np.ldexp(other, -unit), dtype=dtype
        )
        return shift + np.ldexp(distances, unit)
    X, Y = _centred(given, other, dtype)
    squares = _square_norms(X), _square_norms(Y)

    def transform(block, rows, columns):
        limits = np.add.outer(squares[0][rows], squares[1][columns])
        limits *= _CANCELLED if dtype == np.float64 else 1e-4
        _to_square_distances(block, squares[0][rows], squares[1][columns])
        # A square root turns an error of 1e-16 into one of 1e-8: near pairs are measured directly.
        i, j = np.nonzero(block < limits)
        for start in range(0, len(i), 4096):
            some_i, some_j = i[start : start + 4096], j[start : start + 4096]
            gaps = given[rows][some_i] - other[columns][some_j]
            block[some_i, some_j] = np.einsum("ij,ij->i", gaps, gaps)
        np.sqrt(block, out=block)
        np.subtract(shift, block, out=block)

    return _blocks(X, Y, transform, diagonal=shift)


@_KERNEL
def stump_kernel(X, Y=None, *, shift=0.0, dtype=np.float64):
    r"""The stump kernel, :math:`k(p, q) = \Delta - \|p - q\|_1`.

    The same as `perceptron_kernel` for all decision stumps: each feature adds the stumps between p and q.

    References
    ----------
    li2006, subsection 1.3.4; H.-T. Lin and L. Li, "Infinite ensemble learning with support vector machines", 2005.

    Examples
    --------
    >>> from weaklearn.kernel import stump_kernel
    >>> stump_kernel([[0, 0], [3, 4]], shift=7)
    array([[7., 0.],
           [0., 7.]])
    """
    X, Y = _pair(X, Y, np.float64)
    X, Y = _centred(X, Y, dtype)

    def fill(rows, columns, out):
        cityblock(X[rows], Y[columns], out)
        np.subtract(shift, out, out=out)

    return _fill(X, Y, fill)


def positive_shift(kernel, X):
    r"""The constant that makes the perceptron or stump kernel positive definite on a set.

    The stump kernel is an integral over thresholds between the smallest and the largest value of each feature:
    :math:`\Delta_S = \frac12 \sum_k (R_k - L_k)`. The perceptron kernel is an integral over directions and offsets of
    at most the radius R of a ball around the set: :math:`\Delta_P = R / c_m` with :math:`c_m =
    \Gamma(m/2) / (\sqrt\pi\, \Gamma((m+1)/2))` the mean of :math:`|\theta_1|` on the unit sphere.

    Parameters
    ----------
    kernel : {"perceptron", "stump"}
    X : array-like of shape (n_samples, n_features)

    Returns
    -------
    float

    Examples
    --------
    >>> from weaklearn.kernel import positive_shift
    >>> positive_shift("stump", [[0, 0], [3, 4]])
    3.5
    """
    X = check_array(X, dtype=np.float64)
    low, high = X.min(axis=0), X.max(axis=0)
    if kernel == "stump":
        return float(np.sum(high / 2 - low / 2))
    m = X.shape[1]
    centred = X - (high / 2 + low / 2)
    unit = int(np.frexp(np.abs(centred).max())[1])  # a power of two: squares neither overflow nor vanish
    centred = np.ldexp(centred, -unit)
    radius = math.ldexp(math.sqrt(float(np.einsum("ij,ij->i", centred, centred).max())), unit)
    return radius * math.sqrt(math.pi) * math.exp(math.lgamma((m + 1) / 2) - math.lgamma(m / 2))


KERNELS: dict[str, Callable[..., np.ndarray]] = {
    "linear": linear_kernel,
    "perceptron": perceptron_kernel,
    "polynomial": polynomial_kernel,
    "rbf": gaussian_kernel,
    "stump": stump_kernel,
}


def kernel_function(kernel):
    """A kernel by its name, with its default parameters; a function of two tables is returned as it is."""
    if callable(kernel):
        return kernel
    if kernel not in KERNELS:
        raise ValueError(f"kernel must be callable or one of {sorted(KERNELS)}, got {kernel!r}.")
    return KERNELS[kernel]


def _check_dtype(dtype):
    if dtype not in (np.float32, np.float64):
        raise ValueError(f"dtype must be numpy.float32 or numpy.float64, got {dtype!r}.")


def _pair(X, Y, dtype):
    """X and Y as arrays of a type, with products of rows that cannot overflow."""
    _check_dtype(dtype)
    X = check_array(X, dtype=dtype, order="C", input_name="X")
    Y = X if Y is None else check_array(Y, dtype=dtype, order="C", input_name="Y")
    if X.shape[1] != Y.shape[1]:
        raise ValueError(f"X and Y must be tables with the same columns, got shapes {X.shape} and {Y.shape}.")
    limit = math.sqrt(float(np.finfo(dtype).max) / (8 * X.shape[1]))
    largest = max(_largest(X), 0.0 if Y is X else _largest(Y))
    if largest > limit:
        raise ValueError(
            f"products of rows would overflow: the values reach {largest:.2g}, and {X.shape[1]} columns of "
            f"{np.dtype(dtype).name} allow {limit:.2g}. Divide them by a constant."
        )
    return X, Y


def _largest(X):
    return max(float(X.max()), -float(X.min()))


def _centred(X, Y, dtype):
    """Distances do not care where the origin is, rounding does."""
    _check_dtype(dtype)
    centre = Y.mean(axis=0)
    moved = np.ascontiguousarray(Y - centre, dtype=dtype)
    return (moved if X is Y else np.ascontiguousarray(X - centre, dtype=dtype)), moved


def _square_norms(X):
    return np.einsum("ij,ij->i", X, X)


def _to_square_distances(block, row_squares, column_squares):
    block *= -2.0
    block += row_squares[:, None]
    block += column_squares
    np.maximum(block, 0.0, out=block)


def _power(block, degree):
    """block ** degree in place, by squaring: numpy's power is ten times slower."""
    result = None
    while True:
        if degree & 1:
            if result is None:
                result = block if degree == 1 else block.copy()
            else:
                result *= block
        degree >>= 1
        if not degree:
            break
        np.multiply(block, block, out=block)
    if result is not block:
        block[...] = result


def _blocks(X, Y, transform, diagonal=None):
    """Products of rows, transformed block by block."""

    def fill(rows, columns, out):
        np.matmul(X[rows], Y[columns].T, out=out)
        transform(out, rows, columns)

    return _fill(X, Y, fill, diagonal)


def _fill(X, Y, fill, diagonal=None):
    out = np.empty((len(X), len(Y)), dtype=X.dtype)
    symmetric = X is Y
    height = max(16, min(1024, _BLOCK_NUMBERS // max(1, len(Y))))
    for start in range(0, len(X), height):
        rows = slice(start, min(start + height, len(X)))
        first = start if symmetric else 0
        columns = slice(first, len(Y))
        block = np.empty((rows.stop - start, len(Y) - first), dtype=X.dtype)
        fill(rows, columns, block)
        out[rows, columns] = block
        if symmetric:
            square = block[:, : len(block)]
            # The small square on the diagonal is made symmetric to the last bit.
            lower = np.tril_indices(len(block), -1)
            square[lower] = square.T[lower]
            out[rows, rows] = square
            out[rows.stop :, rows] = block[:, len(block) :].T
    if symmetric and diagonal is not None:
        np.fill_diagonal(out, diagonal)
    return out
