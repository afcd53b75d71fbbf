"""
Is this really the smallest training error?
===========================================

`certify=True` proves a lower bound on the number of errors of *any* hyperplane. Where the bound meets the error
found, it is the optimum.
"""

import matplotlib.pyplot as plt
import numpy as np

from weaklearn.datasets import make_yinyang
from weaklearn.display import palette
from weaklearn.linear import RCDPerceptron, ZeroOneClassifier

sizes = [20, 40, 60, 80, 100]
found, bound, descent = [], [], []
for n in sizes:
    X, y = make_yinyang(n, flip=0.05, random_state=n)
    model = ZeroOneClassifier(certify=True, max_time=3, random_state=0).fit(X, y)
    found.append(model.error_)
    bound.append(model.lower_bound_)
    descent.append(np.sum(RCDPerceptron(max_iter=200, random_state=0).fit(X, y).predict(X) != y))

figure, ax = plt.subplots(figsize=(5.4, 3.6), layout="constrained")
ax.plot(
    sizes,
    descent,
    color=palette.VERMILLION,
    marker="^",
    linestyle="--",
    label="coordinate descent, 200 steps",
)
ax.plot(sizes, found, color=palette.BLUE, marker="o", label="ZeroOneClassifier")
ax.plot(sizes, bound, color=palette.BLACK, marker="x", linestyle=":", label="no line makes fewer")
ax.set(xlabel="examples", ylabel="training errors")
ax.legend()
plt.show()
