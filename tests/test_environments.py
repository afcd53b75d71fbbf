"""The package where it is hard to live: nowhere to write, no compiler, threads, other ways to start a process."""

import os
import subprocess
import sys
import textwrap
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


def python(code, **environment):
    """The output of a fresh Python; warnings go to its second stream."""
    path = os.pathsep.join([str(SOURCE.parent), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={**os.environ, "PYTHONPATH": path, **environment},
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


@pytest.mark.slow
def test_without_a_compiler_the_results_are_the_same():
    python(FIT, NUMBA_DISABLE_JIT="1")


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
