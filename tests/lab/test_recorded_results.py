"""Today's code against the register of the package: the cheapest recorded cells, as a regression test of results."""

from collections import Counter

from weaklearn.lab import check_register, load_register, studies
from weaklearn.lab.comparison._register_check import unchanged

SECONDS = 3.0


def test_cheap_recorded_cells_are_still_reproduced():
    """If a result has changed on purpose, record it again: ``weaklearn reproduce STUDY --profile full --record``."""
    experiments = list(studies.discover().values())
    checks = check_register(experiments, load_register(), seconds=SECONDS, engine="inline")
    broken = [
        (found.recorded.place, found.outcome, found.found) for found in checks if not unchanged([found])
    ]
    assert not broken
    outcomes = Counter(found.outcome for found in checks)
    assert outcomes["same"] + outcomes["consistent"] > 20, "the register has no cheap cells"
