"""``python -m benchmarks.quick_profile [STORE] [--write]``: what the quick profile of the lab costs, in CPU seconds.

Sums the seconds that a store has of the trials of the quick profile, by table and figure; ``--write`` keeps them in
``quick_profile.csv``, from which a test computes what the profile would cost after a change of it. Measure with
compiled kernels (``weaklearn warmup``), after ``weaklearn reproduce --store STORE``.
"""

import csv
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from weaklearn.lab import Experiment, Store, Trial, current_stamps, discover, make_plan

PATH = Path(__file__).with_name("quick_profile.csv")
# `make reproduce` has four minutes on two idle cores from a fresh clone. Installing takes about 40 seconds, compiling
# 45, the report 25, so that two cores have 130 seconds left for trials. Without the data sets that have to be
# downloaded it is two thirds of this.
BUDGET = 250.0


class Cost(NamedTuple):
    """Trials of a table or figure and the CPU seconds that they took together."""

    trials: int
    seconds: float


def trials_by_item(experiments: list[Experiment]) -> Iterator[tuple[tuple[str, str], list[Trial]]]:
    """For each table and figure the trials of the quick profile that no earlier one has."""
    seen: set[str] = set()
    for experiment in experiments:
        for part in experiment.parts:
            plan = make_plan([experiment.narrowed([part.item])], "quick")
            own = [trial for trial in plan.trials if trial.key not in seen]
            seen.update(trial.key for trial in own)
            if own:
                yield (experiment.name, part.item), own


def measured(store: Path) -> dict[tuple[str, str], Cost]:
    """The costs that a store has."""
    found = {}
    with Store(store, current_stamps()) as opened:
        for item, trials in trials_by_item(list(discover().values())):
            rows = [row for row in opened.stored([trial.key for trial in trials]) if row.fresh]
            if len(rows) < len(trials):
                print(f"{' '.join(item)}: {len(rows)} of {len(trials)} trials are stored", file=sys.stderr)
            if rows:
                found[item] = Cost(len(rows), sum(row.seconds for row in rows))
    return found


def recorded() -> dict[tuple[str, str], Cost]:
    """The costs in the file."""
    with open(PATH, encoding="utf-8", newline="") as file:
        return {
            (line["experiment"], line["item"]): Cost(int(line["trials"]), float(line["seconds"]))
            for line in csv.DictReader(file)
        }


def main(arguments: list[str]) -> None:
    """Print, and write if asked to."""
    places = [argument for argument in arguments if argument != "--write"]
    costs = measured(Path(places[0] if places else "reproduction/store.sqlite"))
    table = Table(title="Quick profile, CPU seconds")
    for name in ("study", "trials", "seconds"):
        table.add_column(name, justify="left" if name == "study" else "right")
    for experiment in sorted({experiment for experiment, _ in costs}):
        own = [cost for (name, _), cost in costs.items() if name == experiment]
        table.add_row(experiment, str(sum(c.trials for c in own)), f"{sum(c.seconds for c in own):.1f}")
    table.add_row(
        "all", str(sum(c.trials for c in costs.values())), f"{sum(c.seconds for c in costs.values()):.1f}"
    )
    Console().print(table)
    if "--write" in arguments:
        with open(PATH, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(("experiment", "item", "trials", "seconds"))
            writer.writerows((*item, cost.trials, f"{cost.seconds:.2f}") for item, cost in costs.items())


if __name__ == "__main__":
    main(sys.argv[1:])
