"""The page as an instrument: imports, extensions, reports, plans, interleaved sessions, other criteria."""

import re
import time

import pytest

from serving import answer, answers_on, forms
from weaklearn.adaptive import Session


def session_of(server, client, page):
    name = re.search(r"saved in the file ([^;<]+\.json)", client.get(f"{page}?open=1").text).group(1)
    return Session.open(server.folder / name)


def test_trials_made_elsewhere(client):
    page = client.start(sampler="")
    fields = forms(client.get(page))["import"]
    trials = {**fields, "csv": "level,outcome\n2,no\n5,yes\n5,yes\n"}
    assert client.post(f"{page}/import", trials).status == 303
    assert client.post(f"{page}/import", trials).status == 303  # sent twice, counted once
    shown = client.get(page)
    assert answers_on(shown) == 3
    assert "Imported 3 answers." in shown.text
    fresh = forms(shown)["import"]
    refused = client.post(f"{page}/import", {**fresh, "csv": "level,outcome\n2,no\n99,<b>\n"})
    assert refused.status == 422
    assert "Nothing was imported: line 3: the level 99 lies outside 1 to 8" in refused.text
    assert "99,&lt;b&gt;" in refused.text  # what was typed is still there
    changed = client.post(f"{page}/import", {**fields, "csv": "level,outcome\n3,yes\n"})
    assert changed.status == 409
    assert answers_on(client.get(page)) == 3


def test_a_finished_session_is_extended(client):
    page = client.start(sampler="", budget="2")
    for _ in range(2):
        answer(client, page, True)
    shown = client.get(page)
    assert 'id="yes"' not in shown.text
    fields = forms(shown)["extend"]
    for wrong in ("0", "", "-1", "ten", "99999"):
        assert client.post(f"{page}/extend", {**fields, "answers": wrong}).status == 422
    assert client.post(f"{page}/extend", {**fields, "answers": "3"}).status == 303
    assert client.post(f"{page}/extend", {**fields, "answers": "3"}).status == 303
    again = client.get(page).text
    assert "Question 3 of 5" in again
    assert client.post(f"{page}/extend", {**fields, "answers": "4"}).status == 409


def test_the_report_has_everything(server, client):
    page = client.start(
        sampler="", question="Is {level} <loud>?", task="2AFC", target="", subject="anna", levels="1,2,4,8,16"
    )
    empty = client.get(f"{page}/report").text
    assert "No answers yet" in empty
    for outcome in (True, False, True):
        answer(client, page, outcome)
    client.post(f"{page}/note", {**forms(client.get(page))["note"], "note": "a <b> note"})
    shown = client.get(f"{page}/report").text
    session = session_of(server, client, page)
    for part in (
        "Is … &lt;loud&gt;?",
        "anna",
        "2AFC",
        "a &lt;b&gt; note",
        f"seed {session.seed}",
        session.id,
    ):
        assert part in shown
    assert shown.count("<tr><td>1</td>") == shown.count("<tr><td>3</td>") == 1
    assert "threshold for 75% correct" in shown.lower()
    assert shown.count("<svg") == 3


def test_a_plan_shows_progress_and_then_a_number(client):
    fields = {"levels": "0:1:11", "width": "0.4", "seed": "5"}
    started = client.post("/plan", fields)
    assert started.status == 303, started.text
    place = started.headers["location"]
    shown = client.get(place)
    end = time.monotonic() + 90
    while 'id="job-bar"' in shown.text and time.monotonic() < end:
        time.sleep(0.3)
        shown = client.get(place)
    assert re.search(r"About \d+ answers give a 90% interval at most 0.4 wide", shown.text)
    assert "<svg" in shown.text
    assert place in client.get("/").text  # it is kept, and listed with all other work
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', shown.text))
    assert client.post("/new", {**hidden, "seed": "77"}).status == 303


def test_a_plan_can_be_stopped_and_says_what_is_missing(client):
    fields = {"levels": "0:1:101", "width": "0.05"}
    place = client.post("/plan", fields).headers["location"]
    assert client.post(f"/jobs/{place.rpartition('/')[2]}/cancel").status == 303
    end = time.monotonic() + 30
    while "Stopped." not in client.get(place).text and time.monotonic() < end:
        time.sleep(0.1)
    assert "Stopped." in client.get(place).text
    missing = client.post("/plan", {"levels": "0:1:11"})
    assert missing.status == 422
    assert "say how narrow" in missing.text
    wrong = client.post("/plan", {**fields, "spread": "-1", "truth": ""})
    assert wrong.status == 422
    assert 'id="spread-error"' in wrong.text
    assert client.get("/thresholds/0123").status == 404


def test_interleaved_sessions(server, client):
    pages = [
        client.start(sampler="", block="left & right", condition=name, budget="4")
        for name in ("left", "right")
    ]
    place = client.get("/block?name=left+%26+right").headers["location"]
    assert client.get("/block?name=left+%26+right").headers["location"] == place  # reloading changes nothing
    assert place in pages
    visited = []
    for _ in range(8):
        visited.append(place)
        place = answer(client, place, True).headers["location"]
    assert all(set(visited[n : n + 2]) == set(pages) for n in range(0, 8, 2))  # in rounds
    shown = client.get(place)
    assert "2 of 2 sessions finished" in shown.text
    # Undo takes back the last answer of the block, wherever it is pressed.
    other = next(page for page in pages if page != visited[-1])
    button = re.search(r'action="(/s/\w+)/undo"', client.get(other).text).group(1)
    assert button == visited[-1]
    undone = client.post(f"{button}/undo", forms(client.get(other))["undo"])
    assert undone.headers["location"] == visited[-1]
    assert len(session_of(server, client, visited[-1]).history) == 3
    assert client.get("/block?name=left+%26+right").headers["location"] == visited[-1]
    listed = client.get("/thresholds?block=left+%26+right").text
    assert "Run the block" in listed
    assert listed.count('class="name"') == 2
    assert client.get("/block?name=nothing").status == 404


@pytest.mark.parametrize(
    ("fields", "described", "words"),
    [
        ({"difference": "0.2"}, {"difference": 0.2}, "differs from the first by 20 percentage points"),
        ({"gain": "1:5, 8:1"}, {"trade_off": [[1, 8], [5, 1]]}, "largest expected gain"),
        (
            {"gain": "level", "direction": "falling", "levels": "1,2,4,8"},
            {"trade_off": [[1, 2, 4, 8], [1, 2, 4, 8]]},
            "largest expected gain",
        ),
    ],
)
def test_other_criteria(server, client, fields, described, words):
    page = client.start(sampler="", target="", **fields)
    answer(client, page, True)
    answer(client, page, False)
    assert words in client.get(page).text
    assert session_of(server, client, page).estimate()[0]["target"] == described


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"target": "0.5", "difference": "0.2"}, "not both"),
        ({"difference": "2"}, "between 0 and 1"),
        ({"gain": "1:5"}, "same length, at least 2"),
        ({"gain": "1:5, 4:2"}, "give gains for all levels from 1 to 8"),
        ({"gain": "1:5, 1:2"}, "given twice"),
        ({"gain": "cheap"}, "write level:gain"),
        ({"gain": "level", "sampler": "DoseEscalation"}, "use another sampler"),
    ],
)
def test_criteria_that_are_refused(client, fields, complaint):
    reply = client.post("/new", {"levels": "1:8:8", **fields})
    assert reply.status == 422
    assert complaint in reply.text
