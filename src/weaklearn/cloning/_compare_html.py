"""The comparison as one page that needs nothing else, readable offline, on a phone, by day and night."""

from html import escape
from importlib.resources import files

import numpy as np

from weaklearn import __version__

__all__ = ["page", "verdict"]

_OURS, _OTHERS = "#0072b2", "#7f7f7f"


def verdict(comparison):
    """One sentence that says what the comparison shows."""
    best = comparison.best
    tied = [m.name for m in comparison.models[1:] if m.p_value is not None and m.p_value > 0.05]
    start = f"{best.name} has the least error, {100 * best.error:.1f}%"
    if not tied:
        return f"{start}, and the data tells it from every other."
    shown = ", ".join(tied[:6]) + (f" and {len(tied) - 6} more" if len(tied) > 6 else "")
    return f"{start}; this table cannot tell it from {shown}."


def page(comparison):
    """The whole report as one string."""
    style = (files("weaklearn.complexity") / "audit.css").read_text(encoding="utf-8")
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f"<title>weaklearn compare: {escape(comparison.label)}</title>",
        f"<style>{style}</style></head><body><main>",
        _header(comparison),
        _table(comparison),
        '<div class="panels">',
        _panel(
            "errors",
            _draw_errors,
            comparison,
            "Errors in cross-validation with 95% intervals; dots are splits.",
        ),
        _panel(
            "differences",
            _draw_differences,
            comparison,
            "Paired differences from the first, with 95% intervals.",
        ),
        *(
            [_panel("clones", _draw_clones, comparison, "Errors in cross-validation and on clones.")]
            if comparison.n_clones
            else []
        ),
        "</div>",
        _columns(comparison),
        _how(comparison),
        "</main></body></html>",
    ]
    return "\n".join(parts) + "\n"


def _header(c):
    classes = ", ".join(f"{escape(str(name))} ({count})" for name, count in c.class_counts.items())
    notes = "".join(f"<li>{escape(str(note))}</li>" for note in c.notes)
    return (
        f"<header><h1>Classifiers for “{escape(c.label)}”</h1>"
        f'<p class="lead"><strong>{escape(verdict(c))}</strong></p>'
        f'<p class="small">{c.n_rows} rows; classes: {classes}.</p>'
        + (f'<div class="warning"><ul>{notes}</ul></div>' if notes else "")
        + "</header>"
    )


def _percent(value):
    return "–" if value is None or not np.isfinite(value) else f"{100 * value:.1f}"


def _p(value):
    if value is None:
        return "–"
    return "&lt; 0.001" if value < 0.001 else f"{value:.3f}"


def _table(c):
    heads = ["classifier", "error, %", "95% interval", "difference", "p (Holm)"]
    heads += ["on clones, %"] if c.n_clones else []
    rows = []
    for m in c.models:
        name = f"<strong>{escape(m.name)}</strong>" if m.ours else escape(m.name)
        if m.failure:
            rows.append(
                f'<tr><td>{name}</td><td colspan="{len(heads)}">failed: {escape(m.failure)}</td></tr>'
            )
            continue
        cells = [
            _percent(m.error),
            f"{_percent(m.low)} to {_percent(m.high)}",
            _percent(m.difference),
            _p(m.p_value),
        ]
        if c.n_clones:
            error = "" if m.clone_standard_error is None else f" ± {_percent(m.clone_standard_error)}"
            cells.append(_percent(m.clone_error) + error)
        cells.append(f"{m.seconds:.2g}")
        rows.append(
            f"<tr><td>{name}</td>" + "".join(f'<td class="number">{cell}</td>' for cell in cells) + "</tr>"
        )
    head = "".join(f'<th scope="col">{name}</th>' for name in [*heads, "seconds per fit"])
    return (
        f'<div class="scroll"><table class="rows"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
        '<p class="small">In bold: ours.</p>'
    )


def _fitted(c):
    return [m for m in c.models if not m.failure][::-1]


def _labels(axes, models):
    axes.set_yticks(range(len(models)), [m.name for m in models], fontsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="x", alpha=0.25)


def _draw_errors(axes, c):
    models = _fitted(c)
    for i, m in enumerate(models):
        colour = _OURS if m.ours else _OTHERS
        axes.plot(
            100 * np.array(m.fold_errors), np.full(len(m.fold_errors), i), ".", color=colour, alpha=0.25
        )
        axes.plot([100 * m.low, 100 * m.high], [i, i], color=colour)
        axes.plot(100 * m.error, i, "o", color=colour)
    _labels(axes, models)
    axes.set_xlabel("error, %")


def _draw_differences(axes, c):
    models = [m for m in _fitted(c) if m.difference is not None]
    for i, m in enumerate(models):
        colour = _OURS if m.ours else _OTHERS
        axes.plot([100 * m.difference_low, 100 * m.difference_high], [i, i], color=colour)
        axes.plot(100 * m.difference, i, "o", color=colour)
    axes.axvline(0, color="black", linewidth=0.8)
    _labels(axes, models)
    axes.set_xlabel(f"error beyond that of {c.best.name}, percentage points")


def _draw_clones(axes, c):
    models = _fitted(c)
    for i, m in enumerate(models):
        colour = _OURS if m.ours else _OTHERS
        axes.plot([100 * m.error, 100 * m.clone_error], [i, i], color=colour, linewidth=0.8, alpha=0.6)
        axes.plot(100 * m.error, i, "o", color=colour, label=None if i else "in cross-validation")
        axes.plot(
            100 * m.clone_error, i, "D", color=colour, fillstyle="none", label=None if i else "on clones"
        )
    _labels(axes, models)
    axes.set_xlabel("error, %")
    axes.legend(fontsize=8, frameon=False)


def _panel(name, draw, comparison, caption):
    from matplotlib.figure import Figure

    from weaklearn.complexity._audit_html import _svg

    figure = Figure(figsize=(5.6, 3.9), layout="constrained")
    draw(figure.add_subplot(), comparison)
    return f'<figure class="panel">{_svg(figure, name)}<figcaption>{escape(caption)}</figcaption></figure>'


def _columns(c):
    rows = "".join(f"<tr><td>{escape(name)}</td><td>{escape(said)}</td></tr>" for name, said in c.treatments)
    return (
        "<section><h2>What was done to the columns</h2>"
        '<p class="small">Medians, scales and categories are learned on the training part of each split.</p>'
        '<div class="scroll"><table><thead><tr><th>column</th><th>treatment</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
        "</section>"
    )


def _how(c):
    lines = [
        f"Errors: {c.n_repeats} times {c.n_folds}-fold stratified cross-validation, the same splits for all. "
        "Intervals and tests use the variance of Nadeau and Bengio, because splits share examples; p-values are "
        "corrected by Holm's rule.",
        "The first classifier was picked by looking at these errors: its own is a little too good.",
    ]
    if c.n_clones:
        lines.append(
            f"Clones: {c.n_clones} data sets like this one, drawn with a smoothed bootstrap of the rows, and tested on "
            "the cloner's own function. They rank classifiers; their levels are not those of the table. "
            f"How close: {c.clone.replace(chr(10), '; ')}."
        )
    lines.append(f"Written by weaklearn {__version__}, seed {c.seed}.")
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<section><h2>How it was done</h2><ul>{items}</ul></section>"
