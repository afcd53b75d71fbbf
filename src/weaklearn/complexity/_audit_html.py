"""The audit as one page that needs nothing else, readable offline, on a phone, by day and night."""

import io
import re
from html import escape
from importlib.resources import files

import numpy as np

from weaklearn import __version__
from weaklearn.display import ComplexityErrorDisplay, ContributionDisplay, FingerprintDisplay

__all__ = ["page"]

_SHOWN_COLUMNS = 8
_SHOWN_CONTRADICTIONS = 20


def page(audit):
    """The whole report as one string."""
    style = (files("weaklearn.complexity") / "audit.css").read_text(encoding="utf-8")
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f"<title>weaklearn audit: {escape(audit.table.label)}</title>",
        f"<style>{style}</style></head><body><main>",
        _header(audit),
        _suspicious(audit),
        _complexity(audit),
        _contradictions(audit),
        _columns(audit),
        _how(audit),
        "</main></body></html>",
    ]
    return "\n".join(parts) + "\n"


def _header(audit):
    n, found = len(audit.table.y), len(audit.suspicious)
    clear = int(np.sum(audit.surprise - 2 * np.nan_to_num(audit.standard_error) > 0))
    lead = (
        f"{found} of {n} rows have a label that the other rows contradict"
        f"{f', {clear} of them clearly' if found else ''}."
    )
    classes, counts = np.unique(audit.table.y, return_counts=True)
    largest = counts.max()
    bars = "".join(
        f'<tr><th scope="row">{escape(str(name))}</th><td class="number">{count}</td>'
        f'<td class="number">{100 * count / n:.1f}%</td>'
        f'<td class="bar"><span style="width:{100 * count / largest:.1f}%"></span></td></tr>'
        for name, count in zip(classes, counts, strict=True)
    )
    return (
        f"<header><h1>Audit of the labels “{escape(audit.table.label)}”</h1>"
        f'<p class="lead"><strong>{lead}</strong></p>'
        f"{_warning(audit)}"
        f'<table class="balance"><thead><tr><th>class</th><th class="number">rows</th>'
        f'<th class="number">share</th><th></th></tr></thead><tbody>{bars}</tbody></table></header>'
    )


def _warning(audit):
    lines = [str(note) for note in audit.notes if note.warning]
    return f'<div class="warning">{"<br>".join(map(escape, lines))}</div>' if lines else ""


def _suspicious(audit):
    table = audit.table
    names = [column.name for column in table.used][:_SHOWN_COLUMNS]
    heads = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = []
    for k, row in enumerate(audit.listed):
        cells = "".join(f"<td>{escape(_short(table.cells[name][row]))}</td>" for name in names)
        body.append(
            f'<tr class="{audit.category[row]}"><td class="number">{table.lines[row]}</td>'
            f"<td><strong>{escape(str(table.y[row]))}</strong></td>"
            f'<td class="number">{_signed(audit.surprise[row])} ± {_plain(audit.standard_error[row])}</td>'
            f'<td class="number">{_plain(audit.contribution[k])} ± {_plain(audit.contribution_error[k])}</td>'
            f"<td>{_near(audit, audit.agreeing[k], audit.agreeing_distance[k])}</td>"
            f"<td>{_near(audit, audit.disagreeing[k], audit.disagreeing_distance[k])}</td>{cells}</tr>"
        )
    more = len(table.used) - len(names)
    rest = f" The first {len(names)} columns are shown; {more} more were used." if more > 0 else ""
    panels = [
        _panel(
            "fingerprint",
            lambda ax: FingerprintDisplay(
                -audit.surprise, audit.category, xlabel="row", ylabel="agreement with the label"
            ).plot(ax),
            "Every row by how far the others agree with its label: below zero they contradict it.",
        ),
        _panel(
            "ranking",
            lambda ax: (
                ContributionDisplay(audit.surprise, audit.standard_error, thresholds=(-0.4, 0.0))
                .plot(ax)
                .ax_.set_ylabel("surprise")
            ),
            "All rows by surprise, with two standard errors. A cliff on the left means a few wrong labels; a gentle "
            "slope means classes that overlap.",
        ),
    ]
    return (
        "<section><h2>Rows that look mislabelled</h2>"
        '<p class="small">Most suspicious first. <em>Surprise</em> runs from −1 (the label always follows from the '
        "others) to +1 (always contradicted): machines that learn random subsets of the other rows predict the "
        "row. <em>Contribution</em> is the number of support vectors that the row adds to such a subset. "
        f"Coloured rows are those contradicted on average.{escape(rest)}</p>"
        '<div class="scroll"><table class="rows"><thead><tr><th class="number">row</th><th>label</th>'
        '<th class="number">surprise</th><th class="number">contribution</th>'
        f"<th>nearest with this label</th><th>nearest with another</th>{heads}</tr></thead>"
        f"<tbody>{''.join(body)}</tbody></table></div>"
        f'<div class="panels">{"".join(panels)}</div></section>'
    )


def _near(audit, row, distance):
    if row < 0:
        return "none"
    return f"row {audit.table.lines[row]}, {escape(str(audit.table.y[row]))}, at {distance:.3g}"


def _complexity(audit):
    found = audit.complexity
    if found is None:
        return "<section><h2>How complex the labels are</h2><p>Not measured.</p></section>"
    shuffled = f"{found.shuffled.mean():.1f} ± {found.shuffled.std(ddof=1):.1f}"
    if found.share < 0.5:
        verdict = "The labels follow the columns: most rows are explained by their neighbours."
    elif found.share < 0.85:
        verdict = "The labels partly follow the columns; classes overlap or labels are noisy."
    else:
        verdict = "The labels are nearly as complex as shuffled ones: the columns say little about them."

    def draw(ax):
        ComplexityErrorDisplay.from_path(found.ordered, name="least surprising rows first", ax=ax)
        ComplexityErrorDisplay.from_path(found.shuffled_path, name="shuffled labels, any order", ax=ax)

    panel = _panel(
        "path",
        draw,
        "Complexity-error path: rows join from the top down. A long flat end means that the last, most surprising rows "
        "are what makes the table complex.",
    )
    return (
        "<section><h2>How complex the labels are</h2>"
        f"<p>{escape(verdict)} Replicating the labels of {found.n_rows} rows takes {found.value:g} support vectors. "
        f"With shuffled labels it takes {shuffled} (mean and standard deviation of {len(found.shuffled)} shuffles), so "
        f"this is <strong>{100 * found.share:.0f}%</strong> of pure noise.</p>"
        f'<div class="panels">{panel}</div></section>'
    )


def _contradictions(audit):
    if not audit.duplicates:
        return "<section><h2>Duplicates</h2><p>No two rows are equal in all usable columns.</p></section>"
    lines: list[str] = []
    for rows in audit.contradictions[:_SHOWN_CONTRADICTIONS]:
        said = ", ".join(f"row {audit.table.lines[row]}: {audit.table.y[row]}" for row in rows[:10])
        lines.append(f"<li>{escape(said)}{', ...' if len(rows) > 10 else ''}</li>")
    more = len(audit.contradictions) - _SHOWN_CONTRADICTIONS
    if more > 0:
        lines.append(f"<li>and {more} more groups</li>")
    said = (
        f"Groups of equal rows whose labels contradict each other: {len(audit.contradictions)}."
        if lines
        else "Equal rows always have equal labels."
    )
    return (
        f"<section><h2>Duplicates</h2><p>Rows that equal an earlier one in all usable columns: {audit.duplicates}. "
        f"{said}</p><ul>{''.join(lines)}</ul></section>"
    )


def _columns(audit):
    rows = "".join(
        f"<tr><td>{escape(name)}</td><td>{escape(treatment)}</td></tr>"
        for name, treatment in audit.table.treatments
    )
    return (
        "<section><h2>What was done to the columns</h2>"
        '<div class="scroll"><table><thead><tr><th>column</th><th>treatment</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div></section>"
    )


def _how(audit):
    reliability = "unknown" if not np.isfinite(audit.reliability) else f"{audit.reliability:.3f}"
    lines = [
        *map(str, audit.notes),
        f"{audit.n_permutations} random orders; two rankings from as many orders each would correlate at {reliability} "
        "(Spearman).",
        "Distances are Euclidean on the treated columns; machines are hard-margin SVMs with the perceptron kernel, "
        "which has no parameter to tune.",
        "A surprising row is not always wrong: rare but right rows and rows on the border between classes surprise, "
        "too. Look before you change a label.",
        f"Written by weaklearn {__version__}.",
    ]
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<section><h2>How it was done</h2><ul>{items}</ul></section>"


def _panel(name, draw, caption):
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5.6, 3.9), layout="constrained")
    draw(figure.add_subplot())
    return f'<figure class="panel">{_svg(figure, name)}<figcaption>{escape(caption)}</figcaption></figure>'


def _svg(figure, name):
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    buffer = io.StringIO()
    # A fixed salt makes ids, and so the report, the same every time.
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": name, "font.family": "sans-serif"}):
        FigureCanvasSVG(figure).print_svg(buffer)
    text = buffer.getvalue()
    text = re.sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.DOTALL)
    # Inside HTML the namespaces are known; ids must not clash with those of other panels.
    text = re.sub(r'\sxmlns(:\w+)?="[^"]*"', "", text).replace("xlink:href", "href")
    text = re.sub(r'\bid="', f'id="{name}-', text)
    text = re.sub(r'href="#', f'href="#{name}-', text)
    return re.sub(r"url\(#", f"url(#{name}-", text)


def _short(text):
    if len(text) > 8:
        try:
            return f"{float(text):.5g}"
        except ValueError:
            pass
    return text if len(text) <= 24 else text[:23] + "…"


def _plain(value):
    return f"{value:.2f}" if np.isfinite(value) else "–"


def _signed(value):
    return f"{value:+.2f}".replace("-", "\N{MINUS SIGN}")
