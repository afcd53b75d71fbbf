"""
Which boosting withstands wrong labels?
=======================================

AdaBoost learns the wrong labels of a ring; the preset for noisy labels does so much less.
"""

import matplotlib.pyplot as plt

from weaklearn.boosting import AdaBoostClassifier, NoiseTolerantBoostClassifier
from weaklearn.datasets import make_ring
from weaklearn.display import BoundaryDisplay

X, y = make_ring(200, noise=0.2, random_state=0)
X_test, y_test = make_ring(5000, random_state=1)
figure, axes = plt.subplots(1, 2, figsize=(9, 4.4), layout="constrained")
for model, ax in zip((AdaBoostClassifier(), NoiseTolerantBoostClassifier(random_state=0)), axes, strict=True):
    model.fit(X, y)
    BoundaryDisplay.from_estimator(model, X, y, ax=ax)
    name = type(model).__name__.removesuffix("Classifier")
    ax.set_title(f"{name}: test error {1 - model.score(X_test, y_test):.1%}")
plt.show()
