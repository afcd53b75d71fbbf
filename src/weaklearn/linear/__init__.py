"""Linear threshold learners: perceptrons that minimise the 0/1 loss, and their baselines.

A linear threshold classifier predicts ``classes_[1]`` where ``x @ coef_ + intercept_ > 0``. All of them take
``sample_weight``, any labels and more than two classes (one against the rest), and expose ``coef_``,
``intercept_``, ``n_iter_`` and ``error_curve_``.
"""

# Names imported "as" themselves are for other rooms of weaklearn.
from weaklearn.linear._closed_form import FisherDiscriminant, LeastSquaresClassifier
from weaklearn.linear._closed_form import fisher_weights as fisher_weights
from weaklearn.linear._mistake_bounds import novikoff_bound, winnow_disjunction_bound
from weaklearn.linear._pocket import PocketPerceptron
from weaklearn.linear._rcd import RCDPerceptron
from weaklearn.linear._romma import ROMMA
from weaklearn.linear._rosenblatt import AveragedPerceptron, Perceptron, VotedPerceptron
from weaklearn.linear._sgd import SGDPerceptron
from weaklearn.linear._winnow import Winnow
from weaklearn.linear.zero_one import (
    ZeroOneClassifier,
    ZeroOneMinimum,
    ZeroOneStep,
    minimum_zero_one_error,
    zero_one_step,
)

__all__ = [
    "RCDPerceptron",
    "PocketPerceptron",
    "AveragedPerceptron",
    "VotedPerceptron",
    "ROMMA",
    "SGDPerceptron",
    "FisherDiscriminant",
    "LeastSquaresClassifier",
    "Perceptron",
    "Winnow",
    "ZeroOneClassifier",
    "ZeroOneMinimum",
    "ZeroOneStep",
    "minimum_zero_one_error",
    "zero_one_step",
    "novikoff_bound",
    "winnow_disjunction_bound",
]
