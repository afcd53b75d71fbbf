"""The benchmark of noisy labels: paired splits, and a file that loses nothing."""

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

PATH = Path(__file__).parents[2] / "benchmarks" / "noise.py"


@pytest.fixture(scope="module")
def noise():
    spec = importlib.util.spec_from_file_location("noise_benchmark", PATH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_clean_and_flipped_versions_share_their_examples(noise):
    flipped, clean = (
        next(problem for problem in noise.SETS["generated"] if problem.title == f"twonorm 60, {kind}")
        for kind in ("20% flipped", "clean")
    )
    ours, theirs = noise.split(flipped, 3), noise.split(clean, 3)
    for k in (0, 2, 3):
        np.testing.assert_array_equal(ours[k], theirs[k])
    assert (ours[1] != theirs[1]).sum() == 12
    assert (noise.split(flipped, 4)[0] != ours[0]).any()
    (ring,) = noise.SETS["ring30"]
    X, y, X_test, y_test = noise.split(ring, 0)
    inside = ((X - 0.5) ** 2).sum(axis=1) <= 1 / 8
    assert (np.where(inside, 1, -1) != y).sum() == 15
    assert len(X_test) == len(y_test) == 5000


def test_a_run_goes_on_where_it_was_stopped(noise, tmp_path, capsys, monkeypatch):
    store = tmp_path / "kept" / "errors.jsonl"
    arguments = ["--sets", "ring0", "--splits", "2", "--store", str(store)]
    assert noise.main(arguments) == 0
    whole = capsys.readouterr().out
    assert "| ring0 | 2 |" in whole
    lines = store.read_text(encoding="utf-8").splitlines(keepends=True)
    # As a kill may leave it: one record gone, one half written.
    store.write_text("".join(lines[:-2]) + lines[-2][:20], encoding="utf-8")
    measured = []
    error = noise.error
    monkeypatch.setattr(noise, "error", lambda *parts: measured.append(1) or error(*parts))
    assert noise.main(arguments) == 0
    assert capsys.readouterr().out == whole
    assert len(measured) == 2
    records = [json.loads(line) for line in store.read_text(encoding="utf-8").splitlines()]
    assert len(records) == len(lines)


def test_ctrl_c_keeps_and_shows_what_there_is(noise, tmp_path, capsys, monkeypatch):
    calls = []

    def interrupted(*parts):
        calls.append(1)
        if len(calls) > 9:
            raise KeyboardInterrupt
        return 10.0 + len(calls)

    monkeypatch.setattr(noise, "error", interrupted)
    store = tmp_path / "errors.jsonl"
    assert noise.main(["--sets", "ring0", "ring10", "--splits", "9", "--store", str(store)]) == 130
    assert len(store.read_text(encoding="utf-8").splitlines()) == 9
    assert "stopped" in capsys.readouterr().err


def test_one_split_is_too_few(noise, capsys):
    with pytest.raises(SystemExit):
        noise.main(["--splits", "1"])
    assert "--splits must be at least 2" in capsys.readouterr().err
