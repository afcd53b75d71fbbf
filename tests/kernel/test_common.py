"""scikit-learn's checks for every kernel machine."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from weaklearn.kernel import KernelPerceptronClassifier, KernelRCDClassifier, KernelSVC

MACHINES = [
    KernelSVC(),
    KernelRCDClassifier(max_iter=256),
    KernelPerceptronClassifier(),
    KernelPerceptronClassifier("rbf", multi_class="ovo", averaged=True),
    KernelPerceptronClassifier("stump", budget=60),
]


def expected_failed_checks(estimator):
    if not isinstance(estimator, KernelPerceptronClassifier):
        return {}
    reason = (
        "examples are presented one at a time: a weight scales an update, which is not the same as a second look at "
        "the example after the first one has been learned"
    )
    return {"check_sample_weight_equivalence_on_dense_data": reason}


@parametrize_with_checks(MACHINES, expected_failed_checks=expected_failed_checks)
def test_scikit_learn(estimator, check):
    check(estimator)
