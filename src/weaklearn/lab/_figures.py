"""From the results of trials to inline SVG.

Drawing takes half a second a figure, so the figures of a report are tasks of an engine, like trials.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from weaklearn.datasets import DatasetNotFoundError
from weaklearn.engines import open_engine
from weaklearn.lab._build import KnownCode, known_code, resolve, use_code
from weaklearn.lab._errors import LabError
from weaklearn.lab._results import Results
from weaklearn.lab._spec import Figure
from weaklearn.lab.drawings import FigureData
from weaklearn.reports import inline_figure

_FEW = 3  # figures that are drawn sooner than processes start
_Drawable = Mapping[tuple[str, str], list[Mapping[str, Any]]]


@dataclass(frozen=True)
class DrawnFigure:
    """A figure ready for a report; without panels if there were no trials to draw.

    ``has_bands`` says whether standard errors are drawn as bands.
    """

    panels: tuple[Markup, ...] = ()
    n_trials: int = 0
    has_bands: bool = False


@dataclass(frozen=True)
class Asked:
    """A figure of an experiment, and the results that it is drawn from."""

    experiment: str
    figure: Figure
    results: Results


def draw_figures(asked: Sequence[Asked], engine: str, workers: int | None = None) -> list[DrawnFigure]:
    """Draw figures from the results that there are, in processes unless inline."""
    payloads = [(one.experiment, one.figure, _drawable(one.figure, one.results)) for one in asked]
    drawn = [DrawnFigure()] * len(payloads)
    # The workers of a cluster need not have matplotlib.
    with open_engine("inline" if engine == "inline" or len(asked) <= _FEW else "local", workers) as opened:
        for outcome in opened.run("weaklearn.lab._figures:draw", payloads, shared=known_code()):
            if outcome.failure is None:
                drawn[outcome.index] = outcome.value
                continue
            reason = outcome.failure.traceback or outcome.failure.message
            if (
                DatasetNotFoundError.__name__ not in reason
            ):  # else it shows examples of a set that was not found
                one = asked[outcome.index]
                raise LabError(f"{one.figure.item} of {one.experiment} cannot be drawn: {reason}")
    return drawn


def _drawable(figure: Figure, results: Results) -> _Drawable:
    """What there is of the figure, by row and column: the trials that have every metric, as the first ones do."""
    drawable = {}
    for row in figure.rows:
        for column in figure.columns:
            found = list(results.of(figure, row, column).values())
            if found:
                drawable[row.label, column.name] = [one for one in found if one.keys() >= found[0].keys()]
    return drawable


def draw(payload: tuple[str, Figure, _Drawable], code: KnownCode | None = None) -> DrawnFigure:
    """Draw the figure of an experiment from results; ``code`` is that of the process that planned it."""
    experiment, figure, results = payload
    if code is not None:
        use_code(code)
    if figure.needs_trials and not results:
        return DrawnFigure()
    drawn = resolve(figure.draw)(figure, FigureData(results))
    panels = drawn if isinstance(drawn, Sequence) else [drawn]
    svgs = [
        inline_figure(panel, f"{experiment}-{figure.number}-{i}", f"{figure.title}, panel {i + 1}")
        for i, panel in enumerate(panels)
    ]
    n_trials = min((len(some) for some in results.values()), default=0)
    bands = n_trials > 1 and any(_has_band(panel) for panel in panels)
    return DrawnFigure(tuple(svgs), n_trials, bands)


def _has_band(panel: Any) -> bool:
    from matplotlib.collections import PolyCollection

    # Drawings of the lab fill between two curves for standard errors only.
    return any(isinstance(part, PolyCollection) for axes in panel.axes for part in axes.collections)
