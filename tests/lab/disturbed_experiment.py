"""Learners that take a moment, and learners that misbehave while a file exists: what the tests of kills run."""

import ctypes
import os
import sys
import time

from sklearn.tree import DecisionTreeClassifier

from weaklearn.lab import Algorithm, DataSource, Experiment, Profile, Protocol, Row, Split, Table

MARK = "WEAKLEARN_TEST_POISON"
POISONS = ("exit", "segfault", "system exit", "memory", "endless")


class SlowTree(DecisionTreeClassifier):
    """A tree whose fit takes a tenth of a second."""

    def fit(self, X, y, sample_weight=None):
        """Sleep, then grow."""
        time.sleep(0.1)
        return super().fit(X, y, sample_weight)


class PoisonedTree(DecisionTreeClassifier):
    """A tree whose fit misbehaves as its parameter says, while the file exists that the environment names."""

    def __init__(self, poison="exit"):
        super().__init__(random_state=0)  # no parameter, so the lab cannot set it
        self.poison = poison

    def fit(self, X, y, sample_weight=None):
        """Misbehave or grow."""
        if os.path.exists(os.environ.get(MARK, "")):
            _misbehave(self.poison)
        return super().fit(X, y, sample_weight)


def _misbehave(poison):
    if poison == "exit":
        os._exit(3)
    if poison == "segfault":
        ctypes.string_at(0)
    if poison == "system exit":
        sys.exit("enough")
    if poison == "memory":
        bytearray(20 * 2**30)
    while True:
        time.sleep(0.01)


DATA = DataSource(
    "sklearn.datasets:make_classification",
    Split(test_share=0.2),
    kind="artificial",
    params={"n_samples": 60, "flip_y": 0.2},
)
SLOW = tuple(
    Algorithm(f"depth {depth}", "disturbed_experiment:SlowTree", {"max_depth": depth}) for depth in (1, 2, 3)
)
BAD = tuple(Algorithm(f"{kind}", "disturbed_experiment:PoisonedTree", {"poison": kind}) for kind in POISONS)


def _table(number, columns):
    return Table(
        "disturbed", number, "Errors", "test_error", (Row("blobs", DATA),), columns, Protocol("holdout")
    )


EXPERIMENT = Experiment(
    "disturbed",
    "disturbed",
    "Learners that are disturbed, and learners that disturb",
    tables=(_table("1", SLOW), _table("2", (SLOW[0], *BAD))),
    profiles={
        "quick": Profile(2),
        "middle": Profile(100, items={"table 2": Profile(0)}),
        "long": Profile(300, items={"table 2": Profile(0)}),
    },
)
