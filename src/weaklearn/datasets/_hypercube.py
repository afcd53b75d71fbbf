"""Problems on the corners of the cube {-1, +1}^n."""

import numpy as np

from ._parameters import GENERATOR, checked_count, random_generator


@GENERATOR
def make_little_bit(n_samples=100, *, n_features=10, random_state=None):
    """The 'just a little bit' problem: one feature is the label, all others are irrelevant.

    Inputs are uniform in {-1.0, +1.0}^n_features, and the label of an example is its first feature.

    Notes
    -----
    Definition: may2020 part II, question 1. The inputs are drawn with replacement.

    Examples
    --------
    >>> from weaklearn.datasets import make_little_bit
    >>> X, y = make_little_bit(5, n_features=3, random_state=0)
    >>> bool((X[:, 0] == y).all())
    True
    """
    n_samples = checked_count("n_samples", n_samples)
    n_features = checked_count("n_features", n_features)
    X = random_generator(random_state).choice((-1.0, 1.0), size=(n_samples, n_features))
    return X, X[:, 0].astype(np.int64)
