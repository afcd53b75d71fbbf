"""What ``weaklearn warmup`` does: every group of kernels is used on a few made-up rows, in worker processes."""

import time
import warnings
from collections.abc import Callable

import numpy as np
import typer
from rich.progress import TimeElapsedColumn
from sklearn.exceptions import ConvergenceWarning

from weaklearn._compilations import watching_compilation
from weaklearn.adaptive import MinEnt, PosteriorMinEnt
from weaklearn.boosting import AdaBoostClassifier, NoiseTolerantBoostClassifier
from weaklearn.complexity import complexity_contribution, principal_points
from weaklearn.console._terminal import fail, progress_bar
from weaklearn.datasets import make_yinyang
from weaklearn.engines import open_engine
from weaklearn.kernel import IncrementalSVC, KernelPerceptronClassifier, KernelSVC
from weaklearn.linear import (
    ROMMA,
    AveragedPerceptron,
    Perceptron,
    PocketPerceptron,
    RCDPerceptron,
    SGDPerceptron,
    Winnow,
    ZeroOneClassifier,
    minimum_zero_one_error,
)
from weaklearn.monotone import BoundedJumpRegression, HybridFit, LogisticFit, MonotoneFit
from weaklearn.multiclass import AdaBoostECCClassifier, AdaBoostERPClassifier
from weaklearn.stumps import DecisionStump

X, Y = make_yinyang(40, flip=0.1, random_state=0)


def compile_all() -> None:
    """Use every group of kernels, and say how many had to be compiled."""
    compiled: set[str] = set()
    start = time.monotonic()
    with (
        progress_bar("compiling", TimeElapsedColumn()) as progress,
        watching_compilation(compiled.add),
        open_engine("local") as engine,
    ):
        keys = [frozenset({shared}) for _, shared in GROUPS.values()]
        outcomes = engine.run("weaklearn.console._kernels:use", list(GROUPS), warm_keys=keys)
        for done, outcome in enumerate(outcomes, start=1):
            if outcome.failure is not None:
                fail(f"{list(GROUPS)[outcome.index]}: {outcome.failure}")
            progress(done, len(GROUPS))
    if compiled:
        typer.echo(f"{len(compiled)} kernels compiled in {time.monotonic() - start:.0f} seconds.")
    else:
        typer.echo("Nothing to do: the kernels are already compiled.")


def use(group: str) -> None:
    """Use the kernels of one group."""
    with warnings.catch_warnings():
        # A few rounds on made-up rows need not converge.
        warnings.simplefilter("ignore", ConvergenceWarning)
        GROUPS[group][0]()


def _complexity() -> None:
    complexity_contribution(X, Y, n_permutations=4, random_state=0)
    machine = IncrementalSVC()
    for x, y in zip(X[:10], Y[:10], strict=True):
        machine.push(x, y)
    machine.pop()


def _subsets() -> None:
    principal_points(X[:10], Y[:10], clusters=None)
    principal_points(X, Y, clusters=20, max_subsets=50, random_state=0)
    complexity_contribution(X, Y, n_permutations=2, estimator="surprise", random_state=0)


def _proofs() -> None:
    ZeroOneClassifier(certify=True, max_time=0.5, random_state=0).fit(X, Y)
    minimum_zero_one_error(X, Y)


def _linear() -> None:
    RCDPerceptron(max_iter=20, random_state=0).fit(X, Y)
    ZeroOneClassifier(max_time=0.5, random_state=0).fit(X, Y)


def _online() -> None:
    for learner in (Perceptron, PocketPerceptron, AveragedPerceptron, ROMMA, SGDPerceptron, Winnow):
        learner(max_iter=3, random_state=0).fit(np.abs(X), Y)


def _boosting() -> None:
    AdaBoostClassifier(n_estimators=5).fit(X, Y).predict(X)
    AdaBoostClassifier(DecisionStump(), n_estimators=5).fit(X, Y).predict(X)
    NoiseTolerantBoostClassifier(n_estimators=5, random_state=0).fit(X, Y).predict(X)


def _many_classes() -> None:
    pieces = (X[:, 0] > 0).astype(int) + Y
    for classifier in (AdaBoostECCClassifier, AdaBoostERPClassifier):
        classifier(n_estimators=5, random_state=0).fit(X, pieces).predict(X)
    AdaBoostECCClassifier(partition="max-cut", n_estimators=2, random_state=0).fit(X, pieces)


def _large_tables() -> None:
    many = make_yinyang(20_000, random_state=0)
    AdaBoostClassifier(n_estimators=2).fit(*many).predict(many[0])


def _kernel_machines() -> None:
    pieces = (X[:, 0] > 0).astype(int) + Y
    for scheme in ("ovr", "ovo"):
        KernelPerceptronClassifier(multi_class=scheme, random_state=0).fit(X, pieces).predict(X)
    KernelSVC().fit(X, Y).predict(X)


def _curves() -> None:
    levels, shares = np.arange(1.0, 7.0), np.array([0.0, 0.2, 0.1, 0.6, 0.9, 1.0])
    for fit in (MonotoneFit, LogisticFit, BoundedJumpRegression, HybridFit):
        fit().fit(levels, shares, sample_weight=np.full(6, 10.0)).threshold()


def _thresholds() -> None:
    for sampler in (PosteriorMinEnt([1, 2, 3, 4], random_state=0), MinEnt([1, 2, 3, 4], random_state=0)):
        for outcome in (True, False, True, False, True):
            sampler.tell(sampler.ask(), outcome)
        sampler.estimate()
        sampler.interval()


# What takes longest comes first. Groups with the same second entry share kernels, so one waits for the other.
GROUPS: dict[str, tuple[Callable[[], None], str]] = {
    "complexity": (_complexity, "support vectors"),
    "linear classifiers": (_linear, "simplex"),
    "curves": (_curves, "curves"),
    "boosting": (_boosting, "stumps"),
    "subsets": (_subsets, "support vectors"),
    "proofs": (_proofs, "simplex"),
    "kernel machines": (_kernel_machines, "kernels"),
    "online learning": (_online, "online"),
    "more than two classes": (_many_classes, "stumps"),
    "thresholds": (_thresholds, "curves"),
    "large tables": (_large_tables, "stumps"),
}
