"""``weaklearn warmup``, and the notice of commands that have to compile."""

import subprocess
import sys

import pytest
from numba import njit

import weaklearn._fast  # noqa: F401, with it the process listens to numba
from weaklearn._compilations import NOTICE, watching_compilation
from weaklearn.console import announcing
from weaklearn.console._kernels import use


def fresh_kernel():
    @njit
    def doubled(x):
        return 2 * x

    return doubled


def test_a_compilation_is_reported_once_and_a_second_call_not_at_all():
    kernel, names = fresh_kernel(), []
    with watching_compilation(names.append):
        assert kernel(2) == 4
    assert names == ["doubled"]
    with watching_compilation(names.append):
        kernel(3)
    assert names == ["doubled"]


def test_a_command_that_compiles_says_so_in_one_line(capsys):
    kernel = fresh_kernel()

    @announcing
    def command(x: float = 1.5) -> float:
        kernel(1)
        return kernel(x)

    assert command() == 3.0  # two compilations: of an integer and of a float
    assert capsys.readouterr().err == NOTICE + "\n"
    command()
    assert capsys.readouterr().err == ""


@pytest.mark.slow
def test_after_a_warm_up_another_process_compiles_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    program = [sys.executable, "-m", "weaklearn"]
    done = subprocess.run([*program, "warmup"], check=True, capture_output=True, text=True)
    assert "kernels compiled" in done.stdout
    again = subprocess.run([*program, "warmup"], check=True, capture_output=True, text=True)
    assert again.stdout.startswith("Nothing to do")
    table = tmp_path / "table.csv"
    table.write_text(
        "a,b,label\n" + "".join(f"{i},{i * i % 7},{i % 2}\n" for i in range(40)), encoding="utf-8"
    )
    audit = [*program, "audit", str(table), "--label", "label", "--out", str(tmp_path / "audit.html")]
    result = subprocess.run(audit, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert NOTICE not in result.stderr


def test_made_up_rows_raise_no_warning():
    # Warnings are errors here, and Winnow learns nothing from so few rounds.
    use("online learning")
