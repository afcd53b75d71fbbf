"""
Can I boost a weak learner of my own?
=====================================

Anything with ``fit(X, y, sample_weight)`` and ``predict`` boosts. Here: perceptrons trained on the 0/1 loss beside
stumps.
"""

import matplotlib.pyplot as plt

from weaklearn.boosting import AdaBoostClassifier
from weaklearn.datasets import make_yinyang
from weaklearn.display import BoundaryDisplay
from weaklearn.linear import RCDPerceptron
from weaklearn.stumps import DecisionStump

X, y = make_yinyang(200, random_state=0)
learners = {"stumps": DecisionStump(), "0/1 perceptrons": RCDPerceptron(init="zero", max_iter=100)}
figure, axes = plt.subplots(1, 2, figsize=(9, 4.4), layout="constrained")
for (name, learner), ax in zip(learners.items(), axes, strict=True):
    model = AdaBoostClassifier(learner, n_estimators=50, random_state=0).fit(X, y)
    BoundaryDisplay.from_estimator(model, X, y, ax=ax)
    ax.set_title(f"50 {name}")
plt.show()
