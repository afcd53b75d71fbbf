"""
How do I audit a table with named columns?
==========================================

`audit` takes a file, a data frame or a dict of columns, and returns the suspicious rows with reasons. Here nine
labels of the wine data are replaced by wrong ones.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine

from weaklearn.datasets import flip_labels
from weaklearn.display import palette
from weaklearn.labels import audit

wine = load_wine()
labels, wrong = flip_labels(wine.target_names[wine.target], 0.05, random_state=0)
columns = dict(zip(wine.feature_names, wine.data.T, strict=True))
found = audit(columns | {"wine": labels}, label="wine")
print("suspicious rows:", *found.suspicious)
print("planted errors: ", *(wrong.nonzero()[0] + 1))

# %%
# The planted errors among the ranked rows: the curve of a perfect ranking rises at once.
figure, ax = plt.subplots(figsize=(5.4, 3.6), layout="constrained")
ax.plot(range(1, 41), wrong[found.ranking].cumsum()[:40], color=palette.BLUE)
ax.axhline(wrong.sum(), color=palette.GREY, linestyle="--")
ax.set(xlabel="rows looked at", ylabel="wrong labels found", title="How soon are the errors found?")
plt.show()
