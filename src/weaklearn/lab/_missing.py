"""Which data of a plan are missing, before anything runs."""

from collections.abc import Iterable

from weaklearn.lab._build import resolve
from weaklearn.lab._parts import DataSource
from weaklearn.lab._sources import missing_sources

__all__ = ["missing_data"]


def missing_data(sources: Iterable[DataSource]) -> dict[str, str]:
    """The sources whose data were not found, by name, with how to get them.

    These are real sets, and generators that say in their attribute ``needs`` which real set they start from.
    """
    real_set = {source.name: name for source in sources if (name := _real_set(source))}
    missing = missing_sources(DataSource(name) for name in dict.fromkeys(real_set.values()))
    return {name: missing[needed] for name, needed in real_set.items() if needed in missing}


def _real_set(source: DataSource) -> str:
    """The real set that a source is or starts from; "" if there is none."""
    if source.kind == "real":
        return source.name
    return getattr(resolve(source.name), "needs", "") if ":" in source.name else ""
