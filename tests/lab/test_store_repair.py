"""Every flipped byte and every changed digit is found; repair loses only what is damaged."""

import random
import re
import shutil
import sqlite3

import pytest

from weaklearn.lab import Finished, LabError, Store
from weaklearn.lab.store._repair import check_store, repair_store
from weaklearn.lab.store._stamps import Stamp

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
                Finished(
                    f"{draw.getrandbits(256):064x}",
                    description(i),
                    {"error": draw.random(), "curve": [draw.random() for _ in range(draw.randrange(40))]},
                    draw.random(),
                    "1.0",
                    Stamp(f"code{i % 3}", "numpy 1"),
                )
                for i in range(start, start + 50)
            )
    assert check_store(path) == []
    return path


@pytest.fixture
def copy(original, tmp_path):
    def make():
        path = tmp_path / "store.sqlite"
        for file in tmp_path.iterdir():
            file.unlink()
        shutil.copy(original, path)
        shutil.copy(original.with_name("store.sqlite.seal"), tmp_path / "store.sqlite.seal")
        return path

    return make


def rows(path):
    connection = sqlite3.connect(path)
    found = set(connection.execute("SELECT * FROM trials"))
    connection.close()
    return found


def check_repair(path, original):
    before = rows(original)
    repair = repair_store(path)
    assert repair.damage
    assert repair.backup.exists()
    assert check_store(path) == []
    assert rows(path) <= before
    assert len(rows(path)) == repair.kept
    with Store(path) as store:
        assert len(store) == repair.kept
    return repair.kept


def test_random_bytes(original, copy):
    draw = random.Random(1)
    kept = []
    for _ in range(30):
        path = copy()
        data = bytearray(path.read_bytes())
        place = draw.randrange(len(data))
        data[place] ^= 1 << draw.randrange(8)
        path.write_bytes(data)
        assert check_store(path), f"byte {place} was flipped and nobody noticed"
        kept.append(check_repair(path, original))
    # Most flips cost one trial or none; one that breaks the chain between pages may cost a page.
    assert sorted(kept)[3] >= N - 1
    assert min(kept) > N - 40


def test_every_byte_of_the_header_counts(original, copy):
    for place in range(0, 100, 3):
        path = copy()
        data = bytearray(path.read_bytes())
        data[place] ^= 0x41
        path.write_bytes(data)
        assert check_store(path), place
        assert check_repair(path, original) == N


def test_changed_digits(original, copy):
    """A digit that somebody edits with a tool that keeps the file in order."""
    draw = random.Random(2)
    for _ in range(10):
        path = copy()
        connection = sqlite3.connect(path)
        connection.execute("DROP TRIGGER trials_no_UPDATE")
        key, text = draw.choice(connection.execute("SELECT key, result FROM trials").fetchall())
        place = draw.choice([match.start() for match in re.finditer(r"\d", text)])
        digit = str((int(text[place]) + draw.randrange(1, 10)) % 10)
        connection.execute(
            "UPDATE trials SET result = ? WHERE key = ?", (text[:place] + digit + text[place + 1 :], key)
        )
        connection.execute(
            "CREATE TRIGGER trials_no_UPDATE BEFORE UPDATE ON trials\n"
            "        BEGIN SELECT RAISE(ABORT, 'finished trials are immutable'); END"
        )
        connection.commit()
        connection.close()
        (damage,) = check_store(path)
        assert key in damage.where
        assert '"builder":"a:B"' in damage.description
        with Store(path) as store, pytest.raises(LabError, match="is damaged"):
            store.results([key])
        assert check_repair(path, original) == N - 1


def test_a_store_in_order_is_left_alone(copy):
    path = copy()
    before = path.read_bytes()
    repair = repair_store(path)
    assert (repair.damage, repair.kept, repair.backup) == ([], N, None)
    assert path.read_bytes() == before


def test_a_seal_of_an_earlier_state_is_no_complaint(copy):
    path = copy()
    seal = path.with_name("store.sqlite.seal").read_bytes()
    with Store(path) as store:
        store.add([Finished("k", description(1), {"error": 1.0}, 0.1, "1.0")])
    path.with_name("store.sqlite.seal").write_bytes(seal)
    assert check_store(path) == []


def test_no_store(tmp_path):
    with pytest.raises(LabError, match="there is no store"):
        check_store(tmp_path / "none.sqlite")
