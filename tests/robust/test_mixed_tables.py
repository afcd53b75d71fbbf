"""`RobustClassifier` on frames with text, categories, booleans, dates and gaps: right, or a clear error."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pytest

from weaklearn.robust import RobustClassifier
from weaklearn.tables import TableEncoder, TableError


def mixed(n=120, seed=0):
    """A frame in which colour, size and date each say something about the class; ``empty`` says nothing."""
    rng = np.random.default_rng(seed)
    colour = rng.choice(["red", "green", "blue"], n)
    size = rng.normal(size=n)
    day = rng.integers(0, 700, n)
    score = 2.0 * (colour == "red") + 2 * size + (day > 350) - 1.2
    y = np.where(score + 0.3 * rng.normal(size=n) > 0, "yes", "no")
    frame = pd.DataFrame(
        {
            "colour": pd.Categorical(colour),
            "size": np.where(rng.random(n) < 0.1, np.nan, size),
            "loud": rng.random(n) < 0.5,
            "day": pd.Timestamp("2020-01-01") + pd.to_timedelta(day, unit="D"),
            "town": rng.choice(["Oslo", "Rome"], n),
            "empty": np.full(n, np.nan),
        }
    )
    frame.loc[rng.random(n) < 0.1, "town"] = None
    return frame, y


def classifier(**settings):
    return RobustClassifier(n_trees=5, random_state=0, **settings)


@pytest.fixture(scope="module")
def fitted():
    frame, y = mixed()
    return classifier().fit(frame, y)


def test_mixed_columns_are_learned(fitted):
    frame, y = mixed(400, seed=1)
    assert fitted.score(frame, y) > 0.85
    importances = dict(zip(frame.columns, fitted.feature_importances_, strict=True))
    assert importances["empty"] == 0
    assert importances["size"] > importances["loud"]
    assert importances["colour"] > importances["town"]
    assert sum(importances.values()) == pytest.approx(1)


def test_it_is_the_encoder_in_front(fitted):
    """The same as encoding by hand: what is inside is not a second way to read tables."""
    frame, y = mixed()
    encoder = TableEncoder(scale=None)
    by_hand = classifier().fit(encoder.fit_transform(frame, y), y)
    new, _ = mixed(50, seed=2)
    np.testing.assert_array_equal(fitted.predict_proba(new), by_hand.predict_proba(encoder.transform(new)))


def test_polars_and_pandas_agree(fitted):
    frame, y = mixed()
    new, _ = mixed(30, seed=3)
    polars = classifier().fit(pl.from_pandas(frame), y)
    np.testing.assert_allclose(polars.predict_proba(pl.from_pandas(new)), fitted.predict_proba(new))


def test_arrays_of_objects_and_lists():
    frame, y = mixed()
    columns = ["colour", "size", "town"]
    rows = frame[columns].astype(object).to_numpy()
    a = classifier().fit(rows, y)
    b = classifier().fit(rows.tolist(), y)
    np.testing.assert_array_equal(a.predict_proba(rows), b.predict_proba(rows.tolist()))
    c = classifier().fit(frame[columns], y)
    np.testing.assert_array_equal(a.predict_proba(rows), c.predict_proba(frame[columns]))


def test_numeric_frames_are_arrays_of_numbers():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    X[:, 2] = np.arange(60)  # would be an identifier in a file
    X[::7, 0] = np.nan
    y = X[:, 1] > 0
    frame = pd.DataFrame(X, columns=list("abc"))
    plain = classifier().fit(X, y)
    framed = classifier().fit(frame, y)
    assert framed.encoder_ is None
    np.testing.assert_array_equal(plain.predict_proba(X), framed.predict_proba(frame))
    nullable = classifier().fit(frame.convert_dtypes(), y)
    np.testing.assert_array_equal(plain.predict_proba(X), nullable.predict_proba(frame.convert_dtypes()))


def test_unseen_category(fitted):
    new, _ = mixed(20, seed=4)
    unseen = new.assign(colour="violet")
    P = fitted.predict_proba(unseen)
    assert np.isfinite(P).all()
    np.testing.assert_allclose(P.sum(axis=1), 1)
    assert not np.allclose(P, fitted.predict_proba(new))


def test_gaps_only_at_predict(fitted):
    new, _ = mixed(20, seed=4)
    gone = new.assign(loud=None, day=pd.NaT, town=None)
    assert np.isfinite(fitted.predict_proba(gone)).all()


def test_numbers_declared_as_categories():
    """Odd grades are one class: linear in no number, plain as categories."""
    rng = np.random.default_rng(0)
    grade = rng.integers(0, 6, 150)
    y = grade % 2
    frame = pd.DataFrame({"grade": pd.Categorical(grade), "noise": rng.normal(size=150)})
    assert list(classifier().fit(frame, y).encoder_.sources_).count(0) == 6
    asked = classifier(encoder=TableEncoder(scale=None, categorical=["grade"]))
    asked.fit(frame.assign(grade=grade), y)
    assert list(asked.encoder_.sources_).count(0) == 6
    assert asked.loo_error_ == 0


def test_many_categories_do_not_leak_labels():
    """Two hundred random towns in 400 rows say nothing: held-out errors must not claim otherwise."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"town": [f"t{k}" for k in rng.integers(0, 150, 400)], "x": rng.normal(size=400)})
    y = rng.integers(0, 2, 400)
    found = classifier().fit(frame, y)
    assert found.loo_error_ > 0.4


def test_column_order_and_names(fitted):
    new, _ = mixed(10, seed=5)
    with pytest.raises(ValueError, match="same order"):
        fitted.predict(new[new.columns[::-1]])
    with pytest.raises(ValueError, match="colour"):
        fitted.predict(new.drop(columns="colour"))
    with pytest.raises(ValueError, match="unseen at fit time"):
        fitted.predict(new.rename(columns={"town": "city"}))


def test_a_number_column_that_is_text_at_predict(fitted):
    new, _ = mixed(10, seed=5)
    with pytest.raises(TableError, match=r"column 'size' was read as number in fit; now it holds 'large'"):
        fitted.predict(new.assign(size="large"))


def test_text_for_a_classifier_of_numbers():
    found = classifier().fit(pd.DataFrame({"a": [1.0, 2, 3, 4], "b": [0.0, 1, 0, 1]}), [0, 0, 1, 1])
    with pytest.raises(ValueError, match="fitted to numbers only"):
        found.predict(pd.DataFrame({"a": ["x"], "b": [1.0]}))


def test_nothing_usable_is_refused():
    frame = pd.DataFrame({"name": [f"person {k}" for k in range(30)], "empty": [None] * 30})
    with pytest.raises(TableError, match="no column can be used"):
        classifier().fit(frame, [0, 1] * 15)


def test_labels_are_checked():
    frame, y = mixed(30)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        classifier().fit(frame, y[:-1])
    with pytest.raises(ValueError, match="only one class"):
        classifier().fit(frame, ["a"] * 30)
    with pytest.raises(ValueError, match="NaN"):
        classifier().fit(frame, np.r_[np.nan, np.ones(29)])


def test_rows_of_weight_zero_teach_the_encoder_nothing():
    frame, y = mixed(60)
    weight = np.ones(60)
    weight[:10] = 0
    spoiled = frame.copy()
    spoiled.loc[:9, "size"] = 1e6
    a = classifier().fit(spoiled, y, sample_weight=weight)
    b = classifier().fit(frame[10:], y[10:])
    np.testing.assert_array_equal(a.predict_proba(frame), b.predict_proba(frame))
    assert a.loo_proba_.shape == (60, 2)


def test_class_weight_on_a_table():
    frame, y = mixed(200)
    plain = classifier().fit(frame, y).predict_proba(frame)[:, 1].mean()
    heavy = classifier(class_weight={"yes": 5.0, "no": 1.0}).fit(frame, y).predict_proba(frame)[:, 1].mean()
    assert heavy > plain


def test_a_class_that_a_fold_lacks():
    """Cross-validation by hand: a classifier that has never seen a class still predicts the others."""
    frame, y = mixed(60)
    y = y.astype(object)
    y[:2] = "rare"
    found = classifier().fit(frame[2:], y[2:].astype(str))
    assert list(found.classes_) == ["no", "yes"]
    assert set(found.predict(frame[:2])) <= {"no", "yes"}
    with_rare = classifier().fit(frame, y.astype(str))
    assert with_rare.predict_proba(frame).shape == (60, 3)


def test_dates_in_columns_of_objects():
    frame, y = mixed(60)
    moments = [datetime.date(2020, 1, 1) + datetime.timedelta(days=int(k)) for k in range(0, 600, 10)]
    found = classifier().fit(frame[["size"]].assign(when=moments), y)
    assert found.encoder_.columns_[1].kind.value == "date"
