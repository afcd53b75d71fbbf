"""Audit, compare and the cloners see the same columns, whatever the sentences about them say."""

import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier

from weaklearn import tables
from weaklearn.cloning import RhoCloner
from weaklearn.comparison import compare
from weaklearn.labels import LabelAuditor, audit
from weaklearn.stumps import DecisionStump
from weaklearn.tables import Kind

MODELS = [("stump", True, DecisionStump()), ("majority class", False, DummyClassifier())]
QUICK = LabelAuditor(n_trees=0, random_state=0)
KINDS = {
    "customer": Kind.IDENTIFIER,
    "row": Kind.IDENTIFIER,
    "x": Kind.NUMBER,
    "price": Kind.NUMBER,
    "pressure": Kind.NUMBER,
    "shop": Kind.CATEGORY,
    "city": Kind.CATEGORY,
    "visit": Kind.DATE,
    "member": Kind.BOOLEAN,
    "same": Kind.CONSTANT,
    "void": Kind.EMPTY,
}


@pytest.fixture(scope="module")
def messy():
    rng = np.random.default_rng(0)
    n = 240
    y = rng.integers(0, 2, n)
    x = y + 0.8 * rng.normal(size=n)
    return pd.DataFrame(
        {
            "customer": [f"c{k}" for k in range(n)],
            "row": np.arange(1, n + 1),
            "x": np.where(rng.random(n) < 0.1, np.nan, x),
            "price": [f"{v:.2f}".replace(".", ",") for v in rng.uniform(1, 99, n)],
            "pressure": np.where(rng.random(n) < 0.1, -999, rng.integers(90, 180, n)),
            "shop": [f"s{k}" for k in rng.integers(0, 60, n)],
            "city": rng.choice(["Rome", "Oslo", "?", "Bonn"], n),
            "visit": [f"{d:02d}.{m:02d}.2023" for d, m in rng.integers(1, 13, (n, 2))],
            "member": rng.choice(["yes", "no", "n/a"], n),
            "same": "k",
            "void": None,
            "label": np.where(y > 0, "good", "bad"),
        }
    )


def kinds(columns):
    return {column.name: column.kind for column in columns}


def test_audit_compare_and_cloning_see_the_same_columns(messy, tmp_path):
    path = tmp_path / "messy.csv"
    messy.to_csv(path, index=False, sep=";")
    features = messy.drop(columns="label")
    cloner = RhoCloner(n_hypotheses=50, noise=1.0, random_state=0).fit(features, messy["label"])
    for source in (messy, path):
        audited = audit(source, "label", auditor=QUICK)
        compared = compare(source, "label", models=MODELS, n_folds=2, n_repeats=1)
        assert kinds(audited.table.columns) == KINDS
        assert kinds(compared.columns) == KINDS
        assert audited.table.columns == compared.columns
    assert kinds(cloner.columns_) == KINDS
    for name in ("x", "pressure", "shop", "city", "visit", "member"):
        by_cloner, by_audit = (
            next(column for column in columns if column.name == name)
            for columns in (cloner.columns_, audited.table.columns)
        )
        assert by_cloner == by_audit
    X, y = cloner.sample(50, random_state=0)
    assert list(X.columns) == list(features.columns)
    assert set(X["visit"]) <= set(messy["visit"])
    assert set(np.unique(X["pressure"])) - {-999} <= set(range(90, 180))
    assert len(y) == 50


def results(messy):
    audited = audit(messy, "label", auditor=QUICK)
    compared = compare(messy, "label", models=MODELS, n_folds=3, n_repeats=1)
    cloner = RhoCloner(n_hypotheses=50, noise=1.0, random_state=0)
    features = messy.drop(columns="label")
    values = cloner.fit(features, messy["label"]).values_
    return (
        audited.wrong_probability,
        audited.listed,
        [m.error for m in compared.models],
        [m.difference for m in compared.models],
        values,
    )


def test_rewording_changes_no_result(messy, monkeypatch):
    before = results(messy)
    original = tables.describe
    patched = [
        module
        for name, module in sys.modules.items()
        if name.startswith("weaklearn") and getattr(module, "describe", None) is original
    ]
    assert len(patched) >= 3
    for module in patched:
        monkeypatch.setattr(module, "describe", lambda column: "left out dropped number identifier")
    monkeypatch.setattr(tables.Note, "__str__", lambda note: "no label audited Stopped")
    after = results(messy)
    for one, two in zip(before, after, strict=True):
        np.testing.assert_array_equal(one, two)
    page = audit(messy, "label", auditor=QUICK).to_html()
    assert "left out dropped number identifier" in page
    assert ">price</th>" in page.partition("</thead>")[0]  # shown because it is used, whatever is said of it
    assert ">customer</th>" not in page.partition("</thead>")[0]
