"""``python -m benchmarks.scale [--trials N] [--stored N] [--dask 1,4,8]``: how far one store and one writer go.

Prints what was measured with which size. Trials here cost nothing to run: planning, storing, listing and
comparing is what is timed. CPU seconds are given beside wall-clock seconds, for machines that others use.
"""

import argparse
import hashlib
import random
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from weaklearn.engines import open_engine
from weaklearn.lab import (
    Algorithm,
    DataSource,
    Experiment,
    Outcome,
    Profile,
    Protocol,
    Split,
    Store,
    Table,
    compare,
    make_plan,
    run_plan,
)
from weaklearn.lab._code import current_stamps
from weaklearn.lab._status import survey

NAP_SECONDS = 0.05
BATCH = 64


def experiment(n_trials):
    """A table of 20 rows and 25 columns."""
    cells = 20 * 25
    rows = tuple(
        DataSource("yinyang", Split(test_share=0.2), "artificial", {"n_samples": 100 + i}, label=f"r{i}")
        for i in range(20)
    )
    columns = tuple(
        Algorithm(f"c{i}", "weaklearn.boosting:AdaBoostClassifier", {"n_estimators": i + 1})
        for i in range(25)
    )
    table = Table("scale", "1", "Scale", "test_error", rows, columns, Protocol("holdout"), published=())
    return Experiment(
        "scale", "scale", "Scale", tables=(table,), profiles={"quick": Profile(-(-n_trials // cells))}
    )


@contextmanager
def timed(what):
    """Print how long a block takes."""
    wall, cpu = time.perf_counter(), time.process_time()
    yield
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"{what:<66} {wall:8.2f} s  ({cpu:.2f} s CPU)", flush=True)


def invented(trial, stamps):
    """A result that depends on the trial alone."""
    draw = random.Random(trial.key)
    errors = {"train_error": draw.random(), "test_error": draw.random(), "n_rounds": 10.0}
    return Outcome(trial.key, trial.description, errors, 0.01, "scale", stamps(trial.description))


def fill(path, trials):
    """Store a result for every trial, as a run does: by one writer, some at a time."""
    stamps = current_stamps()
    with Store(path, stamps) as store:
        for start in range(0, len(trials), BATCH):
            store.add(invented(trial, stamps) for trial in trials[start : start + BATCH])


def store_and_resume(folder, n_trials):
    """Plan, write, resume, list and compare `n_trials`."""
    study = experiment(n_trials)
    path = folder / f"store{n_trials}.sqlite"
    with timed(f"{n_trials:,} trials planned"):
        trials = make_plan([study], "quick").trials
    start = time.perf_counter()
    with timed(f"{len(trials):,} results written in batches of {BATCH}"):
        fill(path, trials)
    rate = len(trials) / (time.perf_counter() - start)
    print(
        f"    one writer: {rate:,.0f} trials/s; the file: {path.stat().st_size / len(trials):,.0f} bytes per trial"
    )
    with timed(f"{len(trials):,} trials planned and resumed (nothing left to run)"):
        plan = make_plan([study], "quick")
        with Store(path, current_stamps()) as store:
            summary = run_plan(plan, store, engine="inline")
    assert summary.found == len(trials)
    with timed(f"{len(trials):,} stored trials listed and compared"), Store(path, current_stamps()) as store:
        assert len(survey(store, trials).fresh) == len(trials)
        cells = compare(study, "quick", store)["table 1"]
    assert all(cell.n == len(trials) // 500 for cell in cells)
    return rate


def nap(payload):
    """A task that waits, so that more workers than cores can be told apart."""
    time.sleep(NAP_SECONDS)
    return hashlib.sha256(str(payload).encode()).hexdigest()


def on_dask(counts, n_tasks):
    """The same tasks on clusters of processes of several sizes."""
    from distributed import LocalCluster

    first = None
    for n_workers in counts:
        options = {"threads_per_worker": 1, "processes": True, "host": "127.0.0.1", "dashboard_address": None}
        with LocalCluster(n_workers=n_workers, **options) as cluster:
            address = cluster.scheduler_address.replace("tcp://", "dask://")
            with open_engine(address) as engine:
                list(engine.run("benchmarks.scale:nap", range(2 * n_workers)))  # starts the processes
                start = time.perf_counter()
                outcomes = list(engine.run("benchmarks.scale:nap", range(n_tasks)))
                seconds = time.perf_counter() - start
        values = [outcome.value for outcome in sorted(outcomes, key=lambda outcome: outcome.index)]
        first = first or (values, n_workers * seconds)
        assert values == first[0]
        print(
            f"{n_tasks} naps of {NAP_SECONDS} s on {n_workers} Dask workers: {seconds:.2f} s, "
            f"efficiency {n_tasks * NAP_SECONDS / (n_workers * seconds):.0%} of the ideal, "
            f"{first[1] / (n_workers * seconds):.0%} of the first; same values"
        )


def main():
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=100_000, help="for planning and resuming")
    parser.add_argument("--stored", type=int, default=0, help="a second, larger store, such as 1000000")
    parser.add_argument("--dask", default="1,4,8", help="numbers of workers; empty for none")
    parser.add_argument("--naps", type=int, default=400)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rate = store_and_resume(Path(folder), options.trials)
        if options.stored:
            rate = store_and_resume(Path(folder), options.stored)
    print(
        f"On paper: 1,000 workers with trials of 1 s finish 1,000 trials/s; the one writer stores {rate:,.0f}/s. "
        f"It is the bottleneck for trials shorter than {1000 / rate:.2f} s on 1,000 workers."
    )
    if options.dask:
        on_dask([int(text) for text in options.dask.split(",")], options.naps)


if __name__ == "__main__":
    main()
