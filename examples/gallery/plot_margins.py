"""
What does boosting do to the margins?
=====================================

With the rounds the smallest margins grow and the largest shrink.
"""

import matplotlib.pyplot as plt

from weaklearn.boosting import AdaBoostClassifier
from weaklearn.datasets import make_ring
from weaklearn.display import MarginDisplay

X, y = make_ring(120, noise=0.1, random_state=0)
model = AdaBoostClassifier(n_estimators=500).fit(X, y)
figure, ax = plt.subplots(figsize=(5.4, 3.8), layout="constrained")
for n_rounds in (5, 50, 500):
    MarginDisplay.from_estimator(model.truncated(n_rounds), X, y, name=f"{n_rounds} rounds", ax=ax)
plt.show()
