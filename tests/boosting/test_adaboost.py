import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from weaklearn.boosting import AdaBoostClassifier
from weaklearn.multiclass import SAMMEClassifier
from weaklearn.stumps import DecisionStump
from weaklearn.trees import SmallTree

LABELS = np.array(["no", "yes"])


def expected_failures(estimator):
    if estimator.estimator is not None:
        return {}
    reason = "scikit-learn's tree breaks ties between features by the order in which it draws them"
    kinds = ("dense", "sparse")
    return {f"check_sample_weight_equivalence_on_{kind}_data": reason for kind in kinds}


@parametrize_with_checks(
    [AdaBoostClassifier(), AdaBoostClassifier(DecisionStump(constant=False), 10)],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def noisy_ring(n=150, m=3, seed=0):
    """Signed labels by radius, 10% of them flipped, some values tied; and unequal weights."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, m)), 1)
    y = np.where((X**2).sum(axis=1) > m, 1, -1) * np.where(rng.random(n) < 0.1, -1, 1)
    return X, y, rng.integers(1, 4, size=n).astype(float)


def naive_adaboost(X, y, sample_weight, n_rounds):
    """AdaBoost as the books write it: normalised weights, multiplied in every round; stumps by trial."""
    weight = sample_weight / sample_weight.sum()
    for _ in range(n_rounds):
        best = (np.inf,)
        for feature in range(X.shape[1]):
            values = np.unique(X[:, feature])
            thresholds = (values[:-1] + values[1:]) / 2
            if feature == 0:
                thresholds = np.concatenate([[-np.inf], thresholds])
            for threshold in thresholds:
                for polarity in (1, -1):
                    votes = np.where(X[:, feature] > threshold, polarity, -polarity)
                    error = weight[votes != y].sum()
                    if error < best[0] - 1e-12:
                        best = (error, feature, threshold, polarity, votes)
        error, feature, threshold, polarity, votes = best
        alpha = 0.5 * np.log((1 - error) / error)
        normaliser = (weight * np.exp(-alpha * y * votes)).sum()
        weight = weight * np.exp(-alpha * y * votes) / normaliser
        yield feature, threshold, polarity, error, alpha, normaliser, weight, votes


@pytest.mark.parametrize("seed", range(3))
def test_round_by_round_against_the_textbook(seed):
    X, y, sample_weight = noisy_ring(seed=seed)
    model = AdaBoostClassifier(DecisionStump(), 25).fit(X, y, sample_weight)
    rounds = list(naive_adaboost(X, y, sample_weight, 25))
    for stump, (feature, threshold, polarity, *_) in zip(model.estimators_, rounds, strict=True):
        assert (stump.feature_, stump.polarity_) == (feature, polarity)
        assert stump.threshold_ == pytest.approx(threshold, abs=1e-12)
    errors, alphas, normalisers = (np.array([r[k] for r in rounds]) for k in (3, 4, 5))
    np.testing.assert_allclose(model.estimator_errors_, errors, atol=1e-10)
    np.testing.assert_allclose(model.estimator_weights_, alphas, atol=1e-10)
    # The cost is the product of the normalisers, each of which is 2 sqrt(e (1 - e)).
    np.testing.assert_allclose(model.cost_curve_, np.cumprod(normalisers), rtol=1e-10)
    np.testing.assert_allclose(model.cost_curve_, np.cumprod(2 * np.sqrt(errors * (1 - errors))), rtol=1e-10)
    assert (model.error_curve_ <= model.cost_curve_ + 1e-12).all()
    # Under the new weights the last hypothesis is no better than chance.
    weight, votes = rounds[-1][6:]
    assert weight[votes != y].sum() == pytest.approx(0.5, abs=1e-12)
    margins = y * model.decision_function(X)
    ours = sample_weight * np.exp(-margins)
    np.testing.assert_allclose(ours / ours.sum(), weight, rtol=1e-9)


def test_curves_are_those_of_the_training_set():
    X, y, sample_weight = noisy_ring()
    model = AdaBoostClassifier(n_estimators=30).fit(X, LABELS[(y + 1) // 2], sample_weight)
    share = sample_weight / sample_weight.sum()
    errors = [share[LABELS[(y + 1) // 2] != predicted].sum() for predicted in model.staged_predict(X)]
    costs = [share @ np.exp(-y * scores) for scores in model.staged_decision_function(X)]
    np.testing.assert_allclose(model.error_curve_, errors, atol=1e-12)
    np.testing.assert_allclose(model.cost_curve_, costs, rtol=1e-12)
    assert len(model.estimators_) == model.n_iter_ == 30
    assert model.stop_reason_ == "n_estimators"


@pytest.mark.parametrize(
    "estimator", [None, DecisionStump(constant=False), DecisionTreeClassifier(max_depth=2, splitter="random")]
)
def test_truncated_is_the_shorter_fit_and_the_stage(estimator):
    X, y, sample_weight = noisy_ring()
    model = AdaBoostClassifier(estimator, 20, random_state=3).fit(X, y, sample_weight)
    stages = list(zip(model.staged_decision_function(X), model.staged_predict(X), strict=True))
    assert len(stages) == 20
    for n in (1, 7, 20):
        shorter = model.truncated(n)
        again = AdaBoostClassifier(estimator, n, random_state=3).fit(X, y, sample_weight)
        assert shorter.get_params()["n_estimators"] == n
        assert vars(shorter).keys() == vars(again).keys()
        for fitted in (shorter, again):
            np.testing.assert_array_equal(fitted.decision_function(X), stages[n - 1][0])
            np.testing.assert_array_equal(fitted.predict(X), stages[n - 1][1])
        for name in (
            "estimator_weights_",
            "estimator_errors_",
            "cost_curve_",
            "error_curve_",
            "stop_reason_",
        ):
            np.testing.assert_array_equal(getattr(shorter, name), getattr(again, name))
    for wrong in (0, 21, 1.5):
        with pytest.raises(ValueError, match="n must be an integer from 1 to 20"):
            model.truncated(wrong)


def test_a_perfect_hypothesis_gets_half_the_log_of_a_thousand_and_boosting_goes_on():
    X = np.arange(10.0)[:, None]
    model = AdaBoostClassifier(n_estimators=300).fit(X, X[:, 0] > 3)
    assert model.n_iter_ == 300
    np.testing.assert_allclose(model.estimator_weights_, 0.5 * np.log(1000))
    assert model.stop_reason_ == "n_estimators"
    assert np.isfinite(model.decision_function(X)).all()
    # 300 such steps are a margin of 1036: far beyond what exp(-margin) can hold.
    assert model.error_curve_[-1] == 0
    assert np.isfinite(model.predict_proba(X)).all()


def test_no_edge_at_first_leaves_an_empty_ensemble():
    X = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    model = AdaBoostClassifier().fit(X, ["a", "b", "b", "a"])
    assert model.stop_reason_ == "no edge"
    assert model.n_iter_ == 0
    assert model.estimators_ == []
    assert model.cost_curve_.shape == model.error_curve_.shape == (0,)
    np.testing.assert_array_equal(model.decision_function(X), np.zeros(4))
    assert set(model.predict(X)) == {"a"}
    np.testing.assert_array_equal(model.predict_proba(X), np.full((4, 2), 0.5))
    assert model.truncated(5).n_iter_ == 0


class SameStump(ClassifierMixin, BaseEstimator):
    """Looks at the sign of the first feature, whatever it is told."""

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.where(X[:, 0] > 0, 1, -1)


def test_the_hypothesis_without_edge_is_not_kept():
    X = np.array([[-2.0], [-1.0], [1.0], [2.0], [3.0]])
    y = [0, 0, 1, 1, 0]
    model = AdaBoostClassifier(SameStump()).fit(X, y)
    # After one round its weighted error is exactly 1/2.
    assert model.n_iter_ == 1
    assert model.stop_reason_ == "no edge"
    assert model.estimator_errors_ == pytest.approx([0.2])
    assert model.truncated(50).stop_reason_ == "no edge"


@pytest.mark.parametrize(
    "estimator",
    [
        LogisticRegression(),
        KNeighborsClassifier(3),
        make_pipeline(StandardScaler(), DecisionTreeClassifier(max_depth=2, splitter="random")),
    ],
    ids=["weights", "resampling", "pipeline"],
)
def test_any_weak_learner(estimator):
    X, y, _ = noisy_ring()
    before = estimator.get_params()
    labels = LABELS[(y + 1) // 2]
    model = AdaBoostClassifier(estimator, 15, random_state=0).fit(X, labels)
    assert model.n_iter_ >= 1
    assert model.score(X, labels) > 0.5
    assert repr(estimator.get_params()) == repr(before)
    again = clone(model).fit(X, labels)
    np.testing.assert_array_equal(model.decision_function(X), again.decision_function(X))
    assert all(list(hypothesis.classes_) == [-1, 1] for hypothesis in model.estimators_)


def test_every_round_has_its_own_seed():
    X, y, _ = noisy_ring()
    tree = DecisionTreeClassifier(max_depth=1, splitter="random", random_state=0)
    model = AdaBoostClassifier(tree, 10, random_state=0).fit(X, y)
    assert len({hypothesis.random_state for hypothesis in model.estimators_}) == model.n_iter_
    pipeline = AdaBoostClassifier(make_pipeline(tree), 10, random_state=0).fit(X, y)
    seeds = {
        hypothesis.get_params()["decisiontreeclassifier__random_state"] for hypothesis in pipeline.estimators_
    }
    assert len(seeds) == pipeline.n_iter_


def test_a_resample_of_one_class_is_mended():
    X = np.arange(40.0)[:, None]
    weight = np.where(np.arange(40) == 0, 1e-9, 1.0)
    model = AdaBoostClassifier(make_pipeline(DecisionTreeClassifier()), 3, random_state=0)
    model.fit(X, X[:, 0] > 0, weight)
    assert model.n_iter_ >= 1


def test_weights_too_small_for_floats_do_not_remove_rows():
    seen = []

    class Spy(DecisionTreeClassifier):
        def fit(self, X, y, sample_weight=None):
            seen.append(np.asarray(sample_weight).min())
            return super().fit(X, y, sample_weight)

    X = np.arange(6.0)[:, None]
    weight = np.array([1.0, 1, 1, 1, 1, 1e-300])
    AdaBoostClassifier(Spy(max_depth=1), 2).fit(X, X[:, 0] > 2, weight)
    assert min(seen) > 0


def test_stump_scores_are_the_votes():
    X, y, _ = noisy_ring(n=400, m=12)
    model = AdaBoostClassifier(n_estimators=60).fit(X, y)
    new = np.random.default_rng(1).normal(size=(1000, 12))
    votes = np.array([hypothesis.predict(new) for hypothesis in model.estimators_])
    np.testing.assert_allclose(model.decision_function(new), model.estimator_weights_ @ votes, atol=1e-12)
    *_, last = model.staged_decision_function(new)
    np.testing.assert_array_equal(model.decision_function(new), last)


def test_probabilities():
    X, y, _ = noisy_ring()
    model = AdaBoostClassifier(n_estimators=5).fit(X, y)
    odds = np.exp(2 * model.decision_function(X))
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], odds / (1 + odds), rtol=1e-12)


def test_survives_pickling():
    X, y, _ = noisy_ring()
    model = AdaBoostClassifier(n_estimators=5).fit(X, y)
    twin = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(twin.decision_function(X), model.decision_function(X))


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_data_frames(library):
    frames = pytest.importorskip(library)
    X, y, _ = noisy_ring()
    table = frames.DataFrame({name: X[:, k] for k, name in enumerate("abc")})
    model = AdaBoostClassifier(n_estimators=5).fit(table, y)
    assert list(model.feature_names_in_) == ["a", "b", "c"]
    np.testing.assert_array_equal(
        model.decision_function(table), AdaBoostClassifier(n_estimators=5).fit(X, y).decision_function(X)
    )
    assert list(model.truncated(2).feature_names_in_) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("X", "y", "weight", "message"),
    [
        ([[np.inf], [1.0]], [0, 1], None, "infinity"),
        ([["a", 1.0], ["b", 2.0]], [0, 1], None, "column 0 of X holds text.*TableEncoder"),
        ([[0.0], [1.0]], [0, 1], [1.0, -1.0], "[Nn]egative"),
        ([[0.0], [1.0]], [0, 1], [0.0, 0.0], "at least two classes|zero"),
        (np.empty((0, 1)), [], None, "0 sample"),
    ],
)
def test_clear_errors(X, y, weight, message):
    with pytest.raises(ValueError, match=message):
        AdaBoostClassifier().fit(X, y, weight)


@pytest.mark.parametrize("learner", [None, DecisionStump(), DecisionTreeClassifier(max_depth=1)])
def test_one_class_alone_is_certain(learner):
    model = AdaBoostClassifier(learner, 5).fit([[0.0], [1.0]], ["a", "a"])
    assert model.predict([[0.5], [7.0]]).tolist() == ["a", "a"]
    np.testing.assert_array_equal(model.predict_proba([[0.5], [7.0]]), [[1.0], [1.0]])


@pytest.mark.parametrize("criterion", ["gini", "error"])
def test_absurd_learning_rates_stop_with_a_warning(criterion):
    X, y, _ = noisy_ring()
    for parameters in ({}, {"n_restarts": 1}):
        model = AdaBoostClassifier(DecisionStump(criterion=criterion), 30, learning_rate=100.0, **parameters)
        with pytest.warns(UserWarning, match="infinite values"):
            model.fit(X, y)
        assert model.stop_reason_ == "overflow"
        # The product of the normalisers is infinite with the last round, and not before it.
        assert np.isfinite(model.cost_curve_[:-1]).all()
        assert model.cost_curve_[-1] == np.inf
        assert np.isfinite(model.decision_function(X)).all()
    # Twice the step of the line search never raises the cost.
    model = AdaBoostClassifier(n_estimators=30, learning_rate=2.0).fit(X, y)
    np.testing.assert_allclose(model.cost_curve_, 1.0)


@pytest.mark.parametrize("parameters", [{"n_estimators": 0}, {"n_estimators": 1.5}, {"estimator": "stump"}])
def test_wrong_parameters(parameters):
    with pytest.raises(ValueError, match=next(iter(parameters))):
        AdaBoostClassifier(**parameters).fit([[0.0], [1.0]], [0, 1])


def three_classes(n=120, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, np.array(["a", "b", "c"])[(X[:, 0] > 0).astype(int) + (X[:, 1] > 0.5)]


def test_more_than_two_classes_are_samme():
    X, y = three_classes()
    tree = DecisionTreeClassifier(max_depth=2)
    model = AdaBoostClassifier(tree, 15, random_state=3).fit(X, y)
    twin = SAMMEClassifier(tree, 15, random_state=3).fit(X, y)
    np.testing.assert_array_equal(model.estimator_weights_, twin.estimator_weights_)
    np.testing.assert_array_equal(model.cost_curve_, twin.cost_curve_)
    np.testing.assert_array_equal(model.predict(X), twin.predict(X))
    np.testing.assert_allclose(model.predict_proba(X), twin.predict_proba(X), atol=1e-12)
    for n, labels in enumerate(model.staged_predict(X), 1):
        np.testing.assert_array_equal(labels, model.truncated(n).predict(X))
    np.testing.assert_allclose(1 - np.array(list(model.staged_score(X, y))), model.error_curve_, atol=1e-12)
    grown = AdaBoostClassifier(tree, 5, random_state=3, warm_start=True).fit(X, y)
    grown.set_params(n_estimators=15).fit(X, y)
    np.testing.assert_array_equal(grown.predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize("validation", [{"validation_fraction": 0.3}, {"n_folds": 3}], ids=str)
def test_rounds_of_many_classes_are_chosen_by_validation(validation):
    X, y = three_classes()
    model = AdaBoostClassifier(n_estimators=20, **validation, random_state=0).fit(X, y)
    assert model.n_iter_ == 1 + np.argmin(model.validation_curve_)


def test_a_class_of_weight_zero_is_never_predicted():
    X, y = three_classes()
    weight = (y != "b").astype(float)
    model = AdaBoostClassifier(n_estimators=10).fit(X, y, weight)
    assert list(model.classes_) == ["a", "b", "c"]
    assert "b" not in model.predict(X)
    np.testing.assert_array_equal(model.predict_proba(X)[:, 1], 0)


def test_a_small_learning_rate_takes_a_share_of_each_step():
    X, y, _ = noisy_ring()
    model = AdaBoostClassifier(n_estimators=10, learning_rate=0.1).fit(X, y)
    errors = model.estimator_errors_
    np.testing.assert_allclose(model.estimator_weights_, 0.05 * np.log((1 - errors) / errors), rtol=1e-12)
    costs = [np.exp(-y * F).mean() for F in model.staged_decision_function(X)]
    np.testing.assert_allclose(model.cost_curve_, costs, rtol=1e-12)


def test_importances_are_shares_of_the_coefficients():
    X, y, _ = noisy_ring()
    model = AdaBoostClassifier(n_estimators=20).fit(X, y)
    features = np.array([stump.feature_ for stump in model.estimators_])
    moving = np.array([np.isfinite(stump.threshold_) for stump in model.estimators_])
    shares = np.array([model.estimator_weights_[moving & (features == j)].sum() for j in range(3)])
    np.testing.assert_allclose(model.feature_importances_, shares / shares.sum())
    assert not hasattr(AdaBoostClassifier(KNeighborsClassifier(3), 3).fit(X, y), "feature_importances_")


def test_the_weak_learner_says_what_it_takes():
    X, y, _ = noisy_ring()
    holes = np.where(np.random.default_rng(0).random(X.shape) < 0.2, np.nan, X)
    text = np.array([["low" if x < 0 else "high" for x in row] for row in X], dtype=object)
    for rows, learner in [
        (holes, None),
        (holes, SmallTree(2)),
        (holes, DecisionTreeClassifier(max_depth=2)),
        (holes, make_pipeline(SimpleImputer(), DecisionTreeClassifier(max_depth=2))),
        (text, make_pipeline(OneHotEncoder(), DecisionTreeClassifier(max_depth=2))),
    ]:
        model = AdaBoostClassifier(learner, 5, random_state=0).fit(rows, y)
        assert model.score(rows, y) > 0.5
        assert model.__sklearn_tags__().input_tags.allow_nan
    with pytest.raises(ValueError, match="NaN"):
        AdaBoostClassifier(LogisticRegression()).fit(holes, y)
    with pytest.raises(ValueError, match="NaN"):
        AdaBoostClassifier(make_pipeline(StandardScaler(), LogisticRegression())).fit(holes, y)


def test_sparse_rows_of_stumps_are_the_dense_ones():
    X, y, _ = noisy_ring()
    dense = AdaBoostClassifier(n_estimators=10).fit(X, y)
    for container in (sparse.csr_array, sparse.csc_array, sparse.coo_array):
        model = AdaBoostClassifier(n_estimators=10).fit(container(X), y)
        np.testing.assert_array_equal(model.decision_function(container(X)), dense.decision_function(X))


def test_float32_rows_give_the_same_stumps():
    X, y, _ = noisy_ring()
    single = X.astype(np.float32)
    model = AdaBoostClassifier(n_estimators=20).fit(single, y)
    twin = AdaBoostClassifier(n_estimators=20).fit(single.astype(np.float64), y)
    assert [s.vote_key() for s in model.estimators_] == [s.vote_key() for s in twin.estimators_]
    np.testing.assert_array_equal(model.decision_function(single), twin.decision_function(single))
