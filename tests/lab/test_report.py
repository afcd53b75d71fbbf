import csv
import dataclasses
import io
import json
import re

import pytest

from page_checks import check_page
from weaklearn.lab import (
    Algorithm,
    Figure,
    LabError,
    Profile,
    Protocol,
    load_published,
    published_sources,
    reproduce,
)
from weaklearn.lab._html import to_html
from weaklearn.lab._markdown import to_markdown
from weaklearn.lab._progress import LineObserver, observer_for
from weaklearn.lab._reproduce import _write_text
from weaklearn.lab._sources import missing_lines
from weaklearn.lab._wording import duration

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


@pytest.fixture(scope="module")
def page(result):
    return check_page((result[0] / "report.html").read_text(encoding="utf-8"))


def test_html_says_what_there_is_to_say(result, page):
    reproduction = result[1]
    assert "Lines & trees <on> blobs" in page.text
    assert "Invented <numbers>." in page.text
    drawings = [attrs for tag, attrs in page.tags if attrs.get("class", "").startswith("plot")]
    assert len(drawings) == 4  # two data sets, two metrics
    assert "Not drawn: none of its trials has been run." in page.text
    assert "not part of this experiment" in page.text
    assert "Mean train error (%) of logistic, tree and bagging, for blobs5 and blobs9." in page.text
    assert reproduction.score.run
    assert "published table of means" in page.text


def test_every_cell_carries_its_verdict(result, page):
    shown = [attrs["data-verdict"] for tag, attrs in page.tags if tag == "td" and "data-verdict" in attrs]
    assert sorted(shown) == sorted(cell.verdict for cell in result[1].all_cells)
    offered = {
        attrs["value"] for tag, attrs in page.tags if tag == "input" and attrs.get("name") == "verdict"
    }
    assert offered == {"", *shown}


def test_the_contents_lead_to_every_table_and_figure(result, page):
    links = [attrs["href"] for tag, attrs in page.tags if tag == "a"]
    for part in result[1].experiments[0].parts:
        assert f"#toy-{part.item.replace(' ', '-')}" in links


def test_bands_are_mentioned_where_they_are_drawn(result):
    reproduction = result[1]
    drawn = reproduction.figures["toy"][0]
    assert drawn.has_bands
    assert "Bands are one standard error" in to_html(reproduction)
    plain = dataclasses.replace(drawn, has_bands=False)
    changed = dataclasses.replace(reproduction, figures={"toy": [plain, reproduction.figures["toy"][1]]})
    assert "Bands are" not in to_html(changed)


def test_hostile_names_are_text(result):
    reproduction = result[1]
    experiment = reproduction.experiments[0]
    places = ("experiment", "table", "row", "note", "reason", "missing")
    hostile = {place: f"<script>alert('{place}')</script>" for place in places}
    table = dataclasses.replace(experiment.tables[1], title=hostile["table"])
    cells = [
        dataclasses.replace(
            cell, row=f"{cell.row} {hostile['row']}", note=hostile["note"], reason=hostile["reason"]
        )
        for cell in reproduction.cells["toy"]["table 2"]
    ]
    tables = (experiment.tables[0], table)
    changed = dataclasses.replace(
        reproduction,
        experiments=(dataclasses.replace(experiment, title=hostile["experiment"], tables=tables),),
        cells={"toy": {"table 1": [], "table 2": cells}},
        missing={"set": hostile["missing"]},
    )
    page = check_page(to_html(changed))
    assert [place for place in places if hostile[place] not in page.text] == []


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
    json.dumps(reproduction.to_dict(), allow_nan=False)


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
    observer = LineObserver(lambda text: print(text, file=stream), every=0.0)
    reproduce([toy], store=tmp_path / "s.sqlite", out=tmp_path, engine="inline", observer=observer)
    lines = stream.getvalue().splitlines()
    assert lines[0] == "18 trials, 0 of them finished before"
    assert re.fullmatch(r"1 of 18 trials, about .* left", lines[1])
    assert lines[-1] == "18 of 18 trials"


def test_unwritable_files_are_explained(tmp_path):
    with pytest.raises(LabError, match="cannot be written"):
        _write_text(tmp_path / "no" / "file", "x")
    assert list(tmp_path.iterdir()) == []


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


def test_all_missing_data_sets_share_a_line():
    missing = {"sonar": "a", "pima": "b", f"{__name__}:moons": "c", "my_own": "mine.csv is not there"}
    assert missing_lines(missing) == [
        "3 data sets not found: heart, pima, sonar. To get them: weaklearn datasets --download all",
        "data set my_own not found: mine.csv is not there",
    ]
    assert missing_lines({"sonar": "a"}) == [
        "data set sonar not found. To get it: weaklearn datasets --download sonar"
    ]
    assert missing_lines({}) == []


def moons():
    """A generator that starts from a real set."""


moons.needs = "heart"  # type: ignore[attr-defined]
