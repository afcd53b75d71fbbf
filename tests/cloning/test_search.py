"""CloneSearchCV: the interface of GridSearchCV, scores from clones."""

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.dummy import DummyClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from weaklearn.cloning import AdaBoostCloner, CloneSearchCV
from weaklearn.cloning._search import one_standard_error_choice
from weaklearn.datasets import make_yinyang

FAST = {"cloner": AdaBoostCloner(20, n_bins=3), "n_clones": 2, "test_size": 200, "random_state": 0}


@parametrize_with_checks(
    [
        CloneSearchCV(
            LogisticRegression(),
            {"C": [0.1, 1]},
            cloner=AdaBoostCloner(5, n_bins=2),
            n_clones=1,
            test_size=40,
            random_state=0,
        )
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_interface_of_grid_search():
    X, y = make_yinyang(80, random_state=0)
    grid = {"C": [0.01, 1.0, 10.0], "gamma": [0.5, 2.0]}
    search = CloneSearchCV(SVC(), grid, **FAST).fit(X, y)
    peer = GridSearchCV(SVC(), grid, cv=2).fit(X, y)
    assert set(search.cv_results_) == set(peer.cv_results_)
    assert search.cv_results_["params"] == peer.cv_results_["params"]
    assert search.n_splits_ == 2
    assert search.best_params_ == search.cv_results_["params"][search.best_index_]
    assert search.best_score_ == search.cv_results_["mean_test_score"].max()
    np.testing.assert_array_equal(search.predict(X), SVC(**search.best_params_).fit(X, y).predict(X))
    assert list(search.classes_) == [-1, 1]


def test_the_data_is_never_a_test_set():
    """A learner by heart is perfect on examples it has seen; on clones it has seen none."""
    X, y = make_yinyang(80, random_state=0)
    search = CloneSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, None]}, **FAST).fit(X, y)
    assert search.cv_results_["mean_test_score"].max() < 1


def test_reproducible():
    X, y = make_yinyang(80, random_state=0)
    one, two = (CloneSearchCV(SVC(), {"C": [0.1, 1]}, **FAST).fit(X, y) for _ in range(2))
    np.testing.assert_array_equal(one.cv_results_["mean_test_score"], two.cv_results_["mean_test_score"])


def test_algorithms_in_a_pipeline_on_a_mixed_table():
    rng = np.random.default_rng(0)
    n = 150
    table = pd.DataFrame(
        {
            "age": rng.integers(18, 80, n),
            "income": np.where(rng.random(n) < 0.1, np.nan, rng.lognormal(10, 1, n)),
            "city": pd.Categorical(rng.choice(["a", "b", "c"], n)),
            "member": rng.random(n) < 0.5,
        }
    )
    y = np.where(table["age"] + 15 * (table["city"] == "a") > 50, "yes", "no")
    columns = ColumnTransformer(
        [
            ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), ["age", "income"]),
            ("categories", OneHotEncoder(), ["city", "member"]),
        ]
    )
    pipeline = Pipeline([("columns", columns), ("model", SVC())])
    grid = [{"model": [DummyClassifier(), LogisticRegression()]}, {"model": [SVC()], "model__C": [0.1, 10]}]
    search = CloneSearchCV(pipeline, grid, **FAST).fit(table, y)
    assert not isinstance(search.best_params_["model"], DummyClassifier)
    assert search.score(table, y) > 0.9
    assert len(search.cv_results_["params"]) == 4


def test_side_by_side():
    X, y = make_yinyang(90, flip=0.1, random_state=0)
    search = CloneSearchCV(SVC(), {"C": [0.1, 1, 10]}, cv=3, outer_cv=3, **FAST).fit(X, y)
    assert set(search.comparison_) == {"clone", "cv", "one standard error"}
    assert search.comparison_["clone"]["params"] == search.best_params_
    assert search.comparison_["clone"]["score"] == search.best_score_
    peer = GridSearchCV(SVC(), {"C": [0.1, 1, 10]}, cv=3).fit(X, y)
    assert search.comparison_["cv"]["params"] == peer.best_params_
    for entry in search.comparison_.values():
        assert 0 <= entry["outer_score"] <= 1
        assert np.isfinite(entry["optimism"])


def test_nested_cross_validation_by_hand():
    from sklearn.model_selection import StratifiedKFold, cross_val_score

    X, y = make_yinyang(90, random_state=3)
    grid = {"C": [0.1, 10]}
    search = CloneSearchCV(SVC(), grid, cv=3, outer_cv=StratifiedKFold(3), **FAST).fit(X, y)
    nested = cross_val_score(GridSearchCV(SVC(), grid, cv=3), X, y, cv=StratifiedKFold(3))
    np.testing.assert_allclose(search.comparison_["cv"]["outer_score"], nested.mean())


def test_one_standard_error_takes_the_first_within_reach():
    results = {
        "split0_test_score": None,
        "split1_test_score": None,
        "mean_test_score": np.array([0.7, 0.86, 0.89, 0.9]),
        "std_test_score": np.array([0.0, 0.0, 0.0, 0.05]),
    }
    assert one_standard_error_choice(results) == 1


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"n_clones": 0}, "'n_clones' parameter"),
        ({"test_size": 0}, "'test_size' parameter"),
        ({"refit": "score"}, "'refit' parameter"),
        ({"cloner": AdaBoostCloner(5, n_bins=99)}, "bins need at least as many examples"),
    ],
)
def test_bad_parameters(params, message):
    X, y = make_yinyang(40, random_state=0)
    with pytest.raises(ValueError, match=message):
        CloneSearchCV(SVC(), {"C": [1]}, **{**FAST, **params}).fit(X, y)


def test_one_class():
    with pytest.raises(ValueError, match="only one class"):
        CloneSearchCV(SVC(), {"C": [1]}, **FAST).fit(np.arange(20.0)[:, None], np.ones(20))


def test_no_refit():
    X, y = make_yinyang(60, random_state=0)
    search = CloneSearchCV(SVC(), {"C": [1, 10]}, refit=False, **FAST).fit(X, y)
    assert search.best_params_["C"] in (1, 10)
    assert not hasattr(search, "best_estimator_")
