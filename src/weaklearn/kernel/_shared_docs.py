"""What the docstrings of the kernel machines have in common."""

from weaklearn._docstrings import CLASSIFIER, Blocks

__all__ = ["documented"]

documented = Blocks(
    """
    Parameters
    ----------
    kernel : {"gaussian", "polynomial", "linear", "perceptron", "stump", "precomputed"} or callable, default={default}
        A callable gets two tables and returns the matrix between their rows.
    degree : int, default={default}
        Of the polynomial kernel.
    gamma : "scale" or float, default={default}
        Factor of the inner product or width of the Gaussian; "scale" is 1 / (n_features * X.var()).
    coef0 : "auto" or float, default={default}
        Constant of the polynomial (0) or of the perceptron and stump kernels (what makes them positive definite).
    dtype : {"float64", "float32"}, default={default}
        Of the Gram matrix.
    gram_limit : float, default={default}
        Gigabytes that the Gram matrix may take; a larger one is refused before anything is computed.

    Attributes
    ----------
    support_ : ndarray of shape (n_support,)
        Row numbers of the examples with a coefficient in any machine.
    support_vectors_ : ndarray of shape (n_support, n_features)
        These rows. Empty for a precomputed kernel.
    dual_coef_ : ndarray of shape (n_machines, n_support)
        Their coefficients; one machine for two classes, else one per class.
    intercept_ : ndarray of shape (n_machines,)
        The intercepts.
    n_support_ : ndarray of shape (n_machines,)
        Number of non-zero coefficients of each machine.
    """,
    base=CLASSIFIER,
)
