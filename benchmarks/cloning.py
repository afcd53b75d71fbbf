"""What cloning keeps, and where choosing by clones helps: the numbers of docs/cloning.md.

    python -m benchmarks.cloning complexity --runs 10     clones against originals, eight problem sizes
    python -m benchmarks.cloning selection --runs 50      who chooses better, paired, on ten settings
    python -m benchmarks.cloning variants --runs 20       other ways to clone, on settings on which nothing was chosen

Not a matter of speed, so `python -m benchmarks` does not run it. Runs are seeded by their number: two calls with
different ``--first`` add up.
"""

import argparse
import json

import numpy as np

PROBLEMS = ("leftsin", "yinyang", "twonorm", "ringnorm")
# Problem, examples, probability of a wrong label, where the inputs of clones come from.
SETTINGS = [
    ("leftsin", 200, 0.0, "free"),
    ("ringnorm", 200, 0.0, "free"),
    ("leftsin", 50, 0.0, "bootstrap"),
    ("leftsin", 50, 0.2, "bootstrap"),
    ("yinyang", 50, 0.2, "bootstrap"),
    ("ringnorm", 50, 0.2, "bootstrap"),
    # Real sets: 60 rows to choose on, the others to judge the choice.
    *((name, 60, 0.0, "real") for name in ("heart", "pima", "ionosphere", "australian")),
]
# No way of cloning was chosen on these.
NEW_SETTINGS = [
    ("threenorm", 200, 0.0, "free"),
    ("twonorm", 200, 0.1, "free"),
    ("yinyang", 200, 0.1, "free"),
    ("threenorm", 50, 0.2, "bootstrap"),
    ("twonorm", 50, 0.2, "bootstrap"),
    ("concentric_disks", 50, 0.2, "bootstrap"),
    *((name, 60, 0.0, "real") for name in ("cleveland", "wdbc", "sonar", "german")),
]
METHODS = {"in": "in-sample", "cv_repeated": "3x5-fold CV", "one_se": "one s.e."}


def clone_complexities(problem, n_samples, run, kind, free=True, **params):
    """Complexity of an original, and mean complexity of five clones with and without data selection."""
    from weaklearn import cloning, datasets
    from weaklearn.cloning._cloner import gaussian_complexity

    make = getattr(datasets, f"make_{problem}")
    X, y = make(n_samples, random_state=run)
    inputs = (lambda n, rng: make(n, random_state=rng)[0]) if free else None
    cloner = getattr(cloning, kind)(inputs=inputs, random_state=run, **params).fit(X, y)

    def mean(selection):
        clones = [cloner.sample(selection=selection, random_state=1000 * run + k) for k in range(5)]
        return float(np.mean([gaussian_complexity(cloner._encoded(A), b) for A, b in clones]))

    return cloner.complexity_, mean(True), mean(False)


def print_complexities(first, runs):
    """Means over originals, and the largest difference of one original from its clones."""
    for kind in ("AdaBoostCloner", "RhoCloner"):
        print(f"{kind}: original, clone - original (s.e.; worst original), clone without selection")
        for problem in PROBLEMS:
            for n_samples in (200, 400):
                found = np.array(
                    [clone_complexities(problem, n_samples, run, kind) for run in range(first, first + runs)]
                )
                gap = found[:, 1] - found[:, 0]
                error = gap.std(ddof=1) / np.sqrt(runs)
                print(
                    f"  {problem:9s} {n_samples}  {found[:, 0].mean():.3f}  {gap.mean():+.3f} "
                    f"({error:.3f}; {np.abs(gap).max():.3f})  {found[:, 2].mean():.3f}",
                    flush=True,
                )


def selection_lines(records):
    """For each setting and number of candidates: regret, and paired differences from 5-fold cross-validation.

    Parameters
    ----------
    records : list of (setting, found)
        ``found`` as `benchmarks.cloning_choices.selection_errors` returns it.
    """
    from benchmarks.cloning_choices import CLONINGS, chosen

    for setting in dict.fromkeys(setting for setting, _ in records):
        runs = [found for some, found in records if some == setting]
        for n_choices in (5, 20):
            methods = METHODS | {name: name for name in runs[0] if name in CLONINGS}
            errors: dict[str, list[float]] = {name: [] for name in ("out", "cv", *methods)}
            gaps: dict[str, list[float]] = {name: [] for name in errors}
            for found in runs:
                for name, pick in chosen(found, n_choices).items():
                    errors[name].append(found["out"][pick])
                    gaps[name].append(found["out"][pick] - found["in"][pick])
            cells = [f"oracle {np.mean(errors['out']):.2f}", f"5-fold CV {np.mean(errors['cv']):.2f}"]
            for name, title in methods.items():
                cells.append(
                    f"{title} {_paired(errors[name], errors['cv'])} [gap {_paired(gaps[name], gaps['cv'])}]"
                )
            yield f"{' '.join(map(str, setting))}, {n_choices} candidates, {len(runs)} runs: " + "; ".join(
                cells
            )


def _paired(ours, theirs):
    difference = np.subtract(ours, theirs)
    error = difference.std(ddof=1) / np.sqrt(len(difference)) if len(difference) > 1 else np.nan
    return f"{difference.mean():+.2f} ± {error:.2f}"


def setting_errors(problem, n_samples, flip, inputs, run, clonings=("rho", "adaboost")):
    """What each way of choosing knows in one run of a setting."""
    from benchmarks.cloning_choices import candidate_errors, selection_errors

    if inputs != "real":
        return selection_errors(problem, n_samples, run, flip, inputs, clonings=clonings)
    from weaklearn.datasets import load

    data = load(problem)
    order = np.random.RandomState(1000 + run).permutation(len(data.y))
    train, test = order[:n_samples], order[n_samples:]
    parts = data.X[train], data.y[train], data.X[test], data.y[test]
    return candidate_errors(*parts, None, 1000 + run, clonings=clonings)


def print_selection(first, runs, store, settings=SETTINGS, clonings=("rho", "adaboost")):
    """Run what ``store`` (one JSON record per line) does not have yet, then print all of it."""
    records = {}
    if store is not None:
        with open(store, "a+", encoding="utf-8") as stream:
            stream.seek(0)
            for line in stream:
                record = json.loads(line)
                records[tuple(record["cell"])] = {name: np.array(v) for name, v in record["f"].items()}
    for run in range(first, first + runs):
        for setting in settings:
            key = (*setting, run)
            if key in records:
                continue
            records[key] = setting_errors(*key, clonings)
            if store is not None:
                with open(store, "a", encoding="utf-8") as stream:
                    record = {"cell": key, "f": {name: v.tolist() for name, v in records[key].items()}}
                    stream.write(json.dumps(record) + "\n")
    for line in selection_lines([(key[:4], found) for key, found in records.items()]):
        print(line)
    for line in selection_lines([(("all",), found) for found in records.values()]):
        print(line)


def main():
    """Entry point."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["complexity", "selection", "variants"])
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--store", help="a file that keeps finished runs of the selection study")
    given = parser.parse_args()
    if given.what == "complexity":
        print_complexities(given.first, given.runs)
    elif given.what == "selection":
        print_selection(given.first, given.runs, given.store)
    else:
        from benchmarks.cloning_choices import CLONINGS

        print_selection(given.first, given.runs, given.store, NEW_SETTINGS, tuple(CLONINGS))


if __name__ == "__main__":
    main()
