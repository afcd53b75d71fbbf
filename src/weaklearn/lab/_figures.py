"""From stored trials to inline SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from weaklearn.lab._build import resolve
from weaklearn.lab._plan import cell_trials
from weaklearn.lab._spec import Figure, Profile
from weaklearn.lab.curves import FigureData
from weaklearn.lab.store._store import Store
from weaklearn.reports import inline_figure

__all__ = ["DrawnFigure", "draw_figure"]


@dataclass(frozen=True)
class DrawnFigure:
    """A figure ready for a report; without panels if there were no trials to draw.

    ``has_bands`` says whether standard errors are drawn as bands.
    """

    source: str
    number: str
    title: str
    panels: tuple[Markup, ...]
    n_trials: int
    has_bands: bool = False


def draw_figure(experiment: str, figure: Figure, profile: Profile, store: Store) -> DrawnFigure:
    """Draw `figure` from the trials that the profile asks for and the store has."""
    results: dict[tuple[str, str], list] = {}
    for row in figure.rows:
        for column in figure.columns:
            if not profile.includes(row.label, column.name):
                continue
            trials = cell_trials(figure, row, column, profile.trials_of(row.label, column.name))
            found = store.results([trial.key for trial in trials])
            if found:
                results[row.label, column.name] = [found[t.key] for t in trials if t.key in found]
    if figure.needs_trials and not results:
        return DrawnFigure(figure.source, figure.number, figure.title, (), 0)
    drawn = resolve(figure.draw)(figure, FigureData(results))
    panels = drawn if isinstance(drawn, Sequence) else [drawn]
    svgs = [
        inline_figure(panel, f"{experiment}-{figure.number}-{i}", f"{figure.title}, panel {i + 1}")
        for i, panel in enumerate(panels)
    ]
    n_trials = min((len(some) for some in results.values()), default=0)
    bands = n_trials > 1 and any(_has_band(panel) for panel in panels)
    return DrawnFigure(figure.source, figure.number, figure.title, tuple(svgs), n_trials, bands)


def _has_band(panel: Any) -> bool:
    from matplotlib.collections import PolyCollection

    # Drawings of the lab fill between two curves for standard errors only.
    return any(isinstance(part, PolyCollection) for axes in panel.axes for part in axes.collections)
