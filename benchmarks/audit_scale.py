"""``python -m benchmarks.audit_scale [--rows 1000 10000] [--threads N] [--only NAME]``: what auditing many rows takes.

`LabelAuditor` beside cleanlab with out-of-fold probabilities of LightGBM (5 folds), on 20 columns and two classes with
interactions, 10% of the labels flipped. Each line is a process of its own: CPU and wall-clock seconds of the audit
alone, the process's largest memory (and that of X), the average precision of the ranking, the estimated share of wrong
labels. Run it on an idle machine: threads wait for each other on a busy one.
"""

import argparse
import os
import resource
import subprocess
import sys
import time

ROWS = (1_000, 10_000, 100_000, 1_000_000)
AUDITORS = ("LabelAuditor", "cleanlab, LightGBM")


def problem(n, random):
    """X, given labels, and which of them are wrong."""
    import numpy as np

    X = random.randn(n, 20)
    score = 2 * X[:, 0] * X[:, 1] + 2 * X[:, 2] - X[:, 3] + 2 * np.sin(3 * X[:, 4]) + X[:, 5] ** 2 - 1
    true = (score + 0.3 * random.randn(n) > 0).astype(int)
    wrong = random.rand(n) < 0.1
    return X, np.where(wrong, 1 - true, true), wrong


def _ours(X, given, threads):
    from weaklearn.labels import LabelAuditor

    def audit():
        auditor = LabelAuditor(random_state=0, n_jobs=threads).fit(X, given)
        return auditor.wrong_probability_, auditor.n_wrong_

    return audit


def _cleanlab(X, given, threads):
    import cleanlab.count
    import cleanlab.filter
    import numpy as np
    from lightgbm import LGBMClassifier
    from sklearn.model_selection import StratifiedKFold, cross_val_predict

    def audit():
        learner = LGBMClassifier(random_state=0, verbose=-1, n_jobs=threads)
        folds = StratifiedKFold(5, shuffle=True, random_state=0)
        P = cross_val_predict(learner, X, given, cv=folds, method="predict_proba")
        cleanlab.filter.find_label_issues(given, P, return_indices_ranked_by="self_confidence", n_jobs=1)
        return 1 - P[np.arange(len(given)), given], cleanlab.count.num_label_issues(given, P)

    return audit


def measure(name, n, threads):
    """One line of the list, in a process that does nothing else."""
    import numpy as np
    from sklearn.metrics import average_precision_score

    X, given, wrong = problem(n, np.random.RandomState(0))
    audit = (_ours if name == AUDITORS[0] else _cleanlab)(X, given, threads)
    cpu, wall = time.process_time(), time.perf_counter()
    P, count = audit()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"{name:20s}{n:>10,}{cpu:10.1f}{wall:10.1f}{memory:8,} ({X.nbytes >> 20:,})"
        f"{average_precision_score(wrong, P):10.4f}{count / n:10.1%}",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[2])
    parser.add_argument("--rows", type=int, nargs="+", default=ROWS)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", choices=AUDITORS)
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.here:
        measure(args.only, args.rows[0], args.threads)
        return
    print(
        f"{'':20s}{'rows':>10s}{'CPU s':>10s}{'wall s':>10s}{'MB (X)':>13s}{'precision':>10s}{'wrong':>10s}"
    )
    threads = {name: str(args.threads) for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
    for n in args.rows:
        for name in AUDITORS if args.only is None else (args.only,):
            command = [sys.executable, "-m", "benchmarks.audit_scale", "--here", "--only", name]
            command += ["--rows", str(n), "--threads", str(args.threads)]
            subprocess.run(command, check=True, env={**os.environ, **threads})


if __name__ == "__main__":
    main()
