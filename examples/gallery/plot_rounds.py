"""
How many rounds of boosting are enough?
=======================================

The training error falls to 0 while the test error rises again. ``n_folds=5`` chooses the number of rounds by
cross-validation.
"""

import matplotlib.pyplot as plt

from weaklearn.boosting import AdaBoostClassifier
from weaklearn.datasets import make_ring
from weaklearn.display import BoostingCurveDisplay, palette

X, y = make_ring(150, noise=0.15, random_state=0)
X_test, y_test = make_ring(3000, random_state=1)
model = AdaBoostClassifier(n_estimators=400).fit(X, y)
chosen = AdaBoostClassifier(n_estimators=400, n_folds=5, random_state=0).fit(X, y)

figure, ax = plt.subplots(figsize=(5.8, 3.8), layout="constrained")
BoostingCurveDisplay.from_estimator(model, X_test, y_test, ax=ax)
ax.axvline(chosen.n_iter_, color=palette.GREY, linestyle=":")
ax.set_title(f"5 folds choose {chosen.n_iter_} rounds")
plt.show()
