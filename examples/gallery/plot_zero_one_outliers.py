"""
What do far wrong labels do to a linear classifier?
===================================================

Logistic regression gives way to labels that are wrong far from the boundary, because its loss grows with the distance.
The 0/1 loss counts each of them once.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LogisticRegression

from weaklearn.display import palette
from weaklearn.linear import ZeroOneClassifier

rng = np.random.default_rng(0)
X = rng.normal(size=(60, 2)) + np.repeat([[-1.6, 0], [1.6, 0]], 30, axis=0)
X = np.vstack([X, rng.normal([7.5, 0], 0.5, (5, 2))])
y = np.repeat([-1, 1, -1], [30, 30, 5])

figure, ax = plt.subplots(figsize=(6, 3.6), layout="constrained")
for label, colour, marker in zip((-1, 1), palette.CLASS_COLOURS, palette.CLASS_MARKERS, strict=True):
    ax.scatter(*X[y == label].T, s=18, color=colour, marker=marker)
heights = np.array([-3.2, 3.2])
for model, dash in ((ZeroOneClassifier(random_state=0), "-"), (LogisticRegression(), "--")):
    model.fit(X, y)
    (a, b), c = np.ravel(model.coef_), np.ravel(model.intercept_)[0]
    errors = (model.predict(X) != y).sum()
    label = f"{type(model).__name__}: {errors} errors"
    ax.plot(-(b * heights + c) / a, heights, color=palette.BLACK, linestyle=dash, label=label)
ax.set(xlim=(-4.6, 9.2), ylim=(-3.2, 3.2))
ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1), ncols=2, frameon=False)
plt.show()
