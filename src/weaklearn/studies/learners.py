"""What studies are made of: data sets, pairs of columns, and AdaBoost of the stump of least error.

`AdaBoostClassifier` itself boosts the Gini stump by default, as scikit-learn's does. The trials that are on record name
it without an estimator and were run with the stump of least error: the id keeps their keys and seeds, and the builder
says which stump they mean.
"""

from itertools import product

from weaklearn.lab import Algorithm, DataSource, Row, Split


def real(name, label="", setting=None, **split):
    """A row of a real data set; `split` are the parameters of `Split`."""
    return Row(label or name, DataSource(name, Split(**split)), setting or {})


def artificial(name, params, label="", setting=None, *, id="", suffix="", **split):
    """A row of a generator with its parameters; `split` are the parameters of `Split`."""
    data = DataSource(name, Split(**split), "artificial", params, id)
    return Row(label or name, data, setting or {}, suffix)


def engine_target(family, train_size, label, setting=None, **params):
    """A row of one target of our data engine in 8 dimensions; 10,000 examples are left to test on."""
    params = {"n_samples": 10_000 + train_size, "n_features": 8, "family": family, **params}
    path, id = "weaklearn.lab.rounds:engine_examples", "weaklearn.lab.boosting_trials:engine_examples"
    return artificial(path, params, label, setting, id=id, train_size=train_size)


def against(names, *others):
    """Pairs of columns for a claim: each of some names with each of the others, which may be numbers."""
    return tuple(product(names, others))


def same(names):
    """Pairs of columns for a claim: each name with itself, in another table or another metric."""
    return tuple((name, name) for name in names)


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
