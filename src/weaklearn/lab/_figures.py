"""From stored trials to inline SVG."""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

from weaklearn.lab._build import resolve
from weaklearn.lab._plan import cell_trials
from weaklearn.lab._spec import Figure, Profile
from weaklearn.lab._store import Store
from weaklearn.lab.curves import FigureData

__all__ = ["DrawnFigure", "draw_figure"]


@dataclass(frozen=True)
class DrawnFigure:
    """A figure ready for a report; without panels if there were no trials to draw."""

    source: str
    number: str
    title: str
    panels: tuple[str, ...]
    n_trials: int


def draw_figure(experiment: str, figure: Figure, profile: Profile, store: Store) -> DrawnFigure:
    """Draw `figure` from the trials that the profile asks for and the store has."""
    results: dict[tuple[str, str], list] = {}
    for row in figure.rows:
        for column in figure.columns:
            if not profile.includes(row.label, column.name):
                continue
            trials = cell_trials(figure, row, column, profile.n_trials)
            found = store.results([trial.key for trial in trials])
            if found:
                results[row.label, column.name] = [found[t.key] for t in trials if t.key in found]
    if figure.needs_trials and not results:
        return DrawnFigure(figure.source, figure.number, figure.title, (), 0)
    drawn = resolve(figure.draw)(figure, FigureData(results))
    panels = drawn if isinstance(drawn, Sequence) else [drawn]
    svgs = [_inline_svg(panel, f"{experiment}-{figure.number}-{i}") for i, panel in enumerate(panels)]
    n_trials = min((len(some) for some in results.values()), default=0)
    return DrawnFigure(figure.source, figure.number, figure.title, tuple(svgs), n_trials)


def _inline_svg(panel, name: str) -> str:
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    buffer = io.StringIO()
    # A fixed salt makes ids, and so the report, the same every time.
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": name, "font.family": "sans-serif"}):
        FigureCanvasSVG(panel).print_svg(buffer)
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    # Inside HTML the namespaces are known; ids must not clash with those of other panels.
    text = re.sub(r'\sxmlns(:\w+)?="[^"]*"', "", text)
    text = text.replace("xlink:href", "href")
    prefix = re.sub(r"\W", "-", name)
    text = re.sub(r'\bid="', f'id="{prefix}-', text)
    text = re.sub(r'href="#', f'href="#{prefix}-', text)
    return re.sub(r"url\(#", f"url(#{prefix}-", text)
