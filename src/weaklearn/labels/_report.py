"""What the page of an audit shows, as plain data for its template."""

from html import escape
from itertools import pairwise

import numpy as np

from weaklearn.display import (
    ComplexityErrorDisplay,
    ContributionDisplay,
    FingerprintDisplay,
    LabelAuditDisplay,
    new_panel,
)
from weaklearn.labels._findings import count, findings, many, page_rows, percent
from weaklearn.reports import inline_figure, render
from weaklearn.tables import Reason, describe

_SHOWN_COLUMNS = 8
_SHOWN_CONTRADICTIONS = 20
_SHOWN_ROWS_OF_A_GROUP = 10
_PANEL = (5.6, 3.9)
_BANDS = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)
# The learners must beat the most frequent label by this share of what it leaves for the labels to count as predictable.
_INFORMED = 0.2


def summary(audit, n_rows=10):
    """The answer and the first rows of the list as a piece of HTML, for notebooks."""
    found = findings(audit)
    heads = ("row", "label", "suggested_label", "other_label", "wrong_probability")
    cells = [[record[name] for name in heads] for record in audit.top[: min(n_rows, len(audit.listed))]]
    body = "".join("<tr>" + "".join(f"<td>{escape(str(c))}</td>" for c in row) + "</tr>" for row in cells)
    head = "".join(f"<th>{name}</th>" for name in heads)
    listed = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>" if cells else ""
    return (
        f"<div><p><strong>{escape(found['answer'])}</strong></p><p>{escape(found['list'])}</p>{listed}</div>"
    )


def page(audit):
    """The whole report as one string."""
    table = audit.table
    shown, rows = page_rows(audit, _SHOWN_COLUMNS)
    rows = rows[: len(audit.listed)]  # without those of the sample
    majority = float(np.unique(table.y, return_counts=True)[1].max() / len(table.y))
    accuracy = audit.held_out_accuracy
    return render(
        "labels/report.html",
        found=findings(audit),
        n_listed=len(audit.listed),
        count=count,
        percent=percent,
        warnings=[str(note) for note in audit.notes if note.warning],
        remarks=[str(note) for note in audit.notes if not note.warning],
        dropped=_dropped(table),
        doubtful=_doubtful(audit),
        classes=_classes(audit),
        shown=shown,
        n_more=len(table.used) - len(shown),
        rows=rows,
        bands=_bands(audit),
        probabilities=_probabilities(audit),
        confusions=_confusions(audit),
        accuracy=percent(accuracy),
        majority=percent(majority),
        informed=accuracy - majority > _INFORMED * (1 - majority) or not audit.auditor.predictable_,
        health=_health(audit),
        view=_view(audit),
    )


def _dropped(table):
    return [
        f"{column.name}: {describe(column)}"
        for column in table.columns
        if not column.used and column.reason is not Reason.ASKED_FOR
    ]


def _doubtful(audit):
    said = [
        f"{name} alone gives the label in {100 * share:.1f}% of the rows. If it was derived from the label, drop it "
        "and run the audit again: wrong labels cannot be found through a copy of them."
        for name, share in audit.telling
    ]
    for column in audit.table.used:
        if column.sentinels or column.suspected or column.n_unreadable or column.ambiguous:
            said.append(f"{column.name}: {describe(column)}")
    return said


def _classes(audit):
    names, counts = np.unique(audit.table.y, return_counts=True)
    P, y = audit.wrong_probability, audit.table.y
    return [
        {
            "name": str(name),
            "rows": f"{n:,}",
            "share": n / counts.sum(),
            "bar": n / counts.max(),
            "wrong": count(P[y == name].sum()),
        }
        for name, n in zip(names, counts, strict=True)
    ]


def _bands(audit):
    """Rows by probability, and how many of them are expected to be wrong."""
    P = audit.wrong_probability
    band = np.searchsorted(_BANDS[1:-1], P, side="right")
    rows, wrong = np.bincount(band, minlength=len(_BANDS) - 1), np.bincount(band, P, len(_BANDS) - 1)
    return [
        {"name": f"{100 * low:.0f}% to {100 * high:.0f}%", "rows": f"{n:,}", "wrong": count(k)}
        for (low, high), n, k in reversed(list(zip(pairwise(_BANDS), rows, wrong, strict=True)))
    ]


def _probabilities(audit):
    """The most suspicious rows by probability, falling."""
    figure, axes = new_panel(size=_PANEL)
    interval = audit.n_wrong_interval
    LabelAuditDisplay(audit.wrong_probability, n_listed=len(audit.listed), interval=interval).plot(axes)
    return inline_figure(figure, "probabilities", "Probability of a wrong label, row by row, falling.")


def _confusions(audit):
    """The mistakes that are expected most often: true label, given label, number."""
    P, y = audit.auditor.label_probability_, audit.table.y
    classes = audit.auditor.classes_
    found = [
        (float(P[y == given, k].sum()), str(true), str(given))
        for given in classes
        for k, true in enumerate(classes)
        if true != given
    ]
    found.sort(key=lambda item: -item[0])
    return [{"true": t, "given": g, "rows": count(n)} for n, t, g in found[:8] if n >= 0.5]


def _health(audit):
    """Findings about the table as (head, sentence, lines)."""
    health, lines = audit.health, audit.table.lines
    if health is None:
        return None
    found = []

    def say(head, sentence, rows=()):
        found.append({"head": head, "sentence": sentence, "lines": list(rows)})

    if health.contradictions:
        n = len(health.contradictions)
        groups = [_group(audit, rows) for rows in health.contradictions[:_SHOWN_CONTRADICTIONS]]
        if n > len(groups):
            groups.append(f"and {n - len(groups)} more")
        say(
            "Contradictions",
            f"{many(n, 'group')} of rows that are equal in all used columns have different labels.",
            groups,
        )
    if health.duplicates:
        say(
            "Duplicates",
            f"{many(health.duplicates, 'row')} {_be(health.duplicates)} equal to an earlier row in all used columns.",
        )
    if health.near_duplicates:
        pairs = [_pair(audit, a, b) for a, b in health.near_duplicates]
        say(
            "Near duplicates",
            "These rows differ by less than 1% of the usual distance between neighbours.",
            pairs,
        )
    if health.outliers:
        say(
            "Outliers",
            "These rows are far from all others. Check for typing errors and wrong units.",
            [f"row {lines[row]}: {factor:.0f} times the usual distance" for row, factor in health.outliers],
        )
    if health.small_classes:
        rows = [f"{name}: {many(n, 'row')}" for name, n in health.small_classes]
        say("Small classes", "Labels with few rows can hardly be judged.", rows)
    elif health.imbalance > 10:
        say(
            "Imbalance",
            f"The most frequent label has {health.imbalance:.0f} times as many rows as the rarest.",
        )
    if health.sorted_by_label:
        say("Order", "The rows are sorted by label, so changes along the rows cannot be checked.")
    if health.label_drift is not None:
        say(
            "Order",
            "The labels change along the rows: some are frequent at the beginning, others at the end.",
        )
    if health.column_drift:
        rows = [f"{name} {'rises' if rho > 0 else 'falls'}" for name, rho in health.column_drift]
        say("Drift", "These columns change along the rows.", rows)
    if health.wrong_block is not None:
        first, last, share, rest = health.wrong_block
        say(
            "Wrong labels in one place",
            f"Rows {lines[first]} to {lines[last]} have more wrong labels than the others: about {percent(share)}, "
            f"against {percent(rest)} elsewhere.",
        )
    return found


def _be(n):
    return "is" if n == 1 else "are"


def _pair(audit, a, b):
    y, lines = audit.table.y, audit.table.lines
    labels = f"both {y[a]}" if y[a] == y[b] else f"{y[a]} and {y[b]}"
    return f"rows {lines[a]} and {lines[b]}: {labels}"


def _group(audit, rows):
    said = ", ".join(
        f"row {audit.table.lines[row]}: {audit.table.y[row]}" for row in rows[:_SHOWN_ROWS_OF_A_GROUP]
    )
    return said + (", …" if len(rows) > _SHOWN_ROWS_OF_A_GROUP else "")


def _view(audit):
    """The view of li2006, if it was measured."""
    view = audit.complexity
    if view is None:
        return None
    figure, axes = new_panel(size=_PANEL)
    FingerprintDisplay(-view.surprise, view.category, xlabel="row", ylabel="agreement with the label").plot(
        axes
    )
    fingerprint = inline_figure(
        figure, "fingerprint", "Agreement of the other rows with each label, row by row."
    )
    figure, axes = new_panel(size=_PANEL)
    ContributionDisplay(view.surprise, view.standard_error, thresholds=(-0.4, 0.0)).plot(axes)
    axes.set_ylabel("surprise")
    return {
        "counts": [(name, int(np.sum(view.category == name))) for name in ("typical", "critical", "noisy")],
        "fingerprint": fingerprint,
        "ranking": inline_figure(figure, "ranking", "All rows by surprise, the most surprising first."),
        "window": view.window,
        "n_permutations": view.n_permutations,
        "reliability": None if not np.isfinite(view.reliability) else f"{view.reliability:.3f}",
        "complexity": _complexity(view.complexity),
    }


def _complexity(found):
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
