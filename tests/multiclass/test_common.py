"""scikit-learn's common checks: no failure is expected, except those of trees inside SAMME about equal splits."""

from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from weaklearn.multiclass import AdaBoostECCClassifier, AdaBoostERPClassifier, SAMMEClassifier

# A tree that finds two splits equally good takes the one that rounding favours, and sums of weights round
# differently for two copies and a weight of two. scikit-learn's own AdaBoostClassifier fails the same check.
TREES = "scikit-learn's trees break ties between splits by the rounding of sums of weights"


def expected_failures(estimator):
    if isinstance(estimator, SAMMEClassifier):
        return {f"check_sample_weight_equivalence_on_{kind}_data": TREES for kind in ("dense", "sparse")}
    return {}


@parametrize_with_checks(
    [
        AdaBoostECCClassifier(n_estimators=10),
        AdaBoostECCClassifier(n_estimators=10, partition="max-cut"),
        AdaBoostERPClassifier(n_estimators=10),
        AdaBoostERPClassifier(n_estimators=10, partition="max-cut"),
        AdaBoostERPClassifier(n_estimators=10, partition="rand-2", schedule="converge"),
        SAMMEClassifier(n_estimators=10),
        SAMMEClassifier(DecisionTreeClassifier(max_depth=2), 10, algorithm="SAMME.R"),
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
