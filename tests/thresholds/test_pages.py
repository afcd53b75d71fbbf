import asyncio
import csv
import io
import json
import re
import signal
from functools import partial

import pytest

from serving import Client, Server, answer, answers_on, forms
from weaklearn.adaptive import Session


@pytest.fixture
def page(client):
    return client.start()


def file_of(server, client, page):
    """The session's file, by its id."""
    wanted = json.loads(client.get(f"{page}/session.json").text)["id"]
    found = [
        path for path in server.folder.glob("*.json") if json.loads(path.read_text()).get("id") == wanted
    ]
    assert len(found) == 1
    return found[0]


def test_a_session_by_plain_forms(server, client, page):
    first = client.get(page)
    assert "Can you hear it?" in first.text
    assert "No answers yet" in first.text
    for n in range(1, 5):
        reply = answer(client, page, n % 2)
        assert reply.status == 303
        assert reply.headers["location"] == page
        shown = client.get(page)
        assert answers_on(shown) == n
        assert "90% interval" in shown.text
        assert "<svg" in shown.text
    assert [one["outcome"] for one in Session.open(file_of(server, client, page)).history] == [1, 0, 1, 0]


def test_the_same_answer_sent_again_counts_once(client, page):
    fields = {**forms(client.get(page))["answer"], "outcome": "yes"}
    for _ in range(3):
        assert client.post(f"{page}/answer", fields).status == 303
    assert answers_on(client.get(page)) == 1
    # The other answer to the same question is a contradiction, and is said to be one.
    reply = client.post(f"{page}/answer", {**fields, "outcome": "no"})
    assert reply.status == 409
    assert "Your answer was not recorded." in reply.text
    assert answers_on(reply) == 1


def test_two_tabs(client, page):
    old = {**forms(client.get(page))["answer"], "outcome": "no"}
    answer(client, page, True)
    answer(client, page, True)
    reply = client.post(f"{page}/answer", old)
    assert reply.status == 409
    assert "another window or tab" in reply.text
    assert forms(reply)["answer"]["revision"] == "2"  # the page shown can be answered at once
    assert answers_on(client.get(page)) == 2


def test_a_session_begins_in_three_fields(client):
    first, more = client.get("/new").text.split('<details class="field" id="more"')
    assert re.findall(r'<input id="(\w+)"', first) == ["levels", "question", "budget"]
    assert not more.startswith(" open")
    assert 'name="subject"' in more
    dose = client.get("/new?template=dose").text
    assert "not approved for treating people" in dose
    assert 'value="10, 20, 40, 80, 160"' in dose
    fields = {**forms(client.get("/new"))["new"], "levels": "0 to 60", "budget": "40", "preview": "yes"}
    asked = client.post("/new", fields)
    assert asked.status == 200
    assert "30 answers give a 90% interval at most" in asked.text
    assert 'value="0 to 60"' in asked.text
    assert 'id="more">' in asked.text  # still closed
    assert client.post("/new", {**fields, "levels": "x"}).status == 422
    page = client.start(sampler="DoseEscalation", levels="1 2 4", target="0.3")
    for end in ("", "/report"):
        assert "not approved for treating people" in client.get(page + end).text


def test_a_drift_is_said_on_page_and_report(client):
    page = client.start(sampler="PosteriorMinEnt", levels="0:10:21")
    places = [2 + 6 * k / 47 for k in range(48)]
    rows = [f"{level},{int(level > x)}" for x in places for level in (int(2 * x) / 2, int(2 * x) / 2 + 0.5)]
    fields = {**forms(client.get(page))["import"], "csv": "\n".join(["level,outcome", *rows])}
    assert client.post(f"{page}/import", fields).status == 303
    for end in ("", "/report"):
        assert "The threshold seems to have moved from about" in client.get(page + end).text


def test_several_observers_are_summarised(client):
    for subject, place in (("anna", 3), ("ben", 4), ("eva", 6)):
        page = client.start(sampler="PosteriorMinEnt", subject=subject, condition="loud")
        rows = "\n".join(f"{level},{int(level > place)}" for level in range(1, 9) for _ in range(3))
        fields = {**forms(client.get(page))["import"], "csv": f"level,outcome\n{rows}"}
        assert client.post(f"{page}/import", fields).status == 303
    client.start(condition="loud", blind="yes", question="?")
    assert "/thresholds/summary?subject=&amp;condition=loud" in client.get("/thresholds?condition=loud").text
    shown = client.get("/thresholds/summary?condition=loud").text
    assert "Mean threshold of the population: 4." in shown
    assert shown.count("threshold for 50% yes") == 3
    table = list(csv.DictReader(io.StringIO(client.get("/thresholds/answers.csv?condition=loud").text)))
    assert len(table) == 3 * 24
    assert {row["subject"] for row in table} == {"anna", "ben", "eva"}
    assert "No population" in client.get("/thresholds/summary?subject=anna").text


def test_undo_is_done_once(client, page):
    for outcome in (True, False, True):
        answer(client, page, outcome)
    before = client.get(page)
    fields = forms(before)["undo"]
    for _ in range(2):
        assert client.post(f"{page}/undo", fields).status == 303
    shown = client.get(page)
    assert answers_on(shown) == 2
    answer(client, page, True)
    reply = client.post(f"{page}/undo", fields)
    assert reply.status == 409
    assert "Nothing was undone." in reply.text
    assert answers_on(reply) == 3


def test_undo_asks_the_same_question_again(client, page):
    asked = forms(client.get(page))["answer"]["level"]
    answer(client, page, True)
    client.post(f"{page}/undo", forms(client.get(page))["undo"])
    shown = client.get(page)
    assert forms(shown)["answer"]["level"] == asked
    assert client.post(f"{page}/undo", forms(shown)["undo"]).status == 422


def test_notes_are_kept_once_and_escaped(client, page):
    answer(client, page, True)
    fields = {**forms(client.get(page))["note"], "note": "<script>alert(1)</script> & “tired”\r\nline 2"}
    for _ in range(2):
        assert client.post(f"{page}/note", fields).status == 303
    shown = client.get(page).text
    assert shown.count("&lt;script&gt;alert(1)&lt;/script&gt; &amp; “tired”") == 1
    assert "<script>alert" not in shown
    late = client.post(f"{page}/note", {**fields, "note": "second"})
    assert late.status == 409
    assert ">second</textarea>" in late.text  # nothing typed is lost
    assert client.post(f"{page}/note", {**forms(late)["note"], "note": " "}).status == 422
    assert client.post(f"{page}/note", {**forms(late)["note"], "note": "x" * 2001}).status == 422


def test_an_answer_at_another_level(client, page):
    fields = forms(client.get(page))["answer"]
    assert client.post(f"{page}/answer", {**fields, "level": "3.25", "outcome": "yes"}).status == 303
    for level in ("99", "-1", "nan", "inf", "x", ""):
        fields = forms(client.get(page))["answer"]
        reply = client.post(f"{page}/answer", {**fields, "level": level, "outcome": "yes"})
        assert reply.status == 422
        assert "the level must be a number from 1 to 8" in reply.text
    assert answers_on(client.get(page)) == 1


def test_the_end(client):
    page = client.start(levels="1,2,3", budget="3")
    for _ in range(3):
        answer(client, page, True)
    end = client.get(page)
    assert "Finished: 3 answers" in end.text
    assert "outcome" not in forms(end).get("answer", {})
    assert "Extend by" in end.text


def test_downloads(client, page):
    for outcome in (True, False):
        answer(client, page, outcome)
    reply = client.get(f"{page}/answers.csv")
    assert reply.headers["content-type"].startswith("text/csv")
    assert reply.headers["content-disposition"].startswith('attachment; filename="threshold-')
    rows = list(csv.DictReader(io.StringIO(reply.text)))
    assert len(rows) == 2
    reply = client.get(f"{page}/session.json")
    assert reply.headers["content-disposition"].endswith(".json")
    assert len(json.loads(reply.text)["history"]) == 2


def test_the_form_for_a_new_session_keeps_what_was_typed(server, client):
    before = set(server.folder.iterdir())
    typed = {
        "question": 'Is it "loud" <at> {level}?',
        "levels": "1, two",
        "target": "1.5",
        "direction": "falling",
        "sampler": "BestPEST",
        "budget": "many",
        "width": "-1",
        "seed": "42",
    }
    reply = client.post("/new", typed)
    assert reply.status == 422
    for name in ("levels", "target", "budget", "width"):
        assert f'id="{name}-error"' in reply.text
        assert f'aria-describedby="{name}-hint {name}-error" aria-invalid="true"' in reply.text
    assert "Is it &#34;loud&#34; &lt;at&gt; {level}?" in reply.text
    assert 'value="1, two"' in reply.text
    assert 'value="falling" checked' in reply.text
    assert '<option value="BestPEST" selected>' in reply.text
    assert forms(reply)["new"]["seed"] == "42"
    assert set(server.folder.iterdir()) == before


def test_start_sent_twice_makes_one_session(server, client):
    fields = {**forms(client.get("/new"))["new"], "question": "Twice?", "levels": "1:5:5"}
    pages = {client.post("/new", fields).headers["location"] for _ in range(3)}
    assert len(pages) == 1
    other = client.post("/new", {**fields, "levels": "1:6:6"}).headers["location"]
    assert other not in pages


@pytest.mark.parametrize("sampler", ["PosteriorMinEnt", "BestPEST", "Staircase", "EqualAllocation"])
def test_every_sampler_has_its_page(client, sampler):
    page = client.start(sampler=sampler, target="0.3, 0.7", direction="falling", width="1")
    for n in range(3):
        assert answer(client, page, n % 2).status == 303
    assert client.get(page).text.count("90% interval") >= 2


def test_the_list(server, client, page):
    answer(client, page, True)
    Session.create(server.folder / "by hand.json", [1, 2, 3], "Made in Python & more", seed=5)
    (server.folder / "settings.json").write_text('{"not": "ours"}')
    (server.folder / "broken.json").write_text('{"format": "weaklearn-session", "version": 1}')
    try:
        shown = client.get("/thresholds").text
        assert "Made in Python &amp; more" in shown
        assert "settings.json" not in shown
        assert "broken.json" in shown
        assert "This file cannot be used" in shown
        assert str(server.folder) not in shown
        assert f'href="{page}"' in shown
    finally:
        for name in ("by hand.json", "settings.json", "broken.json"):
            (server.folder / name).unlink()


def test_copies_of_a_file_are_told_apart(server, client):
    page = client.start(question="Copied")
    path = file_of(server, client, page)
    copy = server.folder / "copy.json"
    copy.write_bytes(path.read_bytes())
    try:
        links = {part.partition('"')[0] for part in client.get("/thresholds").text.split('href="/s/')[1:]}
        assert len(links) == len(set(links))
        answer(client, page, True)
        assert len(Session.open(path).history) == 1
        assert len(Session.open(copy).history) == 0
    finally:
        copy.unlink()


def test_a_file_that_is_damaged_or_gone_while_its_page_is_open(server, client):
    page = client.start(question="Damaged")
    fields = {**forms(client.get(page))["answer"], "outcome": "yes"}
    path = file_of(server, client, page)
    whole = path.read_bytes()
    path.write_bytes(whole[:-40])
    reply = client.post(f"{page}/answer", fields)
    assert reply.status == 409
    assert "Nothing was recorded" in reply.text
    assert path.read_bytes() == whole[:-40]
    path.unlink()
    assert client.post(f"{page}/answer", fields).status in (404, 409)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"revision": "0"},
        {"revision": "0", "level": "1", "outcome": "maybe"},
        {"revision": "-1", "level": "1", "outcome": "yes"},
        {"revision": "1e3", "level": "1", "outcome": "yes"},
        {"revision": "9" * 5000, "level": "1", "outcome": "yes"},
        {"level": "1", "outcome": "yes"},
    ],
)
def test_forms_that_no_page_sends(client, page, fields):
    assert client.post(f"{page}/answer", fields).status == 400
    assert answers_on(client.get(page)) == 0


def test_bytes_that_are_no_form(client, page):
    for body in (b"\xff\xfe", b"%ff%fe=1", b"&".join([b"a=1"] * 100), b"--boundary"):
        assert client.post(f"{page}/answer", body).status == 400


def test_a_disk_that_is_full(tmp_path, monkeypatch):
    from starlette.requests import Request

    from weaklearn.adaptive.sessions import _session
    from weaklearn.thresholds._folder import SessionFolder
    from weaklearn.thresholds._routes import _Pages
    from weaklearn.thresholds._session_pages import SessionPages

    def full(path, record):
        raise OSError(28, "No space left on device")

    Session.create(tmp_path / "full.json", [1, 2, 3], seed=1)
    monkeypatch.setattr(_session, "write_record", full)
    pages = _Pages(SessionFolder(tmp_path))
    key = pages.folder.entries()[0].key
    scope = {"type": "http", "path_params": {"key": key}, "query_string": b"", "headers": []}

    async def receive():
        return {"type": "http.request", "body": b"revision=0&level=1&outcome=yes"}

    request = Request(scope, receive)
    reply = asyncio.run(pages.handle(partial(SessionPages(pages.folder).change, name="answer"))(request))
    assert reply.status_code == 507
    assert b"No space left on device. Nothing was recorded" in reply.body


def test_ctrl_c_ends_the_server_in_order(tmp_path):
    with Server(tmp_path) as server:
        client = Client.let_in(server)
        page = client.start()
        assert answer(client, page, True).status == 303
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(20) == 0
        assert "Stopped." in server.process.stderr.read()
        server.close()
    assert len(Session.open(next(tmp_path.glob("*.json"))).history) == 1
