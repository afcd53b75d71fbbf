import csv
import dataclasses
import io
import json
import re
from html.parser import HTMLParser

import pytest

from weaklearn.lab import (
    Algorithm,
    Experiment,
    Figure,
    LabError,
    Profile,
    Protocol,
    load_published,
    published_sources,
    reproduce,
)
from weaklearn.lab._progress import LineObserver, observer_for
from weaklearn.lab._report import machine_readable, write_text
from weaklearn.lab._report_html import to_html
from weaklearn.lab._report_markdown import to_markdown
from weaklearn.lab._wording import duration
from weaklearn.lab.catalog import discover

VOID = {"meta", "br", "link", "img", "hr", "input"}

WALKER = """
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

class Walker(ClassifierMixin, BaseEstimator):
    def __init__(self, speed=1.0, keep_path=False):
        self.speed, self.keep_path = speed, keep_path

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.path_ = np.ones((11, X.shape[1] + 1)) * self.speed * np.arange(11)[:, None] - 1
        return self
"""


class Checker(HTMLParser):
    """Every tag is closed in order, and ids are unique."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links = [], [], []

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        if "id" in values:
            self.ids.append(values["id"])
        self.links += [value for name, value in attrs if name in ("href", "src")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def result(toy, tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    (folder / "lab_walker.py").write_text(WALKER)
    columns = tuple(
        Algorithm(f"speed {speed}", "lab_walker:Walker", {"speed": speed}) for speed in (0.1, 0.2, 0.4)
    )
    curve = Protocol("curve", {"epochs": [0, 1, 2, 5, 10]})
    figures = (
        Figure("toy", "1", "Walks", toy.tables[0].rows, columns, curve),
        Figure("toy", "2", "Never run", toy.tables[0].rows, columns, curve),
    )
    profiles = {"quick": Profile(3, items={"figure 2": Profile(0)})}
    experiment = dataclasses.replace(toy, figures=figures, profiles=profiles)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        return folder, reproduce([experiment], store=folder / "s.sqlite", out=folder, engine="inline")


def test_html_is_well_formed_and_self_contained(result):
    folder, _ = result
    text = (folder / "report.html").read_text(encoding="utf-8")
    checker = Checker()
    checker.feed(text)
    assert checker.open == []
    assert len(checker.ids) == len(set(checker.ids))
    assert not re.search(r"https?:|//\w", text)
    assert "@import" not in text
    # Every link stays inside the file and leads somewhere.
    assert checker.links
    assert all(link.startswith("#") and link[1:] in checker.ids for link in checker.links)


def test_html_says_what_there_is_to_say(result):
    folder, reproduction = result
    text = (folder / "report.html").read_text(encoding="utf-8")
    assert "Lines &amp; trees &lt;on&gt; blobs" in text
    assert "Invented &lt;numbers&gt;." in text
    assert text.count("<svg") == 4  # two data sets, two metrics
    assert "Not drawn: no trial of it has been run." in text
    assert "not part of this experiment" in text
    score = reproduction.score
    assert f"{score.confirmed} of {score.compared} compared cells confirmed" in text.lower()


def test_the_report_is_the_same_every_time(result):
    folder, reproduction = result
    assert to_html(reproduction) == (folder / "report.html").read_text(encoding="utf-8")


def test_csv_and_json_hold_every_cell(result):
    folder, reproduction = result
    records = json.loads((folder / "cells.json").read_text())
    assert records == [cell.record() for cell in reproduction.all_cells]
    rows = list(csv.DictReader(io.StringIO((folder / "cells.csv").read_text())))
    assert len(rows) == len(records)
    assert [float(row["ours"]) for row in rows if row["ours"]] == [
        record["ours"] for record in records if record["ours"] is not None
    ]
    json.dumps(machine_readable(reproduction), allow_nan=False)


def test_markdown_tables_have_even_rows(result):
    text = to_markdown(result[1])
    assert "### toy, table 2: Test errors" in text
    block: list[str] = []
    for line in [*text.splitlines(), ""]:
        if line.startswith("|"):
            block.append(line)
        elif block:
            assert len({row.count("|") for row in block}) == 1
            block = []


def test_lines_on_a_stream_that_is_no_terminal(toy, tmp_path):
    stream = io.StringIO()
    assert isinstance(observer_for(stream), LineObserver)
    observer = LineObserver(stream, every=0.0)
    reproduce([toy], store=tmp_path / "s.sqlite", out=tmp_path, engine="inline", observer=observer)
    lines = stream.getvalue().splitlines()
    assert lines[0] == "18 trials, 0 of them finished before"
    assert re.fullmatch(r"1 of 18 trials, about .* left", lines[1])
    assert lines[-1] == "18 of 18 trials"


def test_unwritable_files_are_explained(tmp_path):
    with pytest.raises(LabError, match="cannot be written"):
        write_text(tmp_path / "no" / "file", "x")


@pytest.mark.parametrize(("seconds", "text"), [(59.4, "59 s"), (59.6, "1 min 0 s"), (3600, "1 h 0 min")])
def test_durations(seconds, text):
    assert duration(seconds) == text


def test_published_cells():
    assert "li2005" in published_sources()
    cells = load_published("li2005")
    assert len([cell for cell in cells if cell.table != "claims"]) == 276
    first = cells[0]
    assert (first.table, first.row, first.column, first.value, first.error) == (
        "2",
        "australian",
        "RCD",
        10.12,
        0.03,
    )
    rounds = next(cell for cell in cells if cell.column == "ave-perc #ite")
    assert (rounds.value, rounds.error, rounds.unit, rounds.decimals) == (6.4, None, "count", 1)
    assert load_published("no such document") == ()


def test_published_values_keep_their_digits_and_bounds():
    cells = {(cell.table, cell.row, cell.column): cell for cell in load_published("li2006")}
    bound = cells["3.1", "exponential", "sonar"]
    assert (bound.text, bound.value, bound.relation) == ("<0.00005", 0.00005, "at most")
    assert bound.digit == pytest.approx(1e-5)
    tiny = cells["settings", "section 2.4", "eigenvalue shrinkage of the FLD when the covariance is singular"]
    assert (tiny.value, tiny.decimals) == (1e-10, 10)


@pytest.mark.parametrize("source", published_sources())
def test_published_places_are_unique(source):
    cells = load_published(source)
    assert len({(cell.table, cell.row, cell.column) for cell in cells}) == len(cells)
    assert all(cell.text for cell in cells)


def test_the_catalogue_is_sound():
    for name, experiment in discover().items():
        assert isinstance(experiment, Experiment)
        assert experiment.name == name
        assert {"quick", "full"} <= set(experiment.profiles)
        for table in experiment.tables:
            cells = load_published(table.source) if table.published is None else table.published
            printed = {(cell.row, cell.column) for cell in cells if cell.table == table.number}
            ours = {(row.label, column.name) for row in table.rows for column in table.columns}
            if table.published == ():
                continue  # a table of our own, which no document has
            assert printed, f"{name}, {table.item}: nothing published under that number"
            assert ours & printed, f"{name}, {table.item}: no row and column has a published name"
