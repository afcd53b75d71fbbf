import json
import runpy
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import weaklearn
from weaklearn import cli, datasets
from weaklearn.lab import DataSource, Experiment, Profile, Protocol, Split, Table, catalog

TOY_FILE = Path(__file__).parent / "lab" / "toy_experiment.py"
runner = CliRunner()


@pytest.fixture(autouse=True)
def toy_catalogue(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    toy = runpy.run_path(str(TOY_FILE))["EXPERIMENT"]
    monkeypatch.setattr(catalog, "discover", lambda: {"toy": toy})
    return toy


def call(*arguments):
    return runner.invoke(cli.app, [str(argument) for argument in arguments])


def inline(*arguments):
    return call("reproduce", "--engine", "inline", *arguments)


def complaint(result, code=1):
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


def test_markdown_and_files_of_ones_own(tmp_path):
    result = inline(TOY_FILE, "--markdown", tmp_path / "tables.md", "--out", "out", "--store", "out/s.sqlite")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "tables.md").read_text(encoding="utf-8").startswith("# Reproduction")


def test_list():
    assert "toy: Lines & trees" in call("reproduce", "--list").stdout
    listed = json.loads(call("reproduce", "--list", "--json").stdout)
    assert listed[0]["name"] == "toy"
    assert listed[0]["items"] == ["table 1", "table 2"]


def test_version_and_help():
    assert call("--version").stdout == f"weaklearn {weaklearn.__version__}\n"
    assert "reproduce" in call("--help").stdout
    assert "--profile" in call("reproduce", "--help").stdout


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["tyo"], "unknown experiment 'tyo' (did you mean toy?); known: toy"),
        (["zzzz"], "unknown experiment 'zzzz'; known: toy"),
        (["--profile", "huge"], "toy has no profile 'huge'; choose one of: quick, full, long, restricted"),
        (["--engine", "cloud"], "unknown engine 'cloud': use local or dask://HOST:PORT"),
        (["--engine", "dask://host"], "write dask://HOST:PORT"),
        (["--workers", "0"], "--workers must be at least 1, got 0"),
        (["--trials", "0"], "--trials must be at least 1, got 0"),
        (["--item", "table 9"], "--item 'table 9' is not there; choose from: table 1; table 2"),
        (["--row", "blob"], "--row 'blob' is not there; choose from: blobs5; blobs9"),
        (["--store", "."], "is a folder"),
        (["--store", "taken/store.sqlite"], "cannot be made"),
        (["--store", "taken"], "is not a weaklearn store"),
        (["--out", "taken"], "the folder taken cannot be made"),
        (["--markdown", "no/such/folder.md"], "there is no folder no/such"),
        (["missing.py"], "there is no file missing.py"),
        (["empty.py"], "empty.py defines no EXPERIMENT"),
        (["broken.py"], "broken.py cannot be run: ZeroDivisionError"),
    ],
)
def test_bad_calls_get_one_clear_sentence(tmp_path, arguments, expected):
    (tmp_path / "taken").write_text("in the way " * 100)
    (tmp_path / "empty.py").write_text("")
    (tmp_path / "broken.py").write_text("1 / 0")
    engine = [] if "--engine" in arguments else ["--engine", "inline"]
    result = call("reproduce", *engine, *arguments)
    assert expected in complaint(result)
    assert result.stdout == ""


def test_wrong_options_are_usage_errors():
    assert call("reproduce", "--no-such-option").exit_code == 2
    assert call("reproduce", "--workers", "many").exit_code == 2
    assert call("unheard").exit_code == 2


def test_no_dask_scheduler(monkeypatch):
    pytest.importorskip("distributed")
    from weaklearn.engines import _dask

    monkeypatch.setattr(_dask, "CONNECT_SECONDS", 0.2)
    assert "no Dask scheduler answers at 127.0.0.1:9" in complaint(
        call("reproduce", "--engine", "dask://127.0.0.1:9")
    )


def test_distributed_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "pip install 'weaklearn[dask]'" in complaint(call("reproduce", "--engine", "dask://host:1"))


def test_an_empty_catalogue(monkeypatch):
    monkeypatch.setattr(catalog, "discover", dict)
    assert "the catalogue has no experiments" in complaint(call("reproduce"))


def absent(monkeypatch):
    record = datasets.DatasetRecord("sonar", 208, 60, 2, None, "put sonar.csv.gz somewhere")
    monkeypatch.setattr(datasets, "available", lambda: [record])

    def nowhere(name):
        raise datasets.DatasetNotFoundError(name)

    monkeypatch.setattr(datasets, "load", nowhere)
    return DataSource("sonar", Split(test_share=0.2))


def with_rows(toy, rows):
    table = Table("toy", "9", "t", "test_error", rows, toy.tables[0].columns, Protocol("holdout"))
    return Experiment("toy", "toy", "t", tables=(table,), profiles={"quick": Profile(2)})


def test_missing_data_is_skipped_and_named(monkeypatch, toy_catalogue):
    sonar = absent(monkeypatch)
    experiment = with_rows(toy_catalogue, (*toy_catalogue.tables[0].rows, sonar))
    monkeypatch.setattr(catalog, "discover", lambda: {"toy": experiment})
    result = inline("--json")
    assert result.exit_code == 0, result.output
    assert (
        "data set sonar is not here, its rows were skipped. To have it: put sonar.csv.gz somewhere"
        in result.stderr
    )
    data = json.loads(result.stdout)
    assert data["missing"] == {"sonar": "put sonar.csv.gz somewhere"}
    reasons = {cell["reason"] for cell in data["cells"] if cell["row"] == "sonar"}
    assert reasons == {"data missing: put sonar.csv.gz somewhere"}


def test_nothing_but_missing_data_is_no_success(monkeypatch, toy_catalogue):
    sonar = absent(monkeypatch)
    monkeypatch.setattr(catalog, "discover", lambda: {"toy": with_rows(toy_catalogue, (sonar,))})
    assert "nothing could be run" in complaint(inline())


def test_failed_trials_make_the_run_a_failure(monkeypatch, toy_catalogue):
    rows = tuple(
        DataSource(row.name, Split(train_size=10**6), row.kind, row.params, row.label)
        for row in toy_catalogue.tables[0].rows
    )
    monkeypatch.setattr(catalog, "discover", lambda: {"toy": with_rows(toy_catalogue, rows)})
    result = inline()
    assert "12 trials failed; all tracebacks are in reproduction/failures.txt" in complaint(result)
    assert "leaves none to test" in result.stderr


def test_datasets():
    result = call("datasets")
    assert result.exit_code == 0
    assert "pima" in result.stdout
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
    for command in ("reproduce", "audit", "datasets", "threshold", "serve"):
        assert f" {command} " in done.stdout


def test_audit_has_its_own_options_and_exit_codes(tmp_path):
    assert "--label" in call("audit", "--help").stdout
    assert call("audit").exit_code == 2
    assert call("audit", "table.csv", "--label", "y", "--no-such-option").exit_code == 2
    assert call("audit", "no such table.csv", "--label", "y").exit_code == 1


def test_serve_says_what_is_missing(monkeypatch, tmp_path):
    assert "there is no folder nowhere" in complaint(call("serve", "--folder", "nowhere"))
    assert call("serve", "--port", "70000").exit_code == 2
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert "pip install 'weaklearn[web]'" in complaint(call("serve"))


def test_serve_on_a_port_that_is_taken():
    for package in ("starlette", "jinja2", "uvicorn"):
        pytest.importorskip(package, reason="the pages need the extra weaklearn[web]")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"port {port} cannot be used" in complaint(call("serve", "--port", port))


def test_the_package_runs_as_a_module():
    run = subprocess.run(
        [sys.executable, "-m", "weaklearn", "--version"], capture_output=True, text=True, check=True
    )
    assert run.stdout == f"weaklearn {weaklearn.__version__}\n"


def test_status_repair_and_limits(tmp_path):
    store = tmp_path / "store.sqlite"
    common = ("reproduce", "toy", "--engine", "inline", "--store", str(store), "--out", str(tmp_path))
    (before,) = json.loads(call(*common, "--status", "--json").stdout)
    assert (before["study"], before["fresh"], before["missing"]) == ("toy", 0, 18)
    assert not store.exists()
    assert call(*common).exit_code == 0
    status = call(*common, "--status")
    assert status.exit_code == 0
    assert "damaged" in status.stdout
    raw = sqlite3.connect(store)
    raw.execute("DROP TRIGGER trials_no_UPDATE")
    key = raw.execute("SELECT max(key) FROM trials").fetchone()[0]
    raw.execute("UPDATE trials SET result = replace(result, '.', '.1') WHERE key = ?", (key,))
    raw.commit()
    raw.close()
    assert "1 stored result is damaged" in complaint(call(*common))
    mended = call(*common, "--repair")
    assert mended.exit_code == 0, mended.stderr
    assert key in mended.stderr
    assert "17 results are intact" in mended.stderr
    assert json.loads(call(*common, "--status", "--json").stdout)[0]["fresh"] == 18
    assert "is no amount of memory" in complaint(call(*common, "--memory-limit", "much"))
    assert "cannot end a task" in complaint(call(*common, "--trial-timeout", "1", "--trials", "4"))
