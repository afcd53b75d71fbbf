"""Jobs: long work that outlives the page, the browser and the server.

A job is a folder, and everything about it is in its files:

- ``job.json``: what is to be done (kind, title, settings). Written once.
- ``state.json``: waiting, running, done, failed or cancelled, and why. Written by the queue alone.
- ``progress.jsonl``: a line of JSON per piece of news. Written by the process that does the work.
- ``log.txt``: what that process printed, tracebacks included.
- ``parts``: what a kind of work keeps there to resume from, if it can.
- ``result``: what was made. It is built as ``result.part`` and renamed when it is whole.

`JobQueue` runs waiting jobs, oldest first, ``slots`` at a time, each in a process of its own. The process ends with its
server, also with one that is killed. The next server finds a job that says "running" and runs it again; a job whose
result is whole is done. Of several servers over one folder the first runs the jobs and the others watch; when it ends,
another one takes over. All of them, and all tabs, read the same files.

A kind of work is a function that takes a `Work` and is named as ``"module:function"``::

    def add(work):
        for n in range(work.settings["n"]):
            work.report(done=n + 1, total=work.settings["n"])     # a line for the page
        (work.result / "sum.json").write_text("3")                # a file of the result

    queue = JobQueue(JobFolder(path), {"sum": "my_module:add"})
    queue.start()
    job = queue.submit("sum", "Sum of three numbers", {"n": 3})

It raises `JobError` with a sentence for the user where the user can do something about it. An `ImportError` (a missing
extra), a full disk and too little memory get a message of their own; anything else is a bug, and the message names the
log. `job_events` follows a job as server-sent events.
This room knows nothing of what the jobs compute.
"""

from weaklearn.web.jobs._events import job_events
from weaklearn.web.jobs._job import Job, JobError, JobFolder, State
from weaklearn.web.jobs._queue import JobQueue
from weaklearn.web.jobs._work import Work

__all__ = ["Job", "JobError", "JobFolder", "JobQueue", "State", "Work", "job_events"]
