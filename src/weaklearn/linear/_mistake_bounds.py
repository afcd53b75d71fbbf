"""How many mistakes an online linear learner can make, whatever the order of the examples."""

import math


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
    for name, value in (("radius", radius), ("margin", margin)):
        if not value > 0:
            raise ValueError(f"{name} must be positive, got {value!r}")
    return (radius / margin) ** 2


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

    Examples
    --------
    >>> from weaklearn.linear import winnow_disjunction_bound
    >>> round(winnow_disjunction_bound(1, 100), 1)
    24.9
    """
    if not 1 <= n_literals <= n_features:
        raise ValueError(f"n_literals must be from 1 to n_features = {n_features}, got {n_literals!r}")
    return 3 * n_literals * (math.log2(n_features) + 1) + 2
