"""
How many labels are wrong?
==========================

`LabelAuditor` estimates the number of wrong labels with an interval, and suggests which rows to look at.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

from weaklearn.datasets import flip_labels
from weaklearn.display import palette
from weaklearn.labels import LabelAuditor

X, y = load_breast_cancer(return_X_y=True)
X, y = X[:200], y[:200]
labels, wrong = flip_labels(y, 0.1, random_state=0)
auditor = LabelAuditor(random_state=0).fit(X, labels)
low, high = auditor.n_wrong_interval_
print(
    f"{wrong.sum()} labels are wrong; estimated {auditor.n_wrong_:.0f} (90% interval {low:.0f} to {high:.0f})"
)

figure, ax = plt.subplots(figsize=(5.4, 3.6), layout="constrained")
bins = np.linspace(0, 1, 21)
ax.hist(auditor.wrong_probability_[~wrong], bins, color=palette.TINTS[0], label="right")
ax.hist(auditor.wrong_probability_[wrong], bins, color=palette.VERMILLION, label="flipped on purpose")
ax.set(xlabel="probability that the label is wrong", ylabel="rows", yscale="log")
ax.legend()
plt.show()
