"""What the docstrings of the multiclass ensembles have in common."""

from weaklearn._docstrings import CLASSIFIER, Blocks

__all__ = ["documented"]

documented = Blocks(
    """
    Parameters
    ----------
    estimator : object, default={default}
        The weak learner: any binary classifier. None means `DecisionStump()`. One whose ``fit`` takes no
        ``sample_weight`` is trained on resamples drawn by weight.
    n_estimators : int, default={default}
        The largest number of rounds.
    random_state : int, RandomState instance or None, default={default}
        Seeds random partitions and the weak learner.

    Attributes
    ----------
    code_matrix_ : ndarray of shape (n_classes, n_iter_)
        -1 and +1; a row of zeros for an absent class.
    estimators_ : list of classifiers
        The hypotheses, trained on the labels -1 and +1.
    estimator_weights_ : ndarray of shape (n_iter_,)
        Their coefficients.
    estimator_errors_ : ndarray of shape (n_iter_,)
        Their weighted errors in the rounds that made them, on the final column of the round.
    cost_curve_ : ndarray of shape (n_iter_,)
        The cost after each round, as a share of its value before the first, the sum of w_n (K - 1).
    error_curve_ : ndarray of shape (n_iter_,)
        Weighted training error after each round, as a share; a margin of 0 is an error.
    stop_reason_ : str
        "n_estimators", or "no edge" if the error of a hypothesis was 1/2 or more; that one is not kept.
    n_iter_ : int
        The number of hypotheses.
    absent_ : ndarray of bool, shape (n_classes,)
        Classes all of whose examples have weight zero; they are never predicted.
    """,
    base=CLASSIFIER,
    only_with={
        "code_matrix_": "partition",
        **dict.fromkeys(
            ("estimator_errors_", "cost_curve_", "error_curve_", "stop_reason_", "n_iter_"), "n_estimators"
        ),
    },
)
