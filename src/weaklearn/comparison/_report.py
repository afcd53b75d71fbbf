"""What the page of a comparison shows, as plain data for its template."""

from weaklearn.display import new_panel
from weaklearn.display.palette import BLACK, BLUE, MIDDLE
from weaklearn.reports import inline_figure, render
from weaklearn.tables import described


def page(c):
    """The whole report as one string."""
    return render(
        "comparison/report.html",
        **page_values(c),
        interrupted=c.interrupted,
        classes=c.class_counts,
        figure=differences(c),
        columns=described(c.columns).items(),
        seed=c.seed,
    )


def page_values(c):
    """What the report and the page in the browser both show, as plain data."""
    return {
        "label": c.label,
        "n_rows": c.n_rows,
        "verdict": c.verdict,
        "advice": c.advice,
        "code": c.code,
        "notes": [str(note) for note in c.notes],
        "heads": HEADS,
        "models": [row(m) for m in c.models],
        "best": c.best.name,
        "recommended": None if c.recommended is None else c.recommended.name,
        "n_folds": c.n_folds,
        "n_repeats": c.n_repeats,
    }


#: The heads of the cells of `row`.
HEADS = (
    *("error, %", "95% interval", "difference ± s.e.", "p (Holm)", "log loss", "AUC"),
    *("folds", "seconds per fit"),
)


def row(m):
    """A classifier with its numbers as texts."""
    if m.failure:
        return {"name": m.name, "ours": m.ours, "failure": m.failure}
    cells = [
        f"{100 * m.error:.1f}",
        f"{100 * m.low:.1f} to {100 * m.high:.1f}",
        "–"
        if m.difference is None
        else f"{100 * m.difference:+.1f} ± {100 * m.difference_standard_error:.1f}",
        "–" if m.p_value is None else "< 0.001" if m.p_value < 0.001 else f"{m.p_value:.3f}",
        "–" if m.log_loss is None else f"{m.log_loss:.3f}",
        "–" if m.auc is None else f"{m.auc:.3f}",
        str(m.n_folds),
        f"{m.seconds:.2g}",
    ]
    return {"name": m.name, "ours": m.ours, "failure": "", "cells": cells}


def differences(c):
    """The paired differences with their intervals, as a figure for a page; empty with a single classifier."""
    models = [m for m in c.models if m.difference is not None][::-1]
    if not models:
        return ""
    figure, axes = new_panel(
        xlabel="error above that of the choice, percentage points",
        size=(5.6, 1.3 + 0.3 * max(len(models), 4)),
        grid=False,
    )
    axes.grid(visible=True, axis="x", alpha=0.25)
    axes.set_yticks(range(len(models)), [m.name for m in models], fontsize=8, parse_math=False)
    axes.axvline(0, color=BLACK, linewidth=0.8)
    for i, m in enumerate(models):
        colour = BLUE if m.ours else MIDDLE
        axes.plot([100 * m.difference_low, 100 * m.difference_high], [i, i], color=colour)
        axes.plot(100 * m.difference, i, "o", color=colour)
    return inline_figure(figure, "differences", f"Difference of each classifier from {c.best.name}.")
