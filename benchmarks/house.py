"""The house in numbers: ``python -m benchmarks.house`` prints lines, docstrings, files and public names of each room.

``python -m benchmarks.house --walks`` prints the files of weaklearn that five everyday actions pass, in the order in
which they are first entered: fitting `RobustClassifier`, auditing a file, reproducing a study, an upload up to its
review page, and one answer in a threshold session. Each action is done once before, so that importing does not count.
"""

import argparse
import ast
import asyncio
import collections
import importlib
import io
import sys
import tempfile
import threading
import tokenize
from pathlib import Path
from urllib.parse import urlencode

import weaklearn

SOURCE = Path(weaklearn.__file__).parent
_SILENT = (
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    tokenize.ENDMARKER,
)


def measure(path):
    """Lines, lines of code and lines of docstrings of a file."""
    text = path.read_text(encoding="utf-8")
    documented = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(getattr(first.value, "value", None), str):
                documented.update(range(first.lineno, first.end_lineno + 1))
    code = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in _SILENT:
            code.update(range(token.start[0], token.end[0] + 1))
    return len(text.splitlines()), len(code - documented), len(documented)


def rooms():
    """For each room: files, lines, code, docstrings, public names."""
    found = collections.defaultdict(lambda: [0, 0, 0, 0, 0])
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).parts
        row = found[parts[0] if len(parts) > 1 else "(top)"]
        row[0] += 1
        row[1:4] = (total + new for total, new in zip(row[1:4], measure(path), strict=True))
    for room in weaklearn.__all__:
        module = getattr(weaklearn, room)
        names = getattr(module, "__all__", ())
        found[room if room in found else "(top)"][4] += len(names) if hasattr(module, "__file__") else 0
    return dict(sorted(found.items()))


def print_map():
    print(f"{'room':14}{'files':>7}{'lines':>8}{'code':>8}{'docstrings':>12}{'public':>8}")
    table = rooms()
    for room, row in {**table, "all": [sum(column) for column in zip(*table.values(), strict=True)]}.items():
        print(f"{room:14}{row[0]:7,}{row[1]:8,}{row[2]:8,}{row[3]:12,}{row[4]:8,}")


def passed(action):
    """The files of weaklearn that an action enters, in order."""
    files = {}

    def enter(frame, event, argument):
        name = frame.f_code.co_filename
        if event == "call" and name.startswith(str(SOURCE)) and frame.f_code.co_name != "<module>":
            files.setdefault(str(Path(name).relative_to(SOURCE)), None)

    action()
    threading.setprofile(enter)
    sys.setprofile(enter)
    try:
        action()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return list(files)


def fit_robust():
    from sklearn.datasets import load_wine

    from weaklearn.robust import RobustClassifier

    X, y = load_wine(return_X_y=True)
    return lambda: RobustClassifier(random_state=0).fit(X, y)


def _command(*arguments):
    from typer.testing import CliRunner

    cli = importlib.import_module("weaklearn.cli")
    return lambda: CliRunner().invoke(cli.app, list(map(str, arguments)), catch_exceptions=False)


def _table(folder):
    from weaklearn.datasets import make_noisy_table

    columns, _ = make_noisy_table(120, random_state=0)
    path = folder / "table.csv"
    rows = zip(*columns.values(), strict=True)
    path.write_text("\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows)]))
    return path


def audit_file(folder):
    return _command("audit", _table(folder), "--label", "result", "--out", folder / "audit.html")


def reproduce_study(folder):
    return _command(
        *("reproduce", "li2005_perceptrons", "--item", "table 2", "--trials", 1, "--engine", "inline"),
        *("--store", folder / "store.sqlite", "--out", folder / "out"),
    )


def upload_and_review(folder):
    """What a server, its reader and its job do with an upload, in one process."""
    from weaklearn.labels import _job
    from weaklearn.labels.pages import DOOR
    from weaklearn.web import State, Work, _reading, _uploads
    from weaklearn.web._application import Application

    # In this process, so that the files that the reader passes are seen.
    _uploads.limited = lambda function, payload: _reading.call({**payload, "function": function})["found"]
    path = _table(folder)
    application = Application(folder, None, [DOOR])
    building, pages = application.building, application.asgi.app

    def action():
        incoming = _uploads.Incoming(building.tables, "table.csv")
        incoming.write(path.read_bytes())
        table = incoming.keep()
        _request(pages, "GET", f"/tables/{table.key}")
        place = [column["name"] for column in table.preview["columns"]].index("result")
        _request(pages, "POST", "/audits", {"table": table.key, "label": place})
        queued = building.queue.folder.records()[0]
        work = Work(queued.path)
        _job.check(work)
        work.finish()
        building.queue.folder.set_state(queued, State.DONE)
        _request(pages, "GET", f"/audits/{queued.key}")

    return action


def _request(pages, method, path, form=()):
    """Send a request to the application behind its guard."""
    scope = {
        "type": "http",
        "http_version": "1.1",
        "scheme": "http",
        "method": method,
        "path": path,
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", b"localhost")],
        "server": ("localhost", 80),
    }
    sent = []

    async def receive():
        return {"type": "http.request", "body": urlencode(form).encode(), "more_body": False}

    async def send(message):
        sent.append(message)

    asyncio.run(pages(scope, receive, send))
    assert sent[0]["status"] in (200, 303), sent


def answer_session(folder):
    from weaklearn.adaptive import Budget, Session

    Session.create(folder / "t.json", [1, 2, 3, 4], "Heard?", stop=Budget(9), seed=0)
    return lambda: (session := Session.open(folder / "t.json")).answer(session.ask(), True)


WALKS = {
    "RobustClassifier.fit": lambda folder: fit_robust(),
    "weaklearn audit table.csv": audit_file,
    "weaklearn reproduce STUDY": reproduce_study,
    "an upload to its review page": upload_and_review,
    "one answer in a threshold session": answer_session,
}


def print_walks():
    for name, prepare in WALKS.items():
        with tempfile.TemporaryDirectory() as folder:
            files = passed(prepare(Path(folder)))
        print(f"\n{name}: {len(files)} files")
        for file in files:
            print(f"  {file}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--walks", action="store_true", help="the files that everyday actions pass")
    (print_walks if parser.parse_args().walks else print_map)()
