"""What may2020 says of the digits, on five of our splits. Run with ``-m slow -s`` to see the numbers.

``weaklearn reproduce may2020_digits --trials 5`` runs the same trials, and more, and shows them cell by cell.
"""

import pytest

from weaklearn.datasets import DatasetNotFoundError, load
from weaklearn.lab import reproduce
from weaklearn.studies.may2020.digits import EXPERIMENT

pytestmark = pytest.mark.slow

CLAIMS = (
    ("table 1", "polynomial degree=5"),
    ("table 6", "kernel width=0.01"),
    ("table 10", "polynomial degree=4"),
    ("table 18", "c=4; kernel width=0.0156"),
)
SUPPORT = ("table 2", "table 7", "table 11")
ITEMS = (*SUPPORT, *(table for table, _ in CLAIMS))


@pytest.fixture(scope="module")
def cells(tmp_path_factory):
    try:
        load("usps")
    except DatasetNotFoundError as error:
        pytest.skip(str(error))
    experiment = EXPERIMENT.narrowed(ITEMS, n_trials=5)
    folder = tmp_path_factory.mktemp("digits")
    found = reproduce([experiment], store=folder / "store.sqlite", out=folder, workers=1)
    return found.cells[experiment.name]


@pytest.mark.parametrize(("table", "row"), CLAIMS)
def test_errors_within_six_tenths_of_a_point(cells, table, row):
    (cell,) = (cell for cell in cells[table] if (cell.row, cell.column) == (row, "Test error"))
    print(f"\n{table}, {row}: {cell.ours:.2f} ± {cell.ours_error:.2f}, published {cell.published}")
    assert cell.n >= 5
    assert abs(cell.ours - cell.published) <= 0.6


@pytest.mark.parametrize("table", SUPPORT)
def test_support_within_15_percent(cells, table):
    """The sum over the machines of each setting: single counts are those of one random run, some as small as 13."""
    run = [cell for cell in cells[table] if cell.ours is not None]
    close = sum(abs(cell.ours / cell.published - 1) <= 0.15 for cell in run)
    print(f"\n{table}: {close} of {len(run)} single counts are within 15%")
    for row in dict.fromkeys(cell.row for cell in run):
        ours, published = (
            sum(getattr(cell, name) for cell in run if cell.row == row) for name in ("ours", "published")
        )
        print(f"{row:>22}: {ours:8.0f}, published {published:8.0f}")
        assert ours == pytest.approx(published, rel=0.15)
