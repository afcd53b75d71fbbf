"""What the docstrings of the linear threshold learners have in common."""

from weaklearn._docstrings import CLASSIFIER, Blocks

__all__ = ["documented"]

documented = Blocks(
    """
    Parameters
    ----------
    order : {"random", "permute", "cyclic"}, default={default}
        How examples are presented: every trial drawn anew, every epoch in a new random order, or every
        epoch in the given order.
    init : {"zero", "fld"} or array-like of shape (n_features + 1,), default={default}
        The first weight vector: zero, Fisher's discriminant, or coefficients followed by an intercept (one
        row per class if there are more than two).
    max_iter : int, default={default}
        Number of epochs.
    weighting : {"reweight", "resample"}, default={default}
        How sample weights act: as above, or by drawing examples in proportion to them (only with order
        "random").
    fit_intercept : bool, default={default}
        Whether to learn a bias. Without one the columns are used as they are, because scaling them to [-1,
        1] would move the origin.
    keep_path : bool, default={default}
        Whether to keep ``path_``.
    random_state : int, RandomState instance or None, default={default}
        Seeds the orders that are random.

    Attributes
    ----------
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        The coefficients; one row for two classes, else one per class against the rest.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        The intercepts.
    n_iter_ : int
        Number of epochs run.
    error_curve_ : ndarray of shape (n_iter_ + 1,) or (n_classes, n_iter_ + 1)
        Weighted training error, as a share, at the start and after each epoch.
    path_ : ndarray of shape (n_iter_ + 1, n_features + 1)
        With ``keep_path``: the weight vectors behind ``error_curve_``, bias last. A list if there are more
        than two classes.
    """,
    base=CLASSIFIER,
    only_with={"path_": "keep_path"},
)
