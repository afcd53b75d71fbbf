"""Trials behind numbers in the text of may2020: facts about the digits, hardest digits, what published runs chose."""

import math
from collections import Counter

import numpy as np

from weaklearn.lab import Trial, load_published, protocol, seed_from


@protocol("weaklearn.lab.studies.may2020.text_trials:digit_facts", version=1)
def digit_facts(trial: Trial) -> dict[str, float]:
    """`examples`, pixels on each `side`, and the examples of each digit (`digit 0`, ...)."""
    X, y = trial.load()
    labels, counts = np.unique(y, return_counts=True)
    result = {"examples": float(len(y)), "side": math.sqrt(X.shape[1])}
    return result | {f"digit {label:g}": float(n) for label, n in zip(labels, counts, strict=True)}


@protocol("weaklearn.lab.studies.may2020.text_trials:hardest_digits", version=1)
def hardest_digits(trial: Trial, n_runs: int, n_hardest: int) -> dict[str, float]:
    """How often each digit is wrong over the machines of ``n_runs`` splits, each machine asked about all digits.

    Records `distinct`, the digits that are wrong at least once, `fewest_of_hardest`, how often the least wrong of the
    ``n_hardest`` hardest is wrong, and `most_of_others`, the most for any other.
    """
    X, y = trial.load()
    wrong = np.zeros(len(y), dtype=int)
    for k in range(n_runs):
        X_train, _, y_train, _ = trial.split(seed_from(seed=trial.data_seed, run=k))
        wrong += trial.build().fit(X_train, y_train).predict(X) != y
    often = np.sort(wrong)[::-1]
    return {
        "distinct": float(np.count_nonzero(wrong)),
        "fewest_of_hardest": float(often[n_hardest - 1]),
        "most_of_others": float(often[n_hardest]),
    }


@protocol("weaklearn.lab.studies.may2020.text_trials:published_mode", version=1)
def published_mode(trial: Trial, column: str) -> dict[str, float]:
    """Of the single runs that the table of the row's setting lists: the `mode` of a column, and how often it `occurs`.

    Nothing is run: this compares the text with the document's own table.
    """
    table = trial.setting["table"]
    cells = load_published("may2020")
    values = [cell.value for cell in cells if cell.table == table and cell.column == column]
    ((mode, count),) = Counter(values).most_common(1)
    return {"mode": mode, "occurs": float(count)}
