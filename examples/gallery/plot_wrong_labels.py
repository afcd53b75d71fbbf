"""
Which labels of my data look wrong?
===================================

Ten labels of the Yin-Yang problem are flipped. An example whose label the machines of random subsets of the *other*
examples contradict is *surprising*; the ten most surprising ones are circled.
"""

import matplotlib.pyplot as plt

from weaklearn.complexity import complexity_contribution
from weaklearn.datasets import flip_labels, make_yinyang
from weaklearn.display import palette

X, y = make_yinyang(200, random_state=3)
labels, wrong = flip_labels(y, 0.05, random_state=3)
result = complexity_contribution(X, labels, estimator="surprise", random_state=0)
top = result.ranking[:10]

figure, ax = plt.subplots(figsize=(5, 5), layout="constrained")
for label, colour, marker in zip((-1, 1), palette.CLASS_COLOURS, palette.CLASS_MARKERS, strict=True):
    ax.scatter(*X[labels == label].T, s=18, color=colour, marker=marker)
ax.scatter(*X[top].T, s=100, facecolors="none", edgecolors=palette.BLACK)
ax.set(title=f"{wrong[top].sum()} of the 10 circled labels were flipped", aspect="equal")
plt.show()
