"""LogitBoost: the logistic cost, minimised by Newton steps."""

from weaklearn._docstrings import documented
from weaklearn.boosting._classifier import BoostedClassifier
from weaklearn.boosting._steps import Newton
from weaklearn.costs import Logistic

__all__ = ["LogitBoostClassifier"]


@documented
class LogitBoostClassifier(BoostedClassifier):
    """The logistic cost, minimised by Newton steps.

    Minimises ``sum_i w_i ln(1 + exp(-y_i F(x_i)))``. Round t weights the examples by ``w_i / (1 + exp(y_i
    F(x_i)))`` and adds h_t with one Newton step, ``sum_i v_i y_i h_t(x_i) / sum_i v_i / (1 + exp(-y_i
    F(x_i)))`` with those weights v. F estimates the log-odds.

    See Also
    --------
    AnyBoostClassifier : ``cost="logistic"`` with other steps.

    Notes
    -----
    This is the method of pratap2008's table: hypotheses are classifiers, chosen by weighted error.
    Friedman, Hastie and Tibshirani's LogitBoost fits real-valued trees by least squares instead.

    References
    ----------
    - pratap2008, table 2.1.

    Examples
    --------
    >>> from weaklearn.boosting import LogitBoostClassifier
    >>> from weaklearn.datasets import make_ring
    >>> X, y = make_ring(60, random_state=0)
    >>> LogitBoostClassifier(n_estimators=60).fit(X, y).score(X, y)
    1.0
    """

    def _preset(self):
        return Logistic(), Newton()
