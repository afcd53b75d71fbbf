"""The package where it is hard to live: nowhere to write, no compiler, threads, other ways to start a process."""

import ctypes
import os
import shutil
import subprocess
import sys
import textwrap
import zipfile
from pathlib import Path

import pytest

import weaklearn

SOURCE = Path(weaklearn.__file__).parent
FIT = """
    import numpy as np
    from weaklearn.linear import PocketPerceptron
    from weaklearn.stumps import DecisionStump
    X = np.array([[0.0], [1.0], [2.0], [3.0]]); y = [0, 0, 1, 1]
    assert DecisionStump().fit(X, y).predict(X).tolist() == y
    assert PocketPerceptron(max_iter=20, random_state=0).fit(X, y).score(X, y) == 1
"""


def python(code, at=SOURCE.parent, process=None, **environment):
    """The output of a fresh Python that finds the package at a place; warnings go to its second stream."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={**os.environ, "PYTHONPATH": str(at), **environment},
        cwd="/",
        **(process or {}),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def test_where_nothing_can_be_cached_a_temporary_folder_is_used_with_one_warning():
    # The tests may run as root, to whom every folder is writable: the answer of the system is replaced.
    nowhere = """
    import tempfile
    real = tempfile.TemporaryFile
    def refused(*args, dir=None, **kwargs):
        if "weaklearn-numba-" in str(dir):
            return real(*args, dir=dir, **kwargs)
        raise PermissionError(dir)
    tempfile.TemporaryFile = refused
    """
    report = """
    from numba.core import config
    print(config.CACHE_DIR)
    """
    folder, said = python(
        textwrap.dedent(nowhere) + textwrap.dedent(FIT) + textwrap.dedent(report), NUMBA_CACHE_DIR=""
    )
    assert "weaklearn-numba-" in folder
    assert said.count("no folder for compiled code is writable") == 1


def test_the_users_choice_of_a_cache_is_kept(tmp_path):
    _, said = python(FIT, NUMBA_CACHE_DIR=str(tmp_path))
    assert said == ""
    assert list(tmp_path.rglob("*.nbi"))


SAME = """
    import hashlib
    import numpy as np
    from weaklearn.boosting import AdaBoostClassifier, LPBoostClassifier
    from weaklearn.datasets import make_twonorm
    from weaklearn.kernel import KernelPerceptronClassifier, KernelSVC
    from weaklearn.linear import PocketPerceptron, RCDPerceptron
    from weaklearn.monotone import MonotoneFit
    from weaklearn.multiclass import AdaBoostECCClassifier
    X, y = make_twonorm(40, random_state=0)
    for model in (
        PocketPerceptron(max_iter=20, random_state=0), RCDPerceptron(max_iter=70, random_state=0),
        AdaBoostClassifier(n_estimators=5), LPBoostClassifier(n_estimators=5), KernelSVC(random_state=0),
        KernelPerceptronClassifier(random_state=0), AdaBoostECCClassifier(n_estimators=3, random_state=0),
    ):
        print(type(model).__name__, np.round(model.fit(X, y).decision_function(X), 9).tolist())
    print(np.round(MonotoneFit().fit(X[:, 0], y > 0).predict(X[:, 0]), 9).tolist())
"""


@pytest.mark.slow
def test_without_a_compiler_the_results_are_the_same():
    assert python(SAME, NUMBA_DISABLE_JIT="1")[0] == python(SAME)[0]


def zipped(folder):
    archive = folder / "weaklearn.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for path in SOURCE.rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                file.write(path, path.relative_to(SOURCE.parent))
    return archive


@pytest.mark.slow
def test_from_a_zip_archive(tmp_path):
    said = python("import weaklearn; print(weaklearn.__file__)" + textwrap.dedent(FIT), at=zipped(tmp_path))[
        0
    ]
    assert ".zip" in said


def test_the_lab_refuses_a_zip_archive(tmp_path):
    """Its results could not be stamped with the code that made them."""
    code = """
    from weaklearn.lab import LabError, Store, current_stamps
    try:
        current_stamps()('{"data": null, "index": 1, "protocol": {"name": "holdout"}}')
    except LabError as error:
        print(error)
    """
    assert "install it unpacked" in python(code, at=zipped(tmp_path))[0]


def without_privileges():
    """In a child that root starts: file permissions count, as they do for everybody else."""
    if os.geteuid() == 0:
        bounding_set_drop = 24
        for capability in (1, 2):  # to write, and to read and search, whatever the permissions say
            ctypes.CDLL(None).prctl(bounding_set_drop, capability, 0, 0, 0)


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux's capabilities")
def test_as_a_user_with_a_read_only_install_and_a_read_only_home(tmp_path):
    place, home = tmp_path / "installed", tmp_path / "home"
    shutil.copytree(SOURCE, place / "weaklearn", ignore=shutil.ignore_patterns("__pycache__"))
    home.mkdir()
    for path in [*place.rglob("*"), place, home]:
        path.chmod(0o444 if path.is_file() else 0o555)
    check = f"""
    import os, pytest
    for folder in ({str(home)!r}, {str(place / "weaklearn" / "_fast")!r}):
        with pytest.raises(PermissionError):
            open(os.path.join(folder, "mine"), "w")
    """
    homes = {"HOME": str(home), "XDG_CACHE_HOME": str(home), "NUMBA_CACHE_DIR": ""}
    code = textwrap.dedent(check) + textwrap.dedent(FIT)
    _, said = python(code, at=place, process={"preexec_fn": without_privileges}, **homes)
    for path in [place, *place.rglob("*")]:
        path.chmod(0o755)  # so that pytest can tidy up
    assert said.count("no folder for compiled code is writable") == 1


def test_two_threads_fit_at_the_same_time():
    python(
        textwrap.dedent(FIT)
        + textwrap.dedent("""
    from concurrent.futures import ThreadPoolExecutor
    def fitted(seed):
        return PocketPerceptron(max_iter=20, random_state=seed).fit(X, y).coef_.tolist()
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(fitted, [1, 2] * 4)) == [fitted(1), fitted(2)] * 4
    """)
    )


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_child_process_gives_the_same_fit(method, tmp_path):
    module = tmp_path / "child_fit.py"
    module.write_text(
        textwrap.dedent(FIT)
        + textwrap.dedent("""
    def fitted(seed):
        return PocketPerceptron(max_iter=20, random_state=seed).fit(X, y).coef_.tolist()
    """)
    )
    python(
        f"""
    import multiprocessing, sys
    sys.path.insert(0, {str(tmp_path)!r})
    if __name__ == "__main__":
        from child_fit import fitted
        with multiprocessing.get_context({method!r}).Pool(1) as pool:
            assert pool.map(fitted, [1, 2]) == [fitted(1), fitted(2)]
    """
    )
