"""What the page of a comparison shows, as plain data for its template."""

import numpy as np

from weaklearn.display import new_panel
from weaklearn.display.palette import BLACK, BLUE, MIDDLE
from weaklearn.reports import inline_figure, render
from weaklearn.tables import described


def page(c):
    """The whole report as one string."""
    figures = [
        (_errors(c), "Errors in cross-validation with 95% intervals; small dots are single splits."),
        (differences(c), f"Paired differences in error from {c.best.name}, with 95% intervals."),
    ]
    if c.n_clones:
        said = f"Paired differences in error from {c.best.name} on clones, with two standard errors."
        figures.append((_on_clones(c), said))
    return render(
        "comparison/report.html",
        **page_values(c),
        interrupted=c.interrupted,
        classes=c.class_counts,
        figures=figures,
        columns=described(c.columns).items(),
        closeness=c.clone.splitlines(),
        seed=c.seed,
    )


def page_values(c):
    """What the report and the page in the browser both show, as plain data."""
    return {
        "label": c.label,
        "n_rows": c.n_rows,
        "verdict": c.verdict,
        "advice": c.advice,
        "notes": [str(note) for note in c.notes],
        "heads": heads(c),
        "models": [row(c, model) for model in c.models],
        "n_folds": c.n_folds,
        "n_repeats": c.n_repeats,
        "n_clones": c.n_clones,
    }


def heads(c):
    """The heads of the cells of `row`."""
    first = ["error, %", "95% interval", "difference ± s.e.", "p (Holm)", "log loss", "AUC"]
    clones = ["rank on clones", "difference there ± s.e."] if c.n_clones else []
    return [*first, *clones, "seconds per fit"]


def row(c, m):
    """A classifier with its numbers as texts."""
    if m.failure:
        return {"name": m.name, "ours": m.ours, "failure": m.failure}
    cells = [
        _percent(m.error),
        f"{_percent(m.low)} to {_percent(m.high)}",
        _with_error(m.difference, m.difference_standard_error),
        _p(m.p_value),
        "–" if m.log_loss is None else f"{m.log_loss:.3f}",
        "–" if m.auc is None else f"{m.auc:.3f}",
    ]
    if c.n_clones:
        cells += [str(m.clone_rank), _with_error(m.clone_difference, m.clone_standard_error)]
    return {"name": m.name, "ours": m.ours, "failure": "", "cells": [*cells, f"{m.seconds:.2g}"]}


def _with_error(difference, error):
    if difference is None:
        return "–"
    return f"{100 * difference:+.1f}" + ("" if error is None else f" ± {_percent(error)}")


def _percent(value):
    return "–" if value is None or not np.isfinite(value) else f"{100 * value:.1f}"


def _p(value):
    if value is None:
        return "–"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _fitted(c):
    return [m for m in c.models if not m.failure][::-1]


def _colour(model):
    return BLUE if model.ours else MIDDLE


def _frame(models, xlabel):
    figure, axes = new_panel(xlabel=xlabel, size=(5.6, 1.3 + 0.3 * max(len(models), 4)), grid=False)
    axes.grid(visible=True, axis="x", alpha=0.25)
    axes.set_yticks(range(len(models)), [m.name for m in models], fontsize=8, parse_math=False)
    return figure, axes


def _errors(c):
    models = _fitted(c)
    figure, axes = _frame(models, "error, %")
    for i, m in enumerate(models):
        axes.plot(
            100 * np.array(m.fold_errors), np.full(len(m.fold_errors), i), ".", color=_colour(m), alpha=0.3
        )
        axes.plot([100 * m.low, 100 * m.high], [i, i], color=_colour(m))
        axes.plot(100 * m.error, i, "o", color=_colour(m))
    return inline_figure(figure, "errors", "Error of each classifier with its interval.")


def _intervals(models, xlabel, name, description, ends, marker, **look):
    figure, axes = _frame(models, xlabel)
    axes.axvline(0, color=BLACK, linewidth=0.8)
    for i, m in enumerate(models):
        low, middle, high = ends(m)
        axes.plot([100 * low, 100 * high], [i, i], color=_colour(m))
        axes.plot(100 * middle, i, marker, color=_colour(m), **look)
    return inline_figure(figure, name, description)


def differences(c):
    """The paired differences with their intervals, as a figure for a page."""
    return _intervals(
        [m for m in _fitted(c) if m.difference is not None],
        "error above the first, percentage points",
        "differences",
        f"Difference of each classifier from {c.best.name}.",
        lambda m: (m.difference_low, m.difference, m.difference_high),
        "o",
    )


def _on_clones(c):
    def ends(m):
        half = 2 * (m.clone_standard_error or 0.0)
        return m.clone_difference - half, m.clone_difference, m.clone_difference + half

    return _intervals(
        [m for m in _fitted(c) if m.clone_difference is not None],
        "error above the first on clones, percentage points",
        "clones",
        f"Difference of each classifier from {c.best.name} on clones.",
        ends,
        "D",
        fillstyle="none",
    )
