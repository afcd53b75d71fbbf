r"""The choice between classifiers: what is known before, the evidence of test rows, and what a choice may cost.

The true errors :math:`\mu` of K classifiers have a normal prior: a level of which nothing is known, and deviations from
it with mean :math:`s\,a` and covariance :math:`s^2 A`, where :math:`s = \sqrt{u (1 - u)}` and u is the lowest error so
far. a and A come from our own study: the default classifiers on 42 tables of 80 to 250 rows, 30 generated and 12 real,
both kinds with equal weight (``python -m benchmarks.compare prior``). A classifier of another name has a = 0 and an
independent deviation, of the mean variance of A. The evidence is the mean loss e over the N rows tested so far, normal
around :math:`\mu` with covariance S / N: S that of the losses of a row, paired, so what makes a row hard for all
cancels. To S belongs 1 / N on the diagonal, as if any two classifiers disagreed on two rows more: a few equal answers
prove nothing. With more rows, N outweighs the prior. Rows that only some classifiers were tested on are taken one block
after the other, each for those that were. R repeats count as one: every test as 1 / R of a row.

*The rule of the race.* After the rest of the folds, the expected difference of a classifier m from b, the one with the
lowest expected error, will have moved by a normal amount of variance w, the variance of :math:`\mu_m - \mu_b` now less
that after the rest. So more folds for m are worth :math:`E[(-D)_+]` with :math:`D \sim N(d, w)`, d being the expected
difference now: by that much they lower the expected error of the choice. A classifier for which this is below
`LEAST_GAIN` leaves the race. A posterior does not depend on when one looks, so looking after every few folds costs
nothing; dropping one classifier costs at most `LEAST_GAIN` in expectation. The stated regret counts those that left.
"""

from typing import NamedTuple

import numpy as np
from scipy.stats import norm

#: In error: a twentieth of a percentage point.
LEAST_GAIN = 0.0005
# a and A, in the order of _STUDIED.
_STUDIED = {
    "robust classifier": 0,
    "linear 0/1 loss": 1,
    "noise-tolerant boosting": 2,
    "AdaBoost.ECC of stumps": 2,
    "logistic regression": 3,
    "Gaussian-kernel SVM": 4,
    "random forest": 5,
    "boosted trees": 6,
    "stacked ensemble": 7,
}
_MEAN = np.array([-0.13, 0.09, 0.05, 0.07, -0.06, -0.02, 0.09, -0.09])
_COVARIANCE = np.array(
    [
        [0.045, -0.051, -0.014, -0.051, 0.047, 0.004, -0.019, 0.040],
        [-0.051, 0.123, -0.014, 0.122, -0.060, -0.042, -0.021, -0.057],
        [-0.014, -0.014, 0.028, -0.014, -0.016, 0.018, 0.023, -0.009],
        [-0.051, 0.122, -0.014, 0.129, -0.061, -0.044, -0.021, -0.060],
        [0.047, -0.060, -0.016, -0.061, 0.060, 0.003, -0.021, 0.048],
        [0.004, -0.042, 0.018, -0.044, 0.003, 0.029, 0.024, 0.008],
        [-0.019, -0.021, 0.023, -0.021, -0.021, 0.024, 0.048, -0.013],
        [0.040, -0.057, -0.009, -0.060, 0.048, 0.008, -0.013, 0.043],
    ]
)
_N_DRAWS = 20_000


class Beliefs(NamedTuple):
    """The posterior of the true errors: means and covariance."""

    mean: np.ndarray
    covariance: np.ndarray

    @property
    def best(self) -> int:
        """The classifier with the lowest expected error, which is also that with the least expected regret."""
        return int(self.mean.argmin())

    def after(self, tested, error, evidence) -> "Beliefs":
        """With the mean losses of the classifiers ``tested`` on new rows, which have the covariance ``evidence``."""
        C = self.covariance
        gain = np.linalg.solve(C[np.ix_(tested, tested)] + evidence, C[tested]).T
        covariance = C - gain @ C[tested]
        return Beliefs(self.mean + gain @ (error - self.mean[tested]), (covariance + covariance.T) / 2)

    def spread(self) -> np.ndarray:
        """Variances of the differences from the best."""
        C, b = self.covariance, self.best
        return C.diagonal() + C[b, b] - 2 * C[b]

    def regret(self) -> tuple[float, float]:
        """The expected regret of the best one, and the 95th percentile."""
        # Rounding, beside a variance of 1, and what the two decimals of A leave.
        root = np.linalg.cholesky(self.covariance + 1e-9 * np.eye(len(self.mean)))
        drawn = self.mean + np.random.RandomState(0).standard_normal((_N_DRAWS, len(root))) @ root.T
        regret = drawn[:, self.best] - drawn.min(axis=1)
        return float(regret.mean()), float(np.quantile(regret, 0.95))


def beliefs(names, wrong, n_repeats=1) -> Beliefs:
    """The posterior after losses (n_classifiers, n_tests), NaN from where a classifier left the race."""
    n_tests = (~np.isnan(wrong)).sum(axis=1)
    u = ((np.nansum(wrong, axis=1) + n_repeats) / (n_tests + 2 * n_repeats)).min()
    known = _prior(names, np.sqrt(u * (1 - u)))
    start = 0
    for end in np.unique(n_tests):
        tested = np.flatnonzero(n_tests >= end)
        evidence = _evidence(wrong[tested, :end], end - start, n_repeats)
        known = known.after(tested, wrong[tested, start:end].mean(axis=1), evidence)
        start = end
    return known


def worth(known, wrong, racing, n_left, n_repeats=1) -> np.ndarray:
    """By how much more tests of each of those ``racing``, ``n_left`` of them, should lower the error of the choice."""
    rows = wrong[racing][:, ~np.isnan(wrong[racing]).any(axis=0)]
    later = known.after(racing, known.mean[racing], _evidence(rows, n_left, n_repeats))
    moved = np.sqrt(np.maximum(known.spread() - later.spread(), 1e-300))[racing]
    lead = (known.mean[racing] - known.mean[known.best]) / moved
    return np.where(np.equal(racing, known.best), np.inf, moved * (norm.pdf(lead) - lead * norm.sf(lead)))


def _evidence(wrong, n_tests, n_repeats=1):
    """The covariance of mean losses on ``n_tests`` more of such rows."""
    one = np.eye(len(wrong))
    return (np.cov(wrong, bias=True).reshape(one.shape) + one * n_repeats / wrong.shape[1]) / (
        n_tests / n_repeats
    )


def _prior(names, s):
    mean, A = np.zeros(len(names)), np.eye(len(names)) * _COVARIANCE.diagonal().mean()
    known = [k for k, name in enumerate(names) if name in _STUDIED]
    places = [_STUDIED[names[k]] for k in known]
    mean[known] = s * _MEAN[places]
    A[np.ix_(known, known)] = _COVARIANCE[np.ix_(places, places)]
    return Beliefs(mean, s**2 * A + 1.0)  # any level: a variance of 1 of what all have in common
