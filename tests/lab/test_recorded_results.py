"""Today's code against the register of the package: the cheapest recorded cells, as a regression test of results."""

from collections import Counter

from weaklearn.lab import check_register, discover, load_register
from weaklearn.lab._compare import CONTRADICTED
from weaklearn.lab._register import compare_recorded
from weaklearn.lab._register_check import unchanged

SECONDS = 1.0


def test_cheap_recorded_cells_are_still_reproduced():
    """If a result has changed on purpose, record it again: reproduce the study, then ``weaklearn lab record STUDY``."""
    experiments = list(discover().values())
    checks = check_register(experiments, load_register(), seconds=SECONDS, engine="inline")
    broken = [
        (found.recorded.place, found.outcome, found.found) for found in checks if not unchanged([found])
    ]
    assert not broken
    outcomes = Counter(found.outcome for found in checks)
    assert outcomes["same"] + outcomes["consistent"] > 20, "the register has no cheap cells"


def test_every_contradicted_cell_says_what_is_known():
    register = load_register()
    cells = [
        cell
        for experiment in discover().values()
        for some in compare_recorded(experiment, register).values()
        for cell in some
    ]
    contradicted = [cell for cell in cells if cell.verdict == CONTRADICTED]
    assert contradicted
    assert [(cell.table, cell.row, cell.column) for cell in contradicted if not cell.note] == []
