"""The quick profile stays quick: what it plans, at the recorded cost of a trial, is within the budget."""

from benchmarks.quick_profile import BUDGET, recorded, trials_by_item

from weaklearn.lab import discover


def test_what_is_planned_is_within_the_budget():
    costs = recorded()
    planned = {item: len(trials) for item, trials in trials_by_item(list(discover().values()))}
    unknown = sorted(" ".join(item) for item in planned if item not in costs)
    assert not unknown, "measure them: python -m benchmarks.quick_profile STORE --write"
    seconds = {item: n * costs[item].seconds / costs[item].trials for item, n in planned.items()}
    dearest = sorted(seconds.items(), key=lambda pair: -pair[1])[:5]
    assert sum(seconds.values()) <= BUDGET, dearest
    # No table or figure takes a tenth of it.
    assert dearest[0][1] <= BUDGET / 10, dearest
