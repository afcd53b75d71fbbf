"""
Which margin cost should boosting minimise?
===========================================

Convex costs punish wrong labels without limit; sigmoid costs give up on them. Each cost is plotted against the margin.
"""

import matplotlib.pyplot as plt
import numpy as np

from weaklearn.costs import COSTS
from weaklearn.display import palette

margin = np.linspace(-2, 2, 401)
figure, ax = plt.subplots(figsize=(5.8, 3.8), layout="constrained")
names = ("exponential", "logistic", "hinge", "sigmoid", "zero_one")
for k, name in enumerate(name for name in names if name in COSTS):
    ax.plot(
        margin,
        COSTS[name]().value(margin),
        color=palette.COLOURS[k],
        linestyle=palette.DASHES[k % 4],
        label=name,
    )
ax.set(xlabel="margin", ylabel="cost", ylim=(-0.1, 4))
ax.legend(title="cost")
plt.show()
