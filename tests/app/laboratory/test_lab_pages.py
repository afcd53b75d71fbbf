"""The fourth door: studies, their runs as jobs, and what the store says."""

import json
import time

import pytest

from page_checks import check_page


def state(server, page):
    path = server.folder / "weaklearn-work" / "jobs" / page.rpartition("/")[2] / "state.json"
    return json.loads(path.read_text())["state"] if path.exists() else "waiting"


def test_a_study_is_run_and_reported(server, client):
    shown = check_page(client.get("/lab").text, served=True).text
    assert "SAMME with decision trees on digits" in shown
    assert "0 of 8 done" in shown
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
    assert "published cells" in check_page(found, served=True).text
    check_page(client.get(f"{page}/report.html").text)
    assert client.get(f"{page}/cells.csv").text.startswith("source")
    shown = check_page(client.get("/lab").text, served=True).text
    assert "8 of 8 done" in shown
    assert "confirmed" in shown


@pytest.mark.parametrize(
    "fields", [{}, {"study": "../x", "profile": "quick"}, {"study": "may2020_samme", "profile": "../full"}]
)
def test_forms_that_no_page_sends(client, fields):
    assert client.post("/lab", fields).status == 400
    assert client.get("/lab?profile=x").status == 404
    assert client.get(f"/lab/{'0' * 16}").status == 404
