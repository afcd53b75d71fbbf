"""A small experiment with invented published cells: what the tests of the lab run."""

from weaklearn.lab import (
    Algorithm,
    Column,
    DataSource,
    Experiment,
    Profile,
    Protocol,
    PublishedCell,
    Row,
    Split,
    Table,
)

TREE = Algorithm("tree", "sklearn.tree:DecisionTreeClassifier", {"max_depth": 2})
BAGGING = Algorithm("bagging", "sklearn.ensemble:BaggingClassifier", {"estimator": TREE, "n_estimators": 8})
LOGISTIC = Algorithm("logistic", "sklearn.linear_model:LogisticRegression")
COLUMNS = (LOGISTIC, TREE, BAGGING, Column("bagging #ite", BAGGING, "n_rounds"))


def rows(**split):
    return tuple(
        Row(
            f"blobs{n_features}",
            DataSource(
                "sklearn.datasets:make_classification",
                Split(features="minmax", **split),
                kind="artificial",
                params={"n_samples": 150, "n_features": n_features, "flip_y": 0.2},
            ),
        )
        for n_features in (5, 9)
    )


PUBLISHED = (
    PublishedCell("toy", "2", "blobs5", "logistic", 20.0, 0.5),
    PublishedCell("toy", "2", "blobs5", "tree", 21.0, 0.5),
    PublishedCell("toy", "2", "blobs9", "bagging #ite", 8, None, "count", 500, 1),
    PublishedCell("toy", "2", "blobs9", "svm", 1.0, 0.1),
)
EXPERIMENT = Experiment(
    "toy",
    "toy",
    "Lines & trees <on> blobs",
    tables=(
        Table(
            "toy",
            "1",
            "Training errors",
            "train_error",
            rows(test_share=0.2),
            COLUMNS[:3],
            Protocol("holdout"),
        ),
        Table(
            "toy",
            "2",
            "Test errors",
            "test_error",
            rows(test_share=0.2),
            COLUMNS,
            Protocol("holdout"),
            reference_column="logistic",
            tolerance=0.5,
            notes={("blobs5", "*"): "Invented <numbers>."},
            published=PUBLISHED,
        ),
    ),
    profiles={
        "quick": Profile(3),
        "full": Profile(40),
        "long": Profile(1500),
        "restricted": Profile(3, rows=("blobs5",), items={"table 1": Profile(0)}),
    },
)
