"""LogisticFit: the two-parameter logistic curve of largest likelihood."""

import numpy as np

from weaklearn._docstrings import documented
from weaklearn.monotone._two_parameters import TwoParameterFit


@documented
class LogisticFit(TwoParameterFit):
    r"""Maximum likelihood in the family :math:`p(x) = 1 / (1 + e^{-(x - a) / b})`, rising.

    The log-likelihood :math:`\sum_i m_i [y_i \log p(x_i) + (1 - y_i) \log(1 - p(x_i))]` is concave in the
    coefficients of the log-odds :math:`c + s x` (:math:`s = 1/b`, :math:`c = -a/b`). It is maximised exactly under
    :math:`0 \le s \le 16 / g`, g being the smallest gap between levels. What these bounds mean:

    - answers that do not rise with x get the constant curve at their overall share (s = 0);
    - separated answers (no yes below a no) have no finite maximum; they get the steepest slope, from 0.0003 to
      0.9997 over the smallest gap, and the best place for it in the gap;
    - if all answers are alike, the curve is constant with log-odds -30 or 30.

    Notes
    -----
    The source writes the exponent with the opposite sign, which would make the family fall.

    References
    ----------
    pratap2008, section 3.2.1.

    Examples
    --------
    >>> fit = LogisticFit().fit([1, 2, 3, 4], [0.1, 0.4, 0.6, 0.9], sample_weight=[10, 10, 10, 10])
    >>> round(fit.threshold(), 6)
    2.5
    >>> round(fit.slope_, 3)
    1.328
    """

    @staticmethod
    def _probability(score):
        return 0.5 * (1.0 + np.tanh(0.5 * score))

    @staticmethod
    def _score(level):
        return np.log(level / (1 - level))

    @staticmethod
    def _log_likelihood(y, m, score):
        return float(np.sum(m * (y * score - np.logaddexp(0.0, score))))

    @staticmethod
    def _rising_coefficients(u, y, m):
        from weaklearn._fast.logistic import logistic_rows

        centres, slopes = np.empty(len(y)), np.empty(len(y))
        logistic_rows(u, y, m, centres, slopes)
        return centres, slopes

    @staticmethod
    def _profile(u, y, m, score, places):
        from weaklearn._fast.logistic import profile_row

        best = np.empty(len(places))
        profile_row(u, y, m, score, places, best)
        return best
