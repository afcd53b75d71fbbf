"""What a laboratory needs of the page: subjects, own words, blind sessions, many sessions, damaged files."""

import json
import time

import pytest

from serving import Client, Server, answer, forms
from weaklearn.adaptive import Session, SessionFileError
from weaklearn.thresholds._folder import SessionFolder, _key


def test_subjects_conditions_and_own_words(client):
    page = client.start(
        task="2AFC",
        target="",
        sampler="",
        subject="anna <b>",
        condition="quiet",
        yes_label="Louder",
        no_label="Softer",
        yes_key="l",
        no_key="s",
    )
    answer(client, page, True)
    shown = client.get(page).text
    assert "<span>Louder</span>" in shown
    assert 'data-key="s"' in shown
    assert "anna &lt;b&gt;" in shown
    assert "threshold for 75% correct" in shown.lower()
    assert "How probable each threshold is" in shown
    listed = client.get("/thresholds").text
    assert "anna &lt;b&gt;" in listed
    only = client.get("/thresholds?subject=anna+%3Cb%3E").text
    assert page in only
    assert only.count('class="name"') == 1
    assert page not in client.get("/thresholds?subject=bert").text


def test_a_forced_choice_says_correct_or_incorrect(client):
    shown = client.get(client.start(task="3AFC", target="", sampler="")).text
    assert "<span>Correct</span>" in shown
    assert "<span>Incorrect</span>" in shown
    reply = client.post("/new", {"levels": "1,2,3", "task": "2AFC", "target": "0.5"})
    assert reply.status == 422
    assert "guessing alone gives 0.5" in reply.text


def test_a_blind_page_shows_neither_level_nor_answers(client):
    page = client.start(blind="yes", question="Louder?", levels="11.25,12.25,13.25,14.25", sampler="")
    for n in range(3):
        shown = client.get(page).text
        visible = shown.replace(f'value="{forms(client.get(page))["answer"]["level"]}"', "")
        assert not any(level in visible for level in ("11.25", "12.25", "13.25", "14.25"))
        assert "interval" not in visible
        assert "<svg" not in visible
        assert "answers.csv" not in visible
        answer(client, page, n % 2)
    assert "Undo the last answer" in client.get(page).text
    everything = client.get(f"{page}?open=1").text
    assert "13.25" in everything
    assert "90% interval" in everything
    assert "90% interval" not in client.get("/thresholds?subject=nobody").text
    reply = client.post("/new", {"levels": "1,2", "blind": "yes", "question": "Is {level} loud?"})
    assert "must not show {level}" in reply.text


def test_a_threshold_above_every_level_is_said(client):
    page = client.start(sampler="", budget="14")
    for _ in range(14):
        answer(client, page, False)
    shown = client.get(page).text
    assert "<strong>above every level</strong>" in shown
    assert "add levels beyond 8" in shown


@pytest.mark.slow  # by the clock, so not beside other tests
def test_five_thousand_sessions_are_listed_within_a_second(tmp_path):
    session = Session.create(tmp_path / "0.json", [1, 2, 3, 4], "?", seed=1, about={"subject": "anna"})
    for outcome in (True, False, True):
        session.answer(2, outcome)
    record = json.loads(session.path.read_text())
    for n in range(1, 5000):
        (tmp_path / f"{n}.json").write_text(json.dumps({**record, "id": f"{n:032x}"}, indent=1))
    folder = SessionFolder(tmp_path)
    start = time.process_time()
    entries = folder.entries()  # every file is read, for the first and only time
    assert time.process_time() - start < 1
    start = time.process_time()
    entries = folder.entries()
    shown = folder.outcomes(entries[:100], 0.2)
    assert time.process_time() - start < 0.5
    assert len(entries) == 5000
    assert shown[0].computed


def test_listing_sessions_again_reads_no_file(tmp_path, monkeypatch):
    for n in range(3):
        Session.create(tmp_path / f"{n}.json", [1, 2, 3, 4], "?", seed=n)
    folder = SessionFolder(tmp_path)
    listed = folder.entries()
    read = []
    monkeypatch.setattr(SessionFolder, "_read", lambda self, name, _: read.append(name))
    assert folder.entries() == listed
    assert not read


def test_an_answer_parses_no_file_and_makes_no_sampler(tmp_path, monkeypatch):
    from weaklearn.adaptive.sessions import _session

    Session.create(tmp_path / "one.json", [1, 2, 3, 4], "?", seed=1, about={"block": "loud"})
    folder = SessionFolder(tmp_path)
    key = folder.entries()[0].key
    folder.open(key)
    made = []
    for name in ("record_from", "make_sampler"):
        real = getattr(_session, name)
        monkeypatch.setattr(_session, name, lambda *a, name=name, real=real: (made.append(name), real(*a))[1])
    for n in range(4):
        session = folder.open(key)
        session.answer(session.ask(), n % 2 == 0, revision=n)
        assert folder.entries()[0].n_answers == n + 1  # the list and the block follow
        assert folder.outcomes(folder.entries(), 20)[0].computed
    assert not made
    # Another process writes: read again, once.
    Session.open(tmp_path / "one.json").answer(3, True)
    made.clear()
    assert len(folder.open(key).history) == 5
    assert made == ["record_from"]
    monkeypatch.undo()
    assert folder.open(key).to_dict() == Session.open(tmp_path / "one.json").to_dict()


def spoilt(record):
    """Records that are JSON and not sessions, each in its own way."""
    yield "half", json.dumps(record)[:-40]
    yield "params", json.dumps({**record, "sampler": {"name": "PosteriorMinEnt", "params": {"scale": 7}}})
    yield "fit", json.dumps({**record, "sampler": {"name": "MinEnt", "params": {"fit": "os.system"}}})
    yield "stop", json.dumps({**record, "stop": {"budget": "many"}})
    yield "target", json.dumps({**record, "targets": [{"crossing": 7}]})
    yield "about", json.dumps({**record, "about": {"subject": 7}})
    yield "huge", json.dumps({**record, "levels": [0, 1e308]})
    yield (
        "answer",
        json.dumps(
            {
                **record,
                "history": [{"level": 1e308, "outcome": True, "revision": 1, "time": ""}],
                "revision": 1,
            }
        ),
    )


def test_damaged_files_harm_no_other(tmp_path):
    pytest.importorskip("uvicorn", reason="the pages need the extra weaklearn[web]")
    good = Session.create(tmp_path / "good.json", [1, 2, 3, 4], "The good one", seed=1)
    names = []
    for name, text in spoilt(json.loads(good.path.read_text())):
        (tmp_path / f"{name}.json").write_text(text)
        names.append(f"{name}.json")
    before = {name: (tmp_path / name).read_bytes() for name in names}
    key = _key("params.json", json.loads(before["params.json"])["id"])
    with pytest.raises(SessionFileError, match="cannot be used: scale must be one of"):
        SessionFolder(tmp_path).open(key)
    with Server(tmp_path) as server:
        client = Client.let_in(server)
        for _ in range(10):  # each look has a limited time for computing
            listed = client.get("/thresholds")
        assert listed.status == 200
        assert "The good one" in listed.text
        for name in ("half.json", "params.json", "fit.json", "stop.json", "target.json", "about.json"):
            assert f'<p class="name">{name}</p>' in listed.text
        assert client.start(question="Another one")
    assert before == {name: (tmp_path / name).read_bytes() for name in names}
