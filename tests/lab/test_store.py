import multiprocessing
import os
import sqlite3

import pytest

from weaklearn.engines import Failure
from weaklearn.lab import LabError, Outcome, Store


def finished(key, value=1.0):
    return Outcome(key, "{}", {"error": value, "curve": [value, 0.1]}, 0.5, "1.0")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "deep" / "store.sqlite"


def test_floats_come_back_exactly(path):
    value = 0.1 + 0.2
    with Store(path) as store:
        store.add([finished("a", value)])
    with Store(path) as store:
        assert store.results(["a", "b"]) == {"a": {"error": value, "curve": [value, 0.1]}}
        assert store.known(["a", "b"]) == {"a"}
        assert store.provenance(["a"]) == (0.5, ["1.0"])


def test_finished_trials_are_immutable(path):
    with Store(path) as store:
        store.add([finished("a", 1.0)])
        store.add([finished("a", 2.0), finished("b", 3.0)])
        assert store.results(["a", "b"])["a"]["error"] == 1.0
        assert len(store) == 2


def test_a_failure_is_kept_until_there_is_a_result(path):
    failed = Outcome("a", "{}", failure=Failure("raised", "ValueError: no", "Traceback"), limits="timeout=1")
    with Store(path) as store:
        store.add([failed, finished("b")])
        assert store.failed(["a", "b"], "timeout=1") == {"a": failed}
        assert store.failed(["a"], "timeout=2") == {}
        assert store.known(["a", "b"]) == {"b"}
        store.add([finished("a")])
        assert store.failed(["a"], "timeout=1") == {}


def test_many_keys(path):
    keys = [f"{i:04}" for i in range(1203)]
    with Store(path) as store:
        store.add(finished(key) for key in keys)
        assert store.known(keys) == set(keys)
        assert len(store.results([*keys, "other"])) == len(keys)


def test_a_result_that_is_not_a_number_is_refused_whole(path):
    with Store(path) as store:
        with pytest.raises(ValueError, match="JSON"):
            store.add([finished("a"), finished("b", float("nan"))])
        assert len(store) == 0


def test_not_a_database(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("no database, but long enough to have a header " * 20)
    before = file.read_bytes()
    with pytest.raises(LabError, match="is not a weaklearn store"):
        Store(file)
    assert file.read_bytes() == before


def test_database_of_another_program(tmp_path):
    file = tmp_path / "other.sqlite"
    raw = sqlite3.connect(file)
    raw.execute("CREATE TABLE trials (key TEXT)")
    raw.commit()
    raw.close()
    before = file.read_bytes()
    with pytest.raises(LabError, match="another program"):
        Store(file)
    assert file.read_bytes() == before


def test_store_of_another_format(path):
    Store(path).close()
    raw = sqlite3.connect(path)
    raw.execute("PRAGMA user_version = 99")
    raw.close()
    with pytest.raises(LabError, match="has format 99"):
        Store(path)


def test_places_that_cannot_be(tmp_path):
    with pytest.raises(LabError, match="is a folder"):
        Store(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(LabError, match="cannot be made"):
        Store(tmp_path / "file" / "store.sqlite")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
@pytest.mark.parametrize("what", ["file", "folder"])
def test_read_only(path, what):
    Store(path).close()
    place = path if what == "file" else path.parent
    mode = place.stat().st_mode
    place.chmod(0o444 if what == "file" else 0o555)
    try:
        with pytest.raises(LabError, match=r"cannot be written .* choose another with --store"):
            Store(path)
    finally:
        place.chmod(mode)


def test_read_only_is_found_before_any_work(path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda place, mode: False)
    with pytest.raises(LabError, match=r"is read-only\): choose another with --store"):
        Store(path)


def _hammer(path, name):
    with Store(path) as store:
        for i in range(40):
            store.add([finished(f"shared{i}"), finished(f"{name}{i}")])


def test_many_writers_at_once(path):
    # Makes the file in the race, too.
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_hammer, args=(path, name)) for name in "ab"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0]
    with Store(path) as store:
        assert len(store) == 120
