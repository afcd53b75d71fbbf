"""ProbitFit: the normal distribution function of largest likelihood (probit analysis)."""

import numpy as np
from scipy.special import log_ndtr, ndtr, ndtri

from weaklearn._docstrings import documented
from weaklearn.monotone._two_parameters import TwoParameterFit

# The score rises by at most this much from a level to the next: from 0.0002 to 0.9998 if centred.
_STEEPNESS = 7.0
# Where the score of answers that are all alike stops (p = 7e-14).
_FARTHEST = 7.4
# Below minus this much the two large terms of the hazard cancel; the first terms of its series are exact to 1e-15.
_TAIL = 1e4


@documented
class ProbitFit(TwoParameterFit):
    r"""Maximum likelihood in the family :math:`p(x) = \Phi((x - a) / b)`, rising (probit analysis).

    :math:`\Phi` is the standard normal distribution function: every subject has a threshold of its own, and these
    are normally distributed. The log-likelihood :math:`\sum_i m_i [y_i \log p(x_i) + (1 - y_i) \log(1 - p(x_i))]` is
    concave in the coefficients of the score :math:`c + s x` (:math:`s = 1/b`, :math:`c = -a/b`), and is maximised under
    :math:`0 \le s \le 7 / g`, g being the smallest gap between levels. As in `LogisticFit`,

    - answers that do not rise with x get the constant curve at their overall share (s = 0);
    - separated answers (no yes below a no) have no finite maximum and get the steepest slope, from 0.0002 to
      0.9998 over the smallest gap;
    - if all answers are alike, the curve is constant with a score of -7.4 or 7.4.

    References
    ----------
    - D. J. Finney, *Probit Analysis*, Cambridge University Press (1971).
    - pratap2008, section 3.2.1, names it among the most used methods.

    Examples
    --------
    >>> fit = ProbitFit().fit([1, 2, 3, 4], [0.1, 0.4, 0.6, 0.9], sample_weight=[10, 10, 10, 10])
    >>> round(fit.threshold(), 6)
    2.5
    >>> round(fit.slope_, 3)
    0.798
    """

    _probability = staticmethod(ndtr)
    _score = staticmethod(ndtri)

    @staticmethod
    def _log_likelihood(y, m, score):
        return np.sum(m * (y * log_ndtr(score) + (1 - y) * log_ndtr(-score)), axis=-1)

    @staticmethod
    def _rising_coefficients(u, y, m):
        y = np.where(m > 0, y, 0.0)
        rate = np.clip((m * y).sum(axis=1) / m.sum(axis=1), 0.0, 1.0)
        centres, slopes = np.clip(ndtri(rate), -_FARTHEST, _FARTHEST), np.zeros(len(y))
        # At slope 0 the likelihood's derivative in the slope has the sign of this covariance.
        covariance = (m * (y - rate[:, None]) * u).sum(axis=1)
        rising = np.flatnonzero((rate > 0) & (rate < 1) & (covariance > 1e-12 * m.sum(axis=1)))
        if len(rising):
            centres[rising], slopes[rising] = _steep_coefficients(u, y[rising], m[rising], rate[rising])
        return centres, slopes

    @staticmethod
    def _profile(u, y, m, score, places):
        away = u - places[:, None]

        def derivative(slopes):
            first, second = _derivatives(y, m, score + slopes[:, None] * away)
            return (first * away).sum(axis=1), (second * away**2).sum(axis=1)

        bottom, top = np.zeros(len(places)), np.full(len(places), _STEEPNESS / np.diff(u).min(initial=np.inf))
        slopes = _roots(derivative, bottom, top)
        return ProbitFit._log_likelihood(y, m, score + slopes[:, None] * away)


def _steep_coefficients(u, y, m, rate):
    """(centre, slope) of rows whose best slope is positive."""
    steepest = np.array([_STEEPNESS / np.diff(u[row > 0]).min() for row in m])
    middle = ndtri(rate)

    def best_centre(slopes):
        def derivative(centres):
            first, second = _derivatives(y, m, centres[:, None] + slopes[:, None] * u)
            return first.sum(axis=1), second.sum(axis=1)

        # If every score is above that of the overall share, fewer yes answers fit better; and the other way round.
        return _roots(derivative, middle - slopes, middle)

    def derivative(slopes):
        """In the slope, the centre being at its best: concave, too."""
        first, second = _derivatives(y, m, best_centre(slopes)[:, None] + slopes[:, None] * u)
        centre, both = second.sum(axis=1), (second * u).sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            bend = (second * u**2).sum(axis=1) - both**2 / centre
        return (first * u).sum(axis=1), bend

    separated = _last(u, m * (1 - y)) <= -_last(-u, m * y)
    slopes = np.where(separated, steepest, _roots(derivative, np.zeros(len(y)), steepest))
    return best_centre(slopes), slopes


def _last(u, weight):
    return np.where(weight > 0, u, -np.inf).max(axis=1)


def _derivatives(y, m, score):
    """First derivative of every answer's log-likelihood in its score, and minus the second."""
    yes, no = _hazard(score), _hazard(-score)
    first = m * (y * yes - (1 - y) * no)
    # yes + score cancels far out, where the exact value tends to 1.
    bends = [np.clip(hazard * (hazard + z), 0.0, 1.0) for hazard, z in ((yes, score), (no, -score))]
    return first, m * (y * bends[0] + (1 - y) * bends[1])


def _hazard(score):
    """The derivative of log Phi: density over distribution function."""
    near = np.clip(score, -_TAIL, _TAIL)
    hazard = np.exp(-0.5 * near**2 - 0.5 * np.log(2 * np.pi) - log_ndtr(near))
    return np.where(score < -_TAIL, -score - 1 / np.minimum(score, -_TAIL), hazard)


def _roots(function, low, high):
    """The zeros of falling functions, one per row, or the ends beyond which they lie.

    ``function`` gives values and minus derivatives. Newton's steps inside brackets that every step narrows.
    """
    at = 0.5 * (low + high)
    for _ in range(100):
        value, bend = function(at)
        low, high = np.where(value > 0, at, low), np.where(value > 0, high, at)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            new = np.where(value == 0, at, at + value / bend)
        new = np.where((low <= new) & (new <= high), new, 0.5 * (low + high))
        if (np.abs(new - at) <= 1e-13 * (1.0 + np.abs(at))).all():
            return new
        at = new
    return at
