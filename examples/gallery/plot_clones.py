"""
How can I have more data like mine?
===================================

A cloner learns what a labelled set is like and draws others of the same complexity and noise.
"""

import matplotlib.pyplot as plt

from weaklearn.cloning import clone_dataset
from weaklearn.datasets import make_yinyang
from weaklearn.display import palette

X, y = make_yinyang(200, random_state=0)
copy = clone_dataset(X, y, random_state=0)
print(copy.report)

figure, axes = plt.subplots(1, 2, figsize=(9, 4.4), layout="constrained", sharex=True, sharey=True)
for ax, points, labels, title in zip(axes, (X, copy.X), (y, copy.y), ("data", "clone"), strict=True):
    for label, colour, marker in zip((-1, 1), palette.CLASS_COLOURS, palette.CLASS_MARKERS, strict=True):
        ax.scatter(*points[labels == label].T, s=16, color=colour, marker=marker)
    ax.set_title(title)
plt.show()
