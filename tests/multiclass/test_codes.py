"""Output codes against the mathematics: the cost, its gradient, margins, and what the columns maximise."""

import itertools

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC

from weaklearn.boosting import AdaBoostClassifier
from weaklearn.kernel import KernelSVC
from weaklearn.linear import RCDPerceptron
from weaklearn.multiclass import AdaBoostECCClassifier, AdaBoostERPClassifier, dominating_partitions
from weaklearn.multiclass._code_rounds import CodeState, code_rounds
from weaklearn.multiclass._partitions import PARTITIONS, MaxCut, MaxPair
from weaklearn.stumps import DecisionStump

CLASSIFIERS = [
    AdaBoostECCClassifier(n_estimators=40, partition="rand-half", random_state=1),
    AdaBoostECCClassifier(n_estimators=40, partition="max-cut"),
    AdaBoostECCClassifier(n_estimators=40, partition="max-cut-greedy", random_state=1),
    AdaBoostERPClassifier(n_estimators=40, schedule="LR"),
    AdaBoostERPClassifier(n_estimators=40, schedule="LRL"),
    AdaBoostERPClassifier(n_estimators=40, partition="rand-2", schedule="LRLR", random_state=1),
    AdaBoostERPClassifier(n_estimators=40, schedule="converge"),
    AdaBoostERPClassifier(n_estimators=40, partition="max-cut", schedule="LR"),
    AdaBoostERPClassifier(n_estimators=40, partition="rand-half", schedule="LRLR", random_state=1),
]


@pytest.fixture(scope="module")
def five():
    """Five overlapping classes, some rare, with weights."""
    X, y = make_classification(
        300,
        6,
        n_informative=4,
        n_classes=5,
        n_clusters_per_class=1,
        class_sep=0.7,
        flip_y=0.1,
        random_state=3,
    )
    return X, y, np.random.default_rng(5).uniform(0.2, 3.0, size=len(y))


def state_of(y, weights, rng, spread=1.0):
    """A state in the middle of a run: random margins."""
    state = CodeState(y, weights, y.max() + 1)
    state.confusion *= np.exp(-rng.normal(scale=spread, size=state.confusion.shape))
    state._sum_pairs()
    return state


def negative_gradient(state, column, votes):
    """(4.3), term by term."""
    total = 0.0
    for n, own in enumerate(state.codes):
        for k in range(len(column)):
            total += state.confusion[n, k] * (column[own] - column[k]) / 2 * votes[n]
    return total


@pytest.mark.parametrize("seed", range(3))
def test_repartition_maximises_the_negative_gradient_over_all_columns(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(5, size=40)
    state = state_of(y, rng.uniform(0.5, 2, size=40), rng)
    votes = rng.choice([-1.0, 1.0], size=40)
    column, gradient = state.repartition(votes)
    every = {c: negative_gradient(state, c, votes) for c in itertools.product((-1.0, 1.0), repeat=5)}
    assert len(every) == 32
    assert every[tuple(column)] == pytest.approx(max(every.values()), rel=1e-12)
    assert gradient == pytest.approx(max(every.values()), rel=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_max_cut_and_max_pair_separate_most(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(6, size=60)
    state = state_of(y, np.ones(60), rng)

    def separated(column):
        return sum(state.weights(np.array(column)))

    cuts = [separated(column) for column in itertools.product((-1.0, 1.0), repeat=6)]
    assert separated(MaxCut().column(state.pairs, rng)) == pytest.approx(max(cuts), rel=1e-12)
    greedy = PARTITIONS["max-cut-greedy"]().column(state.pairs, rng)
    for k in np.flatnonzero(greedy > 0):
        moved = np.where(np.arange(6) == k, -1.0, greedy)
        assert separated(moved) <= separated(greedy) * (1 + 1e-12)
    pairs = []
    for first, second in itertools.combinations(range(6), 2):
        column = np.zeros(6)
        column[[first, second]] = -1, 1
        pairs.append(separated(column))
    assert separated(MaxPair().column(state.pairs, rng)) == pytest.approx(max(pairs), rel=1e-12)


def test_ties_go_to_the_first_pair_and_the_first_cut():
    state = CodeState(np.arange(4), np.ones(4), 4)
    np.testing.assert_array_equal(MaxPair().column(state.pairs, None), [-1, 1, 0, 0])
    np.testing.assert_array_equal(MaxCut().column(state.pairs, None), [-1, 1, 1, -1])


def test_weights_of_a_column():
    rng = np.random.default_rng(0)
    y = rng.integers(4, size=30)
    state = state_of(y, rng.uniform(0.5, 2, size=30), rng)
    column = np.array([1.0, -1.0, 0.0, 1.0])
    expected = [
        sum(state.confusion[n, k] for k in range(4) if column[k] * column[y[n]] < 0) for n in range(30)
    ]
    np.testing.assert_allclose(state.weights(column), expected, rtol=1e-12)


@pytest.mark.parametrize("model", CLASSIFIERS, ids=str)
def test_margins_and_cost_from_the_code_matrix_equal_the_running_ones(model, five):
    X, y, weights = five
    model.fit(X, y, sample_weight=weights)
    margins = model.class_margins(X, y)
    own = np.arange(5) == y[:, None]
    np.testing.assert_array_equal(margins[own], 0.0)

    schedule = model._checked_schedule()
    state = CodeState(y, weights, 5)
    rng = np.random.default_rng(np.random.RandomState(model.random_state).randint(np.iinfo(np.int32).max))
    if model.random_state is None:
        rng = None  # nothing random takes part
    partition = PARTITIONS[model.partition]()
    rounds = code_rounds(DecisionStump().prepare_relabelled(X), state, partition, schedule, rng)
    for _ in itertools.islice(rounds, model.n_iter_):
        pass
    running = np.where(own, 1.0, state.confusion / weights[:, None])
    np.testing.assert_allclose(np.exp(-margins), running, rtol=1e-10, atol=1e-10)

    cost = (weights[:, None] * np.exp(-margins) * ~own).sum() / (4 * weights.sum())
    assert cost == pytest.approx(model.cost_curve_[-1], rel=1e-10)
    wrong = (margins + np.where(own, 1.0, 0.0)).min(axis=1) <= 1e-12
    assert model.error_curve_[-1] == pytest.approx(weights[wrong].sum() / weights.sum(), rel=1e-10)


@pytest.mark.parametrize("model", CLASSIFIERS, ids=str)
def test_every_coefficient_minimises_the_cost_along_its_hypothesis(model, five):
    X, y, weights = five
    model.fit(X, y, sample_weight=weights)
    assert (np.diff(np.concatenate([[1.0], model.cost_curve_])) < 0).all()
    last = model.truncated(7)
    alpha = last.estimator_weights_.copy()
    own = np.arange(5) == y[:, None]

    def cost(shift):
        last.estimator_weights_ = np.append(alpha[:-1], alpha[-1] + shift)
        return (weights[:, None] * np.exp(-last.class_margins(X, y)) * ~own).sum()

    assert cost(0.0) < min(cost(-0.01), cost(0.01))


@pytest.mark.parametrize("partition", ["max-cut", "rand-half"])
def test_a_round_from_a_full_column_by_trying_all_columns(partition, five):
    """Learn the column, then take the steepest of all 2^K columns for that hypothesis (LR)."""
    X, y, weights = five
    model = AdaBoostERPClassifier(n_estimators=6, partition=partition, schedule="LR", random_state=0)
    model.fit(X, y, weights)
    state, rng = CodeState(y, weights, 5), np.random.default_rng()
    every = list(itertools.product((-1.0, 1.0), repeat=5))
    for t in range(6):
        if partition == "max-cut":
            start = MaxCut().column(state.pairs, rng)
            stump = DecisionStump().fit(X, start[y], state.weights(start))
            votes = stump.predict(X)
        else:  # what the random column was is forgotten; its hypothesis is not
            votes = model.estimators_[t].predict(X).astype(float)
        gradients = [negative_gradient(state, column, votes) for column in every]
        best = np.array(every[int(np.argmax(gradients))])
        np.testing.assert_array_equal(best, model.code_matrix_[:, t])
        alpha = model.estimator_weights_[t]
        state.step(best, votes, alpha)
    assert state.cost == pytest.approx(model.cost_curve_[-1], rel=1e-9)


def test_repartitioning_lowers_the_cost_faster_than_random_halves(five):
    X, y, _ = five
    ecc = AdaBoostECCClassifier(n_estimators=60, random_state=0).fit(X, y)
    erp = [
        AdaBoostERPClassifier(n_estimators=60, schedule=schedule).fit(X, y)
        for schedule in ("LRL", "converge")
    ]
    assert erp[0].cost_curve_[-1] < ecc.cost_curve_[-1]
    assert erp[1].cost_curve_[-1] < ecc.cost_curve_[-1]


def test_until_convergence_each_column_fits_its_hypothesis_and_vice_versa(five):
    X, y, weights = five
    model = AdaBoostERPClassifier(n_estimators=1, schedule="converge").fit(X, y, sample_weight=weights)
    state = CodeState(y, weights, 5)
    column = model.code_matrix_[:, 0].astype(float)
    votes = model.estimators_[0].predict(X).astype(float)
    np.testing.assert_array_equal(state.repartition(votes)[0], column)
    again, _ = DecisionStump().prepare_relabelled(X).fit_labels(column[y], state.weights(column))
    assert again.error_ == pytest.approx(model.estimator_errors_[0], rel=1e-12)


def test_two_classes_are_adaboost(five):
    X, y, weights = five
    y = np.where(y > 1, "yes", "no")
    binary = AdaBoostClassifier(DecisionStump(), n_estimators=30).fit(X, y, sample_weight=weights)
    for model in (
        AdaBoostECCClassifier(n_estimators=30),
        AdaBoostECCClassifier(n_estimators=30, partition="max-cut"),
        AdaBoostERPClassifier(n_estimators=30, schedule="LRL"),
    ):
        model.fit(X, y, sample_weight=weights)
        np.testing.assert_allclose(model.decision_function(X), binary.decision_function(X), rtol=1e-9)
        np.testing.assert_allclose(model.predict_proba(X), binary.predict_proba(X), rtol=1e-8)
        np.testing.assert_allclose(model.cost_curve_, binary.cost_curve_, rtol=1e-9)


def test_scores_of_largest_expected_gain_are_half_log_probabilities():
    """softmax(2 s) inverts the minimiser of the expected cost: found here by descent on s."""
    from scipy.optimize import minimize

    shares = np.array([0.5, 0.3, 0.15, 0.05])

    def expected_cost(scores):
        return sum(shares[y] * np.exp(scores[k] - scores[y]) for y in range(4) for k in range(4) if k != y)

    scores = minimize(expected_cost, np.zeros(4), tol=1e-12).x
    recovered = np.exp(2 * scores) / np.exp(2 * scores).sum()
    np.testing.assert_allclose(recovered, shares, atol=1e-4)


@pytest.mark.parametrize("model", CLASSIFIERS, ids=str)
def test_stages_and_truncation_agree(model, five):
    X, y, _ = five
    model.fit(X, y)
    stages = list(model.staged_decision_function(X))
    assert len(stages) == model.n_iter_ == 40
    np.testing.assert_array_equal(stages[-1], model.decision_function(X))
    labels = list(model.staged_predict(X))
    short = model.truncated(9)
    np.testing.assert_array_equal(short.decision_function(X), stages[8])
    np.testing.assert_array_equal(short.predict(X), labels[8])
    refit = AdaBoostECCClassifier if isinstance(model, AdaBoostECCClassifier) else AdaBoostERPClassifier
    refit = refit(**{**model.get_params(), "n_estimators": 9}).fit(X, y)
    np.testing.assert_array_equal(refit.decision_function(X), stages[8])
    np.testing.assert_array_equal(refit.cost_curve_, short.cost_curve_)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)
    for n in (0, 41, 2.5):
        with pytest.raises(ValueError, match="n must be an integer"):
            model.truncated(n)


def test_stumps_on_a_pair_of_classes_do_not_see_the_others(five):
    X, y, weights = five
    labels = np.where(y == 1, 1.0, np.where(y == 3, -1.0, 0.0))
    stump, votes = DecisionStump().prepare_relabelled(X).fit_labels(labels, weights)
    members = labels != 0
    alone = DecisionStump().fit(X[members], labels[members], sample_weight=weights[members])
    assert (stump.feature_, stump.threshold_, stump.polarity_) == (
        alone.feature_,
        alone.threshold_,
        alone.polarity_,
    )
    np.testing.assert_array_equal(votes, alone.predict(X))


@pytest.mark.parametrize(
    "estimator",
    [
        RCDPerceptron(max_iter=30, init="zero"),
        AdaBoostClassifier(n_estimators=5),
        KernelSVC(kernel="perceptron"),
        LogisticRegression(),
        GaussianNB(),
        DecisionStump(constant=False),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_any_weak_learner(estimator, five):
    X, y, _ = five
    model = AdaBoostERPClassifier(estimator, 6, schedule="LRLR", random_state=0).fit(X, y)
    again = AdaBoostERPClassifier(estimator, 6, schedule="LRLR", random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X), again.decision_function(X))
    assert model.score(X, y) > 0.4
    margins = model.class_margins(X, y)
    own = np.arange(5) == y[:, None]
    cost = (np.exp(-margins) * ~own).sum() / (4 * len(y))
    assert cost == pytest.approx(model.cost_curve_[-1], rel=1e-9)


def test_strong_hypotheses_do_not_underflow(five):
    """Perfect hypotheses shrink the cost by a factor in every round, far below the smallest float."""
    X = np.repeat(np.eye(3), 4, axis=0) + 0.01 * np.arange(12)[:, None]
    y = np.repeat([0, 1, 2], 4)
    model = AdaBoostECCClassifier(SVC(C=100.0), 700, partition="max-cut").fit(X, y)
    assert model.n_iter_ == 700
    assert model.stop_reason_ == "n_estimators"
    assert (model.error_curve_[2:] == 0).all()
    margins = model.class_margins(X, y)
    assert margins[np.arange(3) != y[:, None]].min() > 745


def test_partitions_count_a_column_and_its_negative_together():
    code = np.array([[1, -1, 1, 1], [-1, 1, -1, 1], [1, -1, -1, -1]])
    columns, sums, counts = dominating_partitions(code, [1.0, 2.0, 4.0, 0.5])
    np.testing.assert_array_equal(columns, [[-1, 1, 1], [-1, 1, -1], [-1, -1, 1]])
    np.testing.assert_allclose(sums, [4.0, 3.0, 0.5])
    np.testing.assert_array_equal(counts, [1, 2, 1])
