r"""The noise link of the classifier: two noise models, in one of which all classes are mislabelled equally often.

On small tables, overlapping classes of different shapes look like different noise rates, and a model with a rate for
each class moves the boundary for nothing; but labels that are wrong in one class only need such a model. So both are
fitted. With the evidence :math:`E = \sum_r \mathrm{prior}(r)\, L(r)^\kappa` of each, the model with a rate for each
class has the weight :math:`E_1 / (E_1 + e\, E_0)`: rates are equal unless the data say otherwise.
"""

import numpy as np
from scipy.special import expit

from weaklearn.robust._noise import NoiseModel

__all__ = ["NoiseLink"]

_RATES = np.arange(0, 0.41, 0.05)
_SETTINGS = {"rates": _RATES, "prior": np.ones(len(_RATES)), "kappa": 0.5}
# Logarithm of the prior odds of equal rates, and a pull of different ones that lets them differ once they do.
_ALIKE = 1.0
_CLASS_PULL = 1.0


class NoiseLink:
    """From held-out log-odds of given labels to probabilities of true ones; the arguments are those of `NoiseModel`."""

    def __init__(self, S, codes, weight):
        alike = NoiseModel(S, codes, weight, asymmetric=False, **_SETTINGS)
        own = NoiseModel(S, codes, weight, asymmetric=True, class_pull=_CLASS_PULL, centred=True, **_SETTINGS)
        share = float(expit(own.log_evidence - alike.log_evidence - _ALIKE))
        self.parts = [(1 - share, alike), (share, own)]

    @property
    def rate(self):
        """Mean rate of wrong labels over classes."""
        return sum(share * model.rate for share, model in self.parts)

    def class_probability(self, S):
        """P(true label | x)."""
        return sum(share * model.class_probability(S) for share, model in self.parts)

    def given_probability(self, S):
        """P(given label | x): of labels that are wrong as often as those seen."""
        return sum(share * model.given_probability(S) for share, model in self.parts)

    def label_probability(self, S, codes):
        """P(true label | x, given label)."""
        return sum(share * model.label_probability(S, codes) for share, model in self.parts)
