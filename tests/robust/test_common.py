"""scikit-learn's common checks: no failure is expected."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from weaklearn.robust import RobustClassifier, machine


# Every check fits: 100 trees would only take longer.
@parametrize_with_checks([RobustClassifier(n_trees=10), RobustClassifier(n_trees=0, class_weight="balanced")])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@parametrize_with_checks([RobustClassifier(n_trees=0)])
def test_scikit_learn_checks_of_large_tables(estimator, check, monkeypatch):
    monkeypatch.setattr(machine, "_EXACT_ROWS", 10)
    check(estimator)
