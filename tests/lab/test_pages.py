"""The fourth door: studies, their runs as jobs, and what the store says."""

import json
import re
import time

import pytest

from page_checks import check_page


@pytest.fixture(scope="module")
def server(shared_server):
    return shared_server


def state(server, page):
    path = server.folder / "weaklearn-work" / "jobs" / page.rpartition("/")[2] / "state.json"
    return json.loads(path.read_text())["state"] if path.exists() else "waiting"


def test_all_studies_are_listed_and_a_run_is_started_once_and_stopped(server, client):
    shown = check_page(client.get("/lab").text, served=True).text
    assert "SAMME with decision trees on digits" in shown
    assert re.search(r"0 of \d+ done", shown)
    assert "runs in the full profile only" in shown
    fields = {"study": "may2020_samme", "profile": "full"}
    page = client.post("/lab", fields).headers["location"]
    assert client.post("/lab", fields).headers["location"] == page
    check_page(client.get(page).text, served=True)
    assert client.get(f"{page}/report.html").status == 422
    assert client.post(f"{page.replace('lab', 'jobs')}/cancel").status == 303
    for _ in range(300):
        if state(server, page) == "cancelled":
            break
        time.sleep(0.1)
    assert "Stopped." in check_page(client.get(page).text, served=True).text


def test_the_job_of_a_study(tmp_path, monkeypatch):
    from weaklearn.lab import discover
    from weaklearn.lab._job import run_study
    from weaklearn.lab._status import status_report
    from weaklearn.web import JobError, JobFolder, Work

    whole = discover()["pratap2008_monotone"]
    small = whole.narrowed([whole.parts[0].item], (whole.parts[0].rows[0].label,), 2)
    monkeypatch.setattr("weaklearn.lab._job.discover", lambda: {"small": small})
    jobs = JobFolder(tmp_path / "jobs")
    work = Work(jobs.create("reproduction", "small", {"study": "small", "profile": "quick"}).path)
    run_study(work)
    page = json.loads((work.result / "page.json").read_text())
    assert page["trials"] > 0
    assert "published table" in page["tables"]
    check_page((work.result / "report.html").read_text(encoding="utf-8"))
    counted = status_report([small], store=tmp_path / "reproduction" / "store.sqlite")[0]
    assert counted.fresh == counted.planned > 0
    news = [json.loads(line) for line in (work.folder / "progress.jsonl").read_text().splitlines()]
    assert news[-1]["done"] == news[-1]["total"] == counted.planned
    work.settings["study"] = "gone"
    with pytest.raises(JobError, match="no study 'gone'"):
        run_study(work)


@pytest.mark.slow
def test_a_study_is_run_and_reported(server, client):
    fields = {"study": "may2020_sample_complexity", "profile": "quick"}
    page = client.post("/lab", fields).headers["location"]
    again = client.post("/lab", fields).headers["location"]
    assert again == page or state(server, page) == "done"  # one run at a time of the same study
    check_page(client.get(page).text, served=True)
    for _ in range(1200):
        if state(server, page) not in ("waiting", "running"):
            break
        time.sleep(0.1)
    found = client.get(page).text
    assert state(server, page) == "done", found
    assert "published table" in check_page(found, served=True).text
    check_page(client.get(f"{page}/report.html").text)
    assert client.get(f"{page}/cells.csv").text.startswith("experiment,source,")
    shown = check_page(client.get("/lab").text, served=True).text
    assert re.search(r"(\d+) of \1 done", shown)
    assert "published table" in shown


@pytest.mark.parametrize(
    "fields", [{}, {"study": "../x", "profile": "quick"}, {"study": "may2020_samme", "profile": "../full"}]
)
def test_forms_that_no_page_sends(client, fields):
    assert client.post("/lab", fields).status == 400
    assert client.get("/lab?profile=x").status == 404
    assert client.get(f"/lab/{'0' * 16}").status == 404
