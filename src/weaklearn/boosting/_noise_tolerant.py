"""A preset for noisy labels: a sum of short boosting runs on bootstrap samples."""

from numbers import Integral

from sklearn.utils._param_validation import Interval

from weaklearn._docstrings import documented
from weaklearn.boosting._classifier import BoostedClassifier
from weaklearn.boosting._steps import Newton
from weaklearn.costs import Logistic


@documented
class NoiseTolerantBoostClassifier(BoostedClassifier):
    """Boosting for data some of whose labels are wrong.

    The ensemble is a sum of short runs of boosting. Each run but the first begins with the weights of a
    bootstrap sample, and with its own margins at 0; runs that disagree about an example, as they do about
    wrong labels, cancel out there. The cost of a run is the logistic one, which grows only linearly for
    examples on the wrong side, and stumps are chosen by the Gini criterion. Nothing has to be stopped at
    the right moment: more runs only average more.

    Parameters
    ----------
    estimator : object, default=None
        The weak learner: any classifier. None means ``DecisionStump(criterion="gini")``. One whose ``fit``
        takes no ``sample_weight`` is trained on resamples drawn by weight; one with a ``random_state`` gets
        a seed of its own in every round.
    n_estimators : int, default=500
        The number of rounds of all runs together.
    run_length : int, default=50
        The number of rounds in each run.

    Attributes
    ----------
    stop_reason_ : str
        "n_estimators", "no edge" (after all restarts).

    See Also
    --------
    AdaBoostClassifier : ``n_folds`` chooses the number of rounds.
    PBoostClassifier : Capacity control by p-norms.

    Notes
    -----
    The preset was chosen on generated problems (yinyang, leftsin, twonorm and discs, with and without 20%
    of the training labels flipped) among AdaBoost stopped by validation, p-boosting, bisigmoid costs, soft
    margins, small steps and sampling in every round. The guide to boosting shows its errors on
    problems that were not used for the choice.

    References
    ----------
    - barnes1999, sections 3.6, 3.7 and 6.5.1: why AdaBoost overfits noisy labels, and restarts.

    Examples
    --------
    >>> from weaklearn.boosting import AdaBoostClassifier, NoiseTolerantBoostClassifier
    >>> from weaklearn.datasets import make_ring
    >>> X, y = make_ring(150, noise=0.2, random_state=0)
    >>> X_new, y_new = make_ring(2000, random_state=1)
    >>> tolerant = NoiseTolerantBoostClassifier(random_state=0).fit(X, y)
    >>> bool(tolerant.score(X_new, y_new) > AdaBoostClassifier().fit(X, y).score(X_new, y_new) + 0.01)
    True
    """

    _criterion = "gini"
    _parameter_constraints: dict = {
        **BoostedClassifier._parameter_constraints,
        "run_length": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        estimator=None,
        n_estimators=500,
        *,
        run_length=50,
        n_restarts=100,
        warm_start=False,
        random_state=None,
    ):
        super().__init__(
            estimator,
            n_estimators,
            n_restarts=n_restarts,
            warm_start=warm_start,
            random_state=random_state,
        )
        self.run_length = run_length

    def _preset(self):
        return Logistic(), Newton()
