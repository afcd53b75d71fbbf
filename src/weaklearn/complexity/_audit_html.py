"""What the page of an audit shows, as plain data for its template."""

import numpy as np

from weaklearn.display import ComplexityErrorDisplay, ContributionDisplay, FingerprintDisplay, new_panel
from weaklearn.reports import inline_figure, render

__all__ = ["page"]

_SHOWN_COLUMNS = 8
_SHOWN_CONTRADICTIONS = 20
_SHOWN_ROWS_OF_A_GROUP = 10
_PANEL = (5.6, 3.9)


def page(audit):
    """The whole report as one string."""
    table = audit.table
    used = [column.name for column in table.used]
    return render(
        "complexity/audit.html",
        label=table.label,
        n_rows=len(table.y),
        n_suspicious=len(audit.suspicious),
        n_clear=int(np.sum(audit.surprise - 2 * np.nan_to_num(audit.standard_error) > 0)),
        warnings=[str(note) for note in audit.notes if note.warning],
        classes=_classes(audit),
        shown=used[:_SHOWN_COLUMNS],
        n_more=max(len(used) - _SHOWN_COLUMNS, 0),
        rows=[_row(audit, k, used[:_SHOWN_COLUMNS]) for k in range(len(audit.listed))],
        fingerprint=_fingerprint(audit),
        ranking=_ranking(audit),
        complexity=_complexity(audit),
        duplicates=audit.duplicates,
        n_contradictions=len(audit.contradictions),
        contradictions=[_group(audit, rows) for rows in audit.contradictions[:_SHOWN_CONTRADICTIONS]],
        columns=table.treatments,
        method=[*(str(note) for note in audit.notes if not note.warning), *audit.method],
        n_permutations=audit.n_permutations,
        reliability=None if not np.isfinite(audit.reliability) else f"{audit.reliability:.3f}",
    )


def _classes(audit):
    names, counts = np.unique(audit.table.y, return_counts=True)
    return [
        {"name": str(name), "rows": int(n), "share": n / counts.sum(), "bar": n / counts.max()}
        for name, n in zip(names, counts, strict=True)
    ]


def _row(audit, k, shown):
    table, row = audit.table, audit.listed[k]
    return {
        "contradicted": audit.category[row] == "noisy",
        "line": int(table.lines[row]),
        "label": str(table.y[row]),
        "surprise": f"{_signed(audit.surprise[row])} ± {_plain(audit.standard_error[row])}",
        "contribution": f"{_plain(audit.contribution[k])} ± {_plain(audit.contribution_error[k])}",
        "agreeing": _near(audit, audit.agreeing[k], audit.agreeing_distance[k]),
        "disagreeing": _near(audit, audit.disagreeing[k], audit.disagreeing_distance[k]),
        "cells": [_short(table.cells[name][row]) for name in shown],
    }


def _near(audit, row, distance):
    if row < 0:
        return "none"
    return f"row {audit.table.lines[row]}, {audit.table.y[row]}, at {distance:.3g}"


def _group(audit, rows):
    said = ", ".join(
        f"row {audit.table.lines[row]}: {audit.table.y[row]}" for row in rows[:_SHOWN_ROWS_OF_A_GROUP]
    )
    return said + (", …" if len(rows) > _SHOWN_ROWS_OF_A_GROUP else "")


def _fingerprint(audit):
    figure, axes = new_panel(size=_PANEL)
    FingerprintDisplay(-audit.surprise, audit.category, xlabel="row", ylabel="agreement with the label").plot(
        axes
    )
    return inline_figure(figure, "fingerprint", "Agreement of the other rows with each label, row by row.")


def _ranking(audit):
    figure, axes = new_panel(size=_PANEL)
    ContributionDisplay(audit.surprise, audit.standard_error, thresholds=(-0.4, 0.0)).plot(axes)
    axes.set_ylabel("surprise")
    return inline_figure(figure, "ranking", "All rows by surprise, the most surprising first.")


def _complexity(audit):
    found = audit.complexity
    if found is None:
        return None
    figure, axes = new_panel(size=_PANEL)
    ComplexityErrorDisplay.from_path(found.ordered, name="least surprising rows first", ax=axes)
    ComplexityErrorDisplay.from_path(found.shuffled_path, name="shuffled labels, random order", ax=axes)
    return {
        "share": found.share,
        "n_rows": found.n_rows,
        "value": f"{found.value:g}",
        "shuffled": f"{found.shuffled.mean():.1f} ± {found.shuffled.std(ddof=1):.1f}",
        "n_shuffles": len(found.shuffled),
        "path": inline_figure(figure, "path", "Error against complexity as rows are added."),
    }


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
