"""What the docstrings of the monotone regressors have in common."""

from weaklearn._docstrings import Blocks

__all__ = ["documented"]

documented = Blocks("""
Parameters
----------
increasing : bool, default={default}
    Whether the curve rises or falls.
interpolation : {"linear", "cubic"}, default={default}
    Between levels: straight lines, or the monotone cubic of Fritsch and Carlson.

Attributes
----------
levels_ : ndarray of shape (n_levels,)
    The distinct inputs, increasing.
observed_ : ndarray of shape (n_levels,)
    The weighted mean of y at each level.
counts_ : ndarray of shape (n_levels,)
    The total weight (number of samples) at each level.
values_ : ndarray of shape (n_levels,)
    The fitted values.
n_features_in_ : int
    1: the level.
""")
