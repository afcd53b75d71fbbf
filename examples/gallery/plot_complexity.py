"""
How complex is my data set?
===========================

The number of support vectors of a hard-margin machine measures complexity. Wrong labels raise it; shuffled labels are
the yardstick for no structure at all.
"""

import matplotlib.pyplot as plt
import numpy as np

from weaklearn.complexity import complexity
from weaklearn.datasets import flip_labels, make_yinyang
from weaklearn.display import palette

X, y = make_yinyang(100, random_state=0)
shares = np.arange(0, 0.31, 0.05)
values = [
    [complexity(X, flip_labels(y, share, random_state=seed)[0]) for share in shares] for seed in range(3)
]
shuffled = np.mean([complexity(X, np.random.default_rng(seed).permutation(y)) for seed in range(3)])

figure, ax = plt.subplots(figsize=(5.4, 3.6), layout="constrained")
ax.plot(100 * shares, np.mean(values, axis=0), color=palette.BLUE, marker="o", label="flipped labels")
ax.axhline(shuffled, color=palette.GREY, linestyle="--", label="shuffled labels")
ax.set(xlabel="wrong labels (%)", ylabel="support vectors")
ax.legend()
plt.show()
