"""What ``weaklearn warmup`` does: it uses each of the common kernels on a few made-up rows."""

import time
from collections.abc import Callable

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from weaklearn.adaptive import MinEnt, PosteriorMinEnt
from weaklearn.boosting import AdaBoostClassifier, NoiseTolerantBoostClassifier
from weaklearn.complexity import LabelAuditor, audit
from weaklearn.datasets import make_yinyang
from weaklearn.engines import watching_compilation
from weaklearn.kernel import KernelPerceptronClassifier, KernelSVC
from weaklearn.linear import RCDPerceptron, ZeroOneClassifier
from weaklearn.multiclass import AdaBoostECCClassifier, AdaBoostERPClassifier
from weaklearn.stumps import DecisionStump

__all__ = ["compile_all"]

X, Y = make_yinyang(40, flip=0.1, random_state=0)


def compile_all() -> None:
    """Use every kernel, and say how many had to be compiled."""
    compiled: set[str] = set()
    start = time.process_time()
    console = Console(stderr=True)
    columns = TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn()
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        task = progress.add_task("compiling", total=len(USES))
        for name, use in USES.items():
            progress.update(task, description=f"compiling: {name}")
            with watching_compilation(compiled.add):
                use()
            progress.advance(task)
    if compiled:
        typer.echo(f"{len(compiled)} kernels compiled in {time.process_time() - start:.0f} CPU seconds.")
    else:
        typer.echo("Nothing to do: the common kernels are already compiled.")


def _thresholds() -> None:
    for sampler in (PosteriorMinEnt([1, 2, 3, 4], random_state=0), MinEnt([1, 2, 3, 4], random_state=0)):
        for outcome in (True, False, True, False, True):
            sampler.tell(sampler.ask(), outcome)
        sampler.estimate()
        sampler.interval()


def _boosting() -> None:
    AdaBoostClassifier(n_estimators=5).fit(X, Y).predict(X)
    AdaBoostClassifier(DecisionStump(criterion="gini"), n_estimators=5).fit(X, Y).predict(X)
    NoiseTolerantBoostClassifier(n_estimators=5, random_state=0).fit(X, Y).predict(X)


def _robust() -> None:
    LabelAuditor(random_state=0).fit(X, Y)


def _linear() -> None:
    RCDPerceptron(max_iter=20, random_state=0).fit(X, Y)
    ZeroOneClassifier(certify=True, max_time=0.5, random_state=0).fit(X, Y)


def _audit() -> None:
    audit({"x": X[:, 0], "y": X[:, 1], "label": Y}, label="label", n_permutations=4)


def _many_classes() -> None:
    pieces = (X[:, 0] > 0).astype(int) + Y
    for classifier in (AdaBoostECCClassifier, AdaBoostERPClassifier):
        classifier(n_estimators=5, random_state=0).fit(X, pieces).predict(X)


def _kernel_machines() -> None:
    KernelPerceptronClassifier(random_state=0).fit(X, Y).predict(X)
    KernelSVC().fit(X, Y).predict(X)


# By the name that progress shows.
USES: dict[str, Callable[[], None]] = {
    "thresholds": _thresholds,
    "boosting": _boosting,
    "robust classifier": _robust,
    "linear classifiers": _linear,
    "audit": _audit,
    "more than two classes": _many_classes,
    "kernel machines": _kernel_machines,
}
