"""Which data of a plan are missing, before anything runs."""

from collections.abc import Iterable, Mapping

from weaklearn import datasets
from weaklearn.lab._build import resolve
from weaklearn.lab._parts import DataSource
from weaklearn.lab._sources import missing_sources

__all__ = ["missing_data", "missing_lines"]


def missing_data(sources: Iterable[DataSource]) -> dict[str, str]:
    """The sources whose data were not found, by name, with how to get them.

    These are real sets, and generators that say in their attribute ``needs`` which real set they start from.
    """
    real_set = {source.name: name for source in sources if (name := _real_set(source))}
    missing = missing_sources(DataSource(name) for name in dict.fromkeys(real_set.values()))
    return {name: missing[needed] for name, needed in real_set.items() if needed in missing}


def _real_set(source: DataSource) -> str:
    """The real set that a source is or starts from; "" if there is none."""
    return source.name if source.kind == "real" else _needed(source.name)


def _needed(name: str) -> str:
    """The real set that a generator starts from; "" if there is none."""
    return getattr(resolve(name), "needs", "") if ":" in name else ""


def missing_lines(missing: Mapping[str, str]) -> list[str]:
    """What to say of the sources that `missing_data` found: one line for all sets that can be downloaded."""
    needed = {_needed(name) or name: how for name, how in sorted(missing.items())}
    registered = {record.name for record in datasets.available()} if needed else set()
    ours = sorted(needed.keys() & registered)
    others = [f"data set {name} not found: {how}" for name, how in needed.items() if name not in registered]
    if not ours:
        return others
    if len(ours) == 1:
        return [f"data set {ours[0]} not found. To get it: weaklearn datasets --download {ours[0]}", *others]
    return [
        f"{len(ours)} data sets not found: {', '.join(ours)}. To get them: weaklearn datasets --download all",
        *others,
    ]
