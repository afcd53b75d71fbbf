"""What the docstrings of the cloners have in common."""

from weaklearn._docstrings import CLASSIFIER, Blocks

__all__ = ["documented"]

documented = Blocks(
    """
    Parameters
    ----------
    inputs : callable, DataFrame, array-like or None, default={default}
        Where new inputs come from: ``inputs(n, rng)`` that returns n of them, a pool of unlabelled ones, or
        (None) `SmoothedBootstrap`.
    selection : bool, default={default}
        Whether clones get the original's mix of easy, critical and noisy examples. False labels inputs as drawn.
    n_bins : int, default={default}
        Quantile bins of the values, in each class.
    measure : callable, default={default}
        The complexity that is matched, ``measure(X, y) -> float``, on standardised columns. None means support
        vectors plus errors of a Gaussian SVM, per example.
    random_state : int, RandomState instance or None, default={default}
        Seeds the matching; clones are seeded in `sample`.

    Attributes
    ----------
    values_ : ndarray of shape (n_samples,)
        The margins of the original examples.
    noise_share_ : float
        The share of noisy examples in clones.
    complexity_ : float
        The complexity of the original (of 500 of its examples, if there are more).
    ladder_complexity_ : ndarray
        Mean complexity of the clones for each setting of ``ladder_``; NaN where there was nothing to choose.
    ladder_ : list
        The settings tried, each with the stage of the scores and the share of misfits that count as noise.
    setting_ : object
        The one taken: that whose clones are nearest to the original in complexity.
    """,
    base=CLASSIFIER,
)
