"""scikit-learn's common checks: no failure is expected."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from weaklearn.robust import RobustClassifier


@parametrize_with_checks(
    [
        RobustClassifier(),
        RobustClassifier(members="kernels", class_weight="balanced", refit=False),
        RobustClassifier(members="kernels", exact_rows=10, n_landmarks=10),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
