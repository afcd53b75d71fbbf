"""``weaklearn warmup``: compile the common kernels now, rather than in the first command that needs them."""

from collections.abc import Callable

import typer

__all__ = ["EXAMPLES", "warmup"]

EXAMPLES = """\b
Examples:
  weaklearn warmup
  weaklearn warmup && weaklearn audit table.csv --label diagnosis
"""


def warmup() -> None:
    """Compile the common kernels, once per installation.

    Kernels are compiled when they are first used and kept beside the package, or in the folder in NUMBA_CACHE_DIR. This
    uses each of the common ones on a few made-up rows. Run it after installing, or when building a container.
    """
    import time

    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from weaklearn.engines import watching_compilation

    compiled: set[str] = set()
    start = time.process_time()
    steps = _steps()
    console = Console(stderr=True)
    columns = TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn()
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        task = progress.add_task("compiling", total=len(steps))
        for name, use in steps:
            progress.update(task, description=f"compiling: {name}")
            with watching_compilation(compiled.add):
                use()
            progress.advance(task)
    if compiled:
        typer.echo(f"{len(compiled)} kernels compiled in {time.process_time() - start:.0f} CPU seconds.")
    else:
        typer.echo("Nothing to do: the common kernels are already compiled.")


def _steps() -> list[tuple[str, Callable[[], object]]]:
    """What is used on a few made-up rows, by the name that progress shows."""
    from weaklearn.datasets import make_yinyang

    X, y = make_yinyang(40, flip=0.1, random_state=0)
    table = {"x": X[:, 0], "y": X[:, 1], "label": y}

    def audit():
        from weaklearn.complexity import audit

        audit(table, label="label", n_permutations=4)

    def robust():
        from weaklearn.complexity import LabelAuditor

        LabelAuditor(random_state=0).fit(X, y)

    def linear():
        from weaklearn.linear import RCDPerceptron, ZeroOneClassifier

        RCDPerceptron(max_iter=20, random_state=0).fit(X, y)
        ZeroOneClassifier(certify=True, max_time=0.5, random_state=0).fit(X, y)

    def boosting():
        from weaklearn.boosting import AdaBoostClassifier, NoiseTolerantBoostClassifier
        from weaklearn.stumps import DecisionStump

        AdaBoostClassifier(n_estimators=5).fit(X, y).predict(X)
        AdaBoostClassifier(DecisionStump(criterion="gini"), n_estimators=5).fit(X, y).predict(X)
        NoiseTolerantBoostClassifier(n_estimators=5, random_state=0).fit(X, y).predict(X)

    def multiclass():
        from weaklearn.multiclass import AdaBoostECCClassifier, AdaBoostERPClassifier

        pieces = (X[:, 0] > 0).astype(int) + y
        for classifier in (AdaBoostECCClassifier, AdaBoostERPClassifier):
            classifier(n_estimators=5, random_state=0).fit(X, pieces).predict(X)

    def kernels():
        from weaklearn.kernel import KernelPerceptronClassifier, KernelSVC

        KernelPerceptronClassifier(random_state=0).fit(X, y).predict(X)
        KernelSVC().fit(X, y).predict(X)

    def thresholds():
        from weaklearn.adaptive import MinEnt, PosteriorMinEnt

        for sampler in (PosteriorMinEnt([1, 2, 3, 4], random_state=0), MinEnt([1, 2, 3, 4], random_state=0)):
            for outcome in (True, False, True, False, True):
                sampler.tell(sampler.ask(), outcome)
            sampler.estimate()
            sampler.interval()

    return [
        ("thresholds", thresholds),
        ("boosting", boosting),
        ("robust classifier", robust),
        ("linear classifiers", linear),
        ("audit", audit),
        ("more than two classes", multiclass),
        ("kernel machines", kernels),
    ]
