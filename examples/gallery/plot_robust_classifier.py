"""
Which classifier withstands wrong training labels?
==================================================

Logistic regression, a random forest and `RobustClassifier` on the same training rows with more and more flipped
labels. Test labels are clean. One split: the curves are uncertain by a point or two.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from weaklearn.datasets import flip_labels
from weaklearn.display import palette
from weaklearn.robust import RobustClassifier

X_train, X_test, y_train, y_test = train_test_split(
    *load_breast_cancer(return_X_y=True), train_size=200, random_state=0
)
models = {
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
    "random forest": RandomForestClassifier(random_state=0),
    "RobustClassifier": RobustClassifier(n_trees=0, random_state=0),
}
shares = [0, 0.1, 0.2, 0.3]
figure, ax = plt.subplots(figsize=(5.4, 3.6), layout="constrained")
for (name, model), colour, dash in zip(models.items(), palette.COLOURS, palette.DASHES, strict=False):
    errors = []
    for share in shares:
        labels, _ = flip_labels(y_train, share, random_state=0)
        errors.append(100 * (1 - model.fit(X_train, labels).score(X_test, y_test)))
    ax.plot([100 * share for share in shares], errors, color=colour, linestyle=dash, label=name)
ax.set(xlabel="wrong training labels (%)", ylabel="test error (%)")
ax.legend()
plt.show()
