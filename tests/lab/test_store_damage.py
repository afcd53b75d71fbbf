"""Every changed digit is found; a flipped byte never changes a result and costs few of them."""

import random
import re
import shutil
import sqlite3

import pytest

from weaklearn.lab import Outcome, Store
from weaklearn.lab._code import Stamp

N = 400


def description(i):
    return f'{{"algorithm":{{"builder":"a:B"}},"data":"d{i % 7}","index":{i},"protocol":{{"name":"p"}}}}'


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    path = tmp_path_factory.mktemp("original") / "store.sqlite"
    draw = random.Random(0)
    with Store(path) as store:
        for start in range(0, N, 50):
            store.add(
                Outcome(
                    f"{draw.getrandbits(256):064x}",
                    description(i),
                    {"error": draw.random(), "curve": [draw.random() for _ in range(draw.randrange(40))]},
                    draw.random(),
                    "1.0",
                    Stamp(f"code{i % 3}", "numpy 1"),
                )
                for i in range(start, start + 50)
            )
    return path


@pytest.fixture(scope="module")
def results(original):
    connection = sqlite3.connect(original)
    keys = [row[0] for row in connection.execute("SELECT key FROM trials")]
    connection.close()
    with Store(original) as store:
        return store.results(keys)


@pytest.fixture
def copy(original, tmp_path):
    def make(place=None, bits=0):
        path = tmp_path / "store.sqlite"
        for file in tmp_path.iterdir():
            file.unlink()
        shutil.copy(original, path)
        if place is not None:
            data = bytearray(path.read_bytes())
            data[place] ^= bits
            path.write_bytes(data)
        return path

    return make


def left(path, results):
    """How many results of a damaged store are left, all of them right; it can be written again."""
    with Store(path) as store:
        found = store.results(list(results))
        assert all(results[key] == value for key, value in found.items())
        if store.rescue:
            assert f"{len(found)} results could be read" in store.rescue
            assert len(list(path.parent.glob("store.sqlite.damaged-*"))) == 1
        store.add([Outcome("k", description(1), {"error": 1.0})])
        assert store.known(["k"]) == {"k"}
    return len(found)


def test_random_bytes(original, copy, results):
    draw = random.Random(1)
    size = original.stat().st_size
    kept = [left(copy(draw.randrange(4096, size), 1 << draw.randrange(8)), results) for _ in range(30)]
    # Most flips cost one trial or none; one that breaks the chain between pages may cost a page.
    assert sorted(kept)[3] >= N - 1
    assert min(kept) > N - 40


def test_the_first_page(copy, results):
    """Where it says what the tables are nothing may be readable, but nothing wrong is read, and no file is lost."""
    rescued = 0
    for place in range(0, 100, 7):
        if not 60 <= place < 72:  # a file of another format or program is left alone
            path = copy(place, 0x41)
            kept = left(path, results)
            rescued += bool(list(path.parent.glob("store.sqlite.damaged-*")))
            assert kept == N or rescued
    assert rescued


def test_changed_digits(copy, results):
    """A digit edited with a tool that keeps the file in order."""
    draw = random.Random(2)
    for _ in range(10):
        path = copy()
        connection = sqlite3.connect(path)
        key, text = draw.choice(connection.execute("SELECT key, result FROM trials").fetchall())
        place = draw.choice([match.start() for match in re.finditer(r"\d", text)])
        digit = str((int(text[place]) + draw.randrange(1, 10)) % 10)
        connection.execute(
            "UPDATE trials SET result = ? WHERE key = ?", (text[:place] + digit + text[place + 1 :], key)
        )
        connection.commit()
        connection.close()
        with Store(path) as store:
            (row,) = (row for row in store.stored(list(results)) if not row.intact)
            assert row.key == key
            assert '"builder":"a:B"' in row.description
        assert left(path, results) == N - 1


def test_a_store_in_order_is_left_alone(copy, results):
    path = copy()
    with Store(path) as store:
        assert store.rescue == ""
        assert store.results(list(results)) == results
    assert list(path.parent.glob("*damaged*")) == []
