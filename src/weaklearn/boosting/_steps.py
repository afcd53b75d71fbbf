"""Step rules: how a new hypothesis enters the ensemble.

A step rule is an object with one method, ``step(ensemble, hypothesis_margins, error)``. It is given
the state of the ensemble, the new hypothesis as ``y_i h(x_i)`` and its weighted error, and puts the
hypothesis into the ensemble. One instance serves one fit, so a rule may remember what it needs of
earlier rounds (a direction, all hypotheses). To add a rule, write the class and give it a row in
``STEP_RULES``.
"""

import math

__all__ = ["STEP_RULES", "ClosedForm"]


class ClosedForm:
    """The exact line search for the exponential cost: ``alpha = 1/2 ln((1 - e) / e)``.

    An error of exactly 0 has no finite minimum; there (1 - e) / e is taken to be ``perfect_ratio`` and
    boosting goes on (the ensembles of perceptrons in li2005, section 4.4, always run their 200 rounds).
    Source: barnes1999, theorem 6; li2006, section 3.3.1.
    """

    perfect_ratio = 1000.0

    def step(self, ensemble, hypothesis_margins, error):
        ratio = (1 - error) / error if error > 0 else self.perfect_ratio
        ensemble.add(0.5 * math.log(ratio), hypothesis_margins)


STEP_RULES = {"closed_form": ClosedForm}
