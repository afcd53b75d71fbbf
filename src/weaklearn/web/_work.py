"""The process that does the work of one job.

A kind of work is a function that takes a `Work` and is named as ``"module:function"``::

    def add(work):
        for n in range(work.settings["n"]):
            work.report(done=n + 1, total=work.settings["n"])     # a line for the page
        (work.result / "sum.json").write_text("3")                # a file of the result

It raises `JobError` with a sentence for the user where the user can do something about it. An `ImportError` (a missing
extra), a full disk and too little memory get a message of their own; anything else is a bug, and the message names the
log.
"""

import errno
import json
import os
import shutil
import signal
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any

from weaklearn._files import write_file
from weaklearn.engines import import_function
from weaklearn.web._jobs import JobError

FAILURE = "failure.json"


class Work:
    """What the function of a kind of work is given.

    Attributes
    ----------
    settings : dict
        What was asked for.
    result : Path
        A folder for what is made. It is empty at the start of every attempt.
    parts : Path
        A folder that stays from one attempt to the next.
    """

    def __init__(self, folder: Path):
        self.folder = Path(folder)
        asked = json.loads((self.folder / "job.json").read_text(encoding="utf-8"))
        self.settings: dict[str, Any] = asked["settings"]
        self.result = self.folder / "result.part"
        shutil.rmtree(self.result, ignore_errors=True)
        self.result.mkdir()
        self.parts = self.folder / "parts"
        self.parts.mkdir(exist_ok=True)
        news = self.folder / "progress.jsonl"
        torn = news.exists() and not news.read_bytes().endswith(b"\n")
        self._news = os.open(news, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        if torn:  # by a kill
            os.write(self._news, b"\n")

    def report(self, **news: Any) -> None:
        """Add a line to the progress, at once: ``done`` and ``total`` move the bar, ``text`` is shown."""
        line = json.dumps({**news, "time": round(time.time(), 3)}, allow_nan=False)
        os.write(self._news, line.encode() + b"\n")

    def finish(self) -> None:
        """The result is whole."""
        shutil.rmtree(self.folder / "result", ignore_errors=True)
        os.replace(self.result, self.folder / "result")


def main() -> None:
    """``python -c "...main()" FOLDER MODULE:FUNCTION``; standard input is a pipe that closes with the server."""
    folder, function = Path(sys.argv[1]), sys.argv[2]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_server, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(5)  # the pages stay quick
    (folder / FAILURE).unlink(missing_ok=True)
    try:
        work = Work(folder)
        work.report(text="Starting")  # importing what does the work takes seconds
        import_function(function)(work)
        work.finish()
    except BaseException as error:
        traceback.print_exc()
        write_file(folder / FAILURE, json.dumps({"message": _message(error)}))
        raise SystemExit(1) from None


def _end_with_server() -> None:
    while os.read(0, 4096):
        pass
    os._exit(3)


def _message(error: BaseException) -> str:
    if isinstance(error, JobError | ImportError):
        return str(error)
    if isinstance(error, MemoryError):
        return "There is not enough memory for this work on this machine. Try it with fewer rows or columns."
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "The disk is full. Make room, then start this again."
    said = "".join(traceback.format_exception_only(error)).strip().splitlines()[-1]
    return f"Something went wrong: {said}. The file log.txt in the folder of this job has the details."
