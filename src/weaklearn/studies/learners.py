"""Learners that studies share: AdaBoost of the stump of least weighted error, as the documents boost it.

`AdaBoostClassifier` itself boosts the Gini stump by default, as scikit-learn's does. The trials that are on record name
it without an estimator and were run with the stump of least error: the id keeps their keys and seeds, and the builder
says which stump they mean.
"""

from weaklearn.lab import Algorithm

__all__ = ["adaboost", "adaboost_of_stumps"]


def adaboost(estimator=None, **params):
    """`AdaBoostClassifier`, with the stump of least error where no estimator is named."""
    # Here, because plans of studies are made without what they run.
    from weaklearn.boosting import AdaBoostClassifier
    from weaklearn.stumps import DecisionStump

    return AdaBoostClassifier(DecisionStump() if estimator is None else estimator, **params)


def adaboost_of_stumps(name, params):
    """AdaBoost as data; ``params`` may name another estimator."""
    return Algorithm(
        name, "weaklearn.studies.learners:adaboost", params, id="weaklearn.boosting:AdaBoostClassifier"
    )
