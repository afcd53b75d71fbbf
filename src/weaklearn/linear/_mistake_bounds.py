"""How many mistakes an online linear learner can make, whatever the order of the examples."""

import math

__all__ = [
    "mistake_probability_bound",
    "novikoff_bound",
    "perceptron_disjunction_bound",
    "winnow_disjunction_bound",
]


def novikoff_bound(radius, margin):
    """The most mistakes of Rosenblatt's perceptron on separable examples: ``(radius / margin)^2``.

    Parameters
    ----------
    radius : float
        The largest length of an example.
    margin : float
        The least ``y_i <w, x_i>`` of some separating w of length 1.

    Returns
    -------
    float

    References
    ----------
    may2020, part II (iv): Novikoff's theorem.

    Examples
    --------
    >>> from weaklearn.linear import novikoff_bound
    >>> novikoff_bound(2.0, 0.5)
    16.0
    """
    _check_positive(radius=radius, margin=margin)
    return (radius / margin) ** 2


def mistake_probability_bound(n_samples, n_features, margin=1.0):
    """The probability of a mistake on a random one of n_samples examples with entries -1 and 1, for a perceptron.

    The examples have length ``sqrt(n_features)``, so there are at most ``B = n_features / margin^2`` mistakes, and the
    example that is asked about is one of them with a probability of at most ``B / n_samples``. For the label that is
    one of the features the margin is 1.

    Parameters
    ----------
    n_samples, n_features : int
    margin : float, default=1.0

    Returns
    -------
    float
        Not clipped: 1 or more says nothing.

    References
    ----------
    may2020, equation (9).

    Examples
    --------
    >>> from weaklearn.linear import mistake_probability_bound
    >>> mistake_probability_bound(1000, 100)
    0.1
    """
    _check_positive(n_samples=n_samples, n_features=n_features, margin=margin)
    return novikoff_bound(math.sqrt(n_features), margin) / n_samples


def perceptron_disjunction_bound(n_literals, n_features):
    """The most mistakes of the perceptron on a monotone disjunction of n_literals features: ``(4 k + 1)(n + 1)``.

    Inputs are 0 and 1, and the perceptron has a constant feature besides them.

    Parameters
    ----------
    n_literals, n_features : int

    Returns
    -------
    int

    References
    ----------
    may2020, part II (iii).

    Examples
    --------
    >>> from weaklearn.linear import perceptron_disjunction_bound, winnow_disjunction_bound
    >>> perceptron_disjunction_bound(1, 100), round(winnow_disjunction_bound(1, 100), 1)
    (505, 24.9)
    """
    _check_literals(n_literals, n_features)
    return (4 * n_literals + 1) * (n_features + 1)


def winnow_disjunction_bound(n_literals, n_features):
    """The most mistakes of Winnow on a monotone disjunction of n_literals features: ``3 k (log2 n + 1) + 2``.

    Inputs are 0 and 1, weights start at 1, are doubled and halved, and the threshold is n.

    Parameters
    ----------
    n_literals, n_features : int

    Returns
    -------
    float

    References
    ----------
    may2020, part II (iii), which does not print the base of the logarithm: weights are doubled, so it is 2.
    """
    _check_literals(n_literals, n_features)
    return 3 * n_literals * (math.log2(n_features) + 1) + 2


def _check_positive(**values):
    for name, value in values.items():
        if not value > 0:
            raise ValueError(f"{name} must be positive, got {value!r}")


def _check_literals(n_literals, n_features):
    if not 1 <= n_literals <= n_features:
        raise ValueError(f"n_literals must be from 1 to n_features = {n_features}, got {n_literals!r}")
