"""scikit-learn's common checks on coordinate descent: no failure is expected."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from weaklearn.linear import RCDPerceptron


@parametrize_with_checks(
    [
        RCDPerceptron(),
        RCDPerceptron("conjugate", bias_every=None),
        RCDPerceptron("gradient", init="zero", negation=True),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
