"""The job of a check: an attempt that was ended resumes with the learners that are fitted, and finds the same."""

import json

import pytest

from weaklearn.datasets import make_noisy_table
from weaklearn.labels import _job as _check
from weaklearn.reports import csv_text
from weaklearn.robust import _members
from weaklearn.web import JobFolder, TableFolder, Work
from weaklearn.web._uploads import Incoming


@pytest.fixture
def work(tmp_path):
    columns, _ = make_noisy_table(80, random_state=0)
    rows = zip(*(values.tolist() for values in columns.values()), strict=True)
    incoming = Incoming(TableFolder(tmp_path / "tables"), "t.csv")
    incoming.write(csv_text([dict(zip(columns, map(str, row), strict=True)) for row in rows]).encode())
    stored = incoming.keep()
    chosen = {"table": stored.key, "label": "result", "drop": [], "categorical": [], "numeric": []}
    chosen |= {"merge_spellings": True, "least_rows": 3}
    settings = {**chosen, **stored.options()}
    return lambda: Work(JobFolder(tmp_path / "jobs").create("audit", "t", settings).path)


def test_learners_that_are_fitted_are_not_fitted_again(work, monkeypatch):
    fit, fitted = _members.fit_member, []

    def counted(member, data):
        if len(fitted) == stop_at:
            raise SystemExit("as if the process were killed")
        fitted.append(member.name)
        return fit(member, data)

    monkeypatch.setattr(_members, "fit_member", counted)
    stop_at = None
    whole = work()
    _check.check(whole)
    everyone = list(fitted)
    assert len(everyone) > 3

    fitted.clear()
    stop_at = 3
    killed = work()
    with pytest.raises(Exception, match="as if the process were killed"):
        _check.check(killed)
    assert len(fitted) == 3
    stop_at = None
    again = Work(killed.folder)
    _check.check(again)
    assert sorted(fitted) == sorted(everyone)  # each of them once, over both attempts
    pages = [json.loads((some.result / "page.json").read_text()) for some in (whole, again)]
    assert pages[0] == pages[1]
    assert (whole.result / "rows.csv").read_text() == (again.result / "rows.csv").read_text()
    news = [json.loads(line) for line in (again.folder / "progress.jsonl").read_text().splitlines()]
    assert [line["done"] for line in news if "done" in line][-1] == len(everyone)
