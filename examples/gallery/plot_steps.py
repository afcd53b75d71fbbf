"""
Do better steps lower the cost faster?
======================================

AnyBoost takes one coordinate per round; CGBoost moves along conjugate directions. Same weak learner, same cost.
"""

import matplotlib.pyplot as plt

from weaklearn.boosting import AnyBoostClassifier, CGBoostClassifier
from weaklearn.datasets import make_ring
from weaklearn.display import palette

X, y = make_ring(200, noise=0.1, random_state=0)
figure, ax = plt.subplots(figsize=(5.4, 3.6), layout="constrained")
for model, colour, dash in (
    (AnyBoostClassifier, palette.BLUE, "-"),
    (CGBoostClassifier, palette.VERMILLION, "--"),
):
    fitted = model(cost="logistic", n_estimators=200).fit(X, y)
    ax.plot(fitted.cost_curve_, color=colour, linestyle=dash, label=model.__name__.removesuffix("Classifier"))
ax.set(xlabel="rounds", ylabel="training cost", yscale="log")
ax.legend()
plt.show()
