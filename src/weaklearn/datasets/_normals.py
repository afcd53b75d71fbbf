"""Breiman's problems: two classes, equally likely, made of normal distributions in many dimensions.

In all of them each label is +1 (the first class of the texts) or -1 with probability 1/2, independently, and
`a=None` stands for the published value with the square root of the number of features for sqrt(20), which
keeps the distance between the means whatever the dimension.
"""

import numpy as np

from ._parameters import GENERATOR, checked_count, checked_real, random_generator


def _labels_and_noise(n_samples, n_features, random_state):
    """Random labels, standard normal inputs and the generator, for the checked sizes."""
    n_samples = checked_count("n_samples", n_samples)
    n_features = checked_count("n_features", n_features)
    rng = random_generator(random_state)
    y = rng.choice((-1, 1), size=n_samples)
    return y, rng.standard_normal((n_samples, n_features)), rng


def _shift(a, steps, n_features):
    return steps / np.sqrt(n_features) if a is None else checked_real("a", a)


@GENERATOR
def make_twonorm(n_samples=400, *, n_features=20, a=None, random_state=None):
    """The twonorm problem: two normal classes with opposite means.

    Class +1 is N((a, ..., a), I) and class -1 is N((-a, ..., -a), I). The best classifier is the sign of
    the sum of the features, with error Phi(-a sqrt(n_features)): 2.3% for the published a.

    Parameters
    ----------
    a : float or None, default=None
        Entry of the mean; None means 2 / sqrt(n_features).

    Notes
    -----
    Definition: pratap2008 section 2.6.5.1, after Breiman (1996).

    Examples
    --------
    >>> from weaklearn.datasets import make_twonorm
    >>> X, y = make_twonorm(1000, random_state=0)
    >>> bool(((X.sum(axis=1) > 0) == (y > 0)).mean() > 0.95)
    True
    """
    y, X, _ = _labels_and_noise(n_samples, n_features, random_state)
    X += _shift(a, 2, n_features) * y[:, np.newaxis]
    return X, y


@GENERATOR
def make_threenorm(n_samples=400, *, n_features=20, a=None, random_state=None):
    """The threenorm problem: one class with two opposite clusters, the other with one beside them.

    Class +1 is N(m, I) or N(-m, I) with probability 1/2 each, where m = (a, ..., a); class -1 is
    N((a, -a, a, -a, ...), I). The error of the best classifier is about 10.5% for the published a in 20
    dimensions.

    Parameters
    ----------
    a : float or None, default=None
        Entry of the means; None means 2 / sqrt(n_features).

    Notes
    -----
    Used in li2005 section 4 (li2006 section 2.4), which names the problem and refers to Breiman (1996, 1998)
    for the definition.

    Examples
    --------
    >>> from weaklearn.datasets import make_threenorm
    >>> X, y = make_threenorm(100, random_state=0)
    >>> X.shape
    (100, 20)
    """
    y, X, rng = _labels_and_noise(n_samples, n_features, random_state)
    cluster = rng.choice((-1.0, 1.0), size=y.size)
    alternating = 1.0 - 2.0 * (np.arange(X.shape[1]) % 2)
    directions = np.where(y[:, np.newaxis] > 0, cluster[:, np.newaxis], alternating)
    X += _shift(a, 2, n_features) * directions
    return X, y


@GENERATOR
def make_ringnorm(n_samples=400, *, n_features=20, a=None, random_state=None):
    """The ringnorm problem: a narrow normal class inside a wide one.

    Class +1 is N(0, 4 I) and class -1 is N((a, ..., a), I).

    Parameters
    ----------
    a : float or None, default=None
        Entry of the mean of class -1; None means 1 / sqrt(n_features). The other form in print has
        2 / sqrt(20), see the notes.

    Notes
    -----
    Two values of `a` are in use. pratap2008 section 4.7.1 prints a = 2 / sqrt(20), with the mean at -a, which
    by symmetry is the same problem reflected. li2005 (li2006 section 2.4) names the problem without defining
    it; only a = 1 / sqrt(20) agrees with the errors that it reports for linear classifiers (about 35%,
    against 24% for the larger value). The default is the latter; pass ``a=2 / 20**0.5`` for pratap2008. The
    error of the best classifier is 1.5% for the smaller value and 1.2% for the larger one.

    Examples
    --------
    >>> from weaklearn.datasets import make_ringnorm
    >>> X, y = make_ringnorm(1000, random_state=0)
    >>> bool(X[y > 0].var() > 3 * X[y < 0].var())
    True
    """
    y, X, _ = _labels_and_noise(n_samples, n_features, random_state)
    X = np.where(y[:, np.newaxis] > 0, 2.0 * X, X + _shift(a, 1, n_features))
    return X, y
