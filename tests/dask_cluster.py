"""A Dask cluster of processes, for tests of several rooms."""

import json
import os
import subprocess
import sys
import time

import distributed

__all__ = ["Cluster"]


class Cluster:
    """A scheduler and workers as a user starts them, each a process of its own."""

    def __init__(self, folder, n_workers, path=()):
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*map(str, path), *sys.path])}
        self.processes = []
        self.scheduler = self.start(
            "scheduler", "--scheduler-file", str(self.file), "--port", "0", "--no-dashboard"
        )
        while not self.file.exists() or not self.file.read_text().endswith("}"):
            time.sleep(0.05)
        self.engine = json.loads(self.file.read_text())["address"].replace("tcp://", "dask://")
        self.workers = [self.start_worker() for _ in range(n_workers)]
        self.expect(n_workers)

    def expect(self, n_workers):
        """Wait until the scheduler knows of this many workers."""
        with distributed.Client(scheduler_file=str(self.file), set_as_default=False) as client:
            while len(client.scheduler_info()["workers"]) != n_workers:
                time.sleep(0.1)

    def replace_last_worker(self, path):
        """Another worker, which imports from other places."""
        self.workers.pop().kill()
        self.expect(len(self.workers))
        self.start_worker(PYTHONPATH=os.pathsep.join(path))
        self.expect(len(self.workers) + 1)

    def start(self, kind, *options, **environment):
        command = [sys.executable, "-m", "distributed.cli.dask_" + kind, *options]
        environment = {**self.environment, **environment}
        with open(self.folder / f"{kind}{len(self.processes)}.log", "w") as log:
            process = subprocess.Popen(command, cwd=self.folder, env=environment, stdout=log, stderr=log)
        self.processes.append(process)
        return process

    def start_worker(self, *options, **environment):
        return self.start(
            "worker", "--scheduler-file", str(self.file), "--nthreads", "1", "--no-dashboard",
            "--no-nanny", *options, **environment
        )  # fmt: skip

    def close(self):
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()
