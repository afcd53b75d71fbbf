"""Data cloning: other data sets like yours, and honest choices made on them.

A cloner (`AdaBoostCloner`, `RhoCloner`) learns what a labelled table is like and draws others of the same complexity
and noise (`clone_dataset`); `CloneSearchCV` chooses between models by their error on clones, with the interface of
scikit-learn's GridSearchCV; `weaklearn.comparison` compares classifiers on your own table.
"""

# Names imported "as" themselves are for other rooms of weaklearn.
from weaklearn.cloning._adaboost import AdaBoostCloner
from weaklearn.cloning._bootstrap import SmoothedBootstrap
from weaklearn.cloning._bound import clone_bound
from weaklearn.cloning._clone import Clone, CloneReport, clone_dataset
from weaklearn.cloning._clone import closeness as closeness
from weaklearn.cloning._rho import RhoCloner
from weaklearn.cloning._search import CloneSearchCV

__all__ = [
    "AdaBoostCloner",
    "RhoCloner",
    "clone_dataset",
    "Clone",
    "CloneReport",
    "clone_bound",
    "CloneSearchCV",
    "SmoothedBootstrap",
]
