"""scikit-learn's common checks: no failure is expected."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from weaklearn.robust import RobustClassifier


@parametrize_with_checks(
    [
        RobustClassifier(n_trees=10),  # every check fits: 100 trees would only take longer
        RobustClassifier(n_trees=0, class_weight="balanced", refit=False),
        RobustClassifier(n_trees=0, exact_rows=10, n_landmarks=10),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
