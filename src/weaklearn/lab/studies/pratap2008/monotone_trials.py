"""Targets, protocols and drawings for experiments on monotone curves and their thresholds.

Data sources name `make_target`, so that a worker which loads the data of a trial has imported this module, and with it
the protocols.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from weaklearn.lab._protocols import protocol
from weaklearn.lab._spec import Figure
from weaklearn.lab.curves import FigureData

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Panel

    from weaklearn.lab._trial import Trial

__all__ = ["TARGETS", "deviations", "make_target", "mean_squared_errors", "target_curve"]


def _normal(x):
    from scipy.special import ndtr

    return ndtr((x - 0.5) / 0.25)


def _student(x):
    from scipy.special import stdtr

    return stdtr(10, 3 * x - 1.5)


# pratap2008, Table 3.1, on [0, 1]. Student's t is taken on [-1.5, 1.5] and the Weibull curve on [0, 1.5], rescaled: the
# printed formulas alone would reach 0.86 and 0.63 at x = 1.
_CURVES = {
    "linear": lambda x: x,
    "weibull": lambda x: 1 - np.exp(-((1.5 * x) ** 2)),
    "normcdf": _normal,
    "student-t": _student,
    "quadratic": lambda x: x**2,
    "tr": lambda x: np.where(x <= 0.5, 2 * x**2, 1 - 2 * (1 - x) ** 2),
    "exponential": lambda x: 1 / (1 + np.exp((0.5 - x) / 0.05)),
    "exponential2": lambda x: 1 / (1 + np.exp((0.4 - x) / 0.1)),
}
TARGETS = tuple(_CURVES)


def target_curve(name):
    """The probability of yes as a function on [0, 1]."""
    return _CURVES[name]


def grid(n_levels: int):
    """The middles of ``n_levels`` equal bins of [0, 1]."""
    return (np.arange(n_levels) + 0.5) / n_levels


def make_target(target: str, n_levels: int, level: float, random_state: int | None = None):
    """The levels (as a column) and the true probabilities there; ``level`` is for the protocol, nothing is drawn."""
    x = grid(n_levels)
    return x[:, None], target_curve(target)(x)


@protocol("threshold", version=1)
def threshold(trial: "Trial", n_runs: int, budget: int) -> Mapping[str, Any]:
    """A study of ``n_runs`` simulated experiments, all samplers meeting the same luck.

    Records `bias` (the distance of the mean estimate from the truth), `variance` and `squared_error` after the whole
    budget, and `curve`: the mean squared error when every level has been asked once on average and from then on.
    """
    from weaklearn.adaptive import simulate
    from weaklearn.lab._build import build
    from weaklearn.lab._sources import load_source
    from weaklearn.monotone import Crossing

    data = trial.parts["data"]
    levels = load_source(data)[0][:, 0]
    functional = Crossing(data["params"]["level"])
    sampler = build(trial.parts["algorithm"], trial.algorithm_seed).set_params(
        functional=functional, levels=levels
    )
    curve = target_curve(data["params"]["target"])
    study = simulate(sampler, curve, n_runs, budget=budget, random_state=trial.data_seed)
    truth = functional(curve, 0.0, 1.0)
    final = study.estimates[0, :, -1]
    errors = ((study.estimates[0] - truth) ** 2).mean(axis=0)
    return {
        "bias": abs(final.mean() - truth),
        "variance": final.var(),
        "squared_error": errors[-1],
        "curve": errors[len(levels) - 1 :],
    }


def allocation(name: str, n_levels: int):
    """Samples per level: "one" each, or more in the middle ("centre"): min(i, N + 1 - i)."""
    i = np.arange(1, n_levels + 1)
    return {"one": np.ones(n_levels), "centre": np.minimum(i, n_levels + 1 - i) * 1.0}[name]


def drawn_deviations(fit, target, counts, uniform):
    """sum m (fitted - p)^2 / sum m for every row of answers: yes where the uniform number is below p."""
    n_levels = len(counts)
    x = grid(n_levels)
    p = target_curve(target)(x)
    owner = np.repeat(np.arange(n_levels), counts.astype(int))
    said = uniform < p[owner]
    first = np.concatenate([[0], np.cumsum(counts.astype(int))[:-1]])
    shares = np.add.reduceat(said, first, axis=1, dtype=float) / counts
    values = fit.fit_many(x, shares, np.broadcast_to(counts, shares.shape))
    return ((values - p) ** 2) @ counts / counts.sum()


@protocol("deviation", version=1)
def deviation(trial: "Trial", allocated: str, sizes: Sequence[int], n_runs: int) -> Mapping[str, Any]:
    """The mean deviation of a fit from the truth at the levels, for several numbers of levels.

    Records `deviation`, a list as long as ``sizes``. All fits see the same answers.
    """
    from weaklearn.lab._build import build

    fit = build(trial.parts["algorithm"], trial.algorithm_seed)
    rng = np.random.default_rng(trial.data_seed)
    target = trial.parts["data"]["params"]["target"]
    found = []
    for size in sizes:
        counts = allocation(allocated, size)
        uniform = rng.random((n_runs, int(counts.sum())))
        found.append(float(drawn_deviations(fit, target, counts, uniform).mean()))
    return {"deviation": found}


def deviations(figure: Figure, data: FigureData) -> "list[Panel]":
    """Mean deviation against the number of levels, one panel per target."""
    sizes = figure.protocol.params["sizes"]
    return [
        _panel(figure, data, row, "deviation", sizes, "number of levels", "deviation")
        for row in _rows(figure, data)
    ]


def mean_squared_errors(figure: Figure, data: FigureData) -> "list[Panel]":
    """Mean squared error against additional answers, one panel per threshold."""
    rows = _rows(figure, data)
    n_points = len(next(iter(data.results.values()))[0]["curve"])
    x = list(range(n_points))
    label = "answers after one per level"
    return [_panel(figure, data, row, "curve", x, label, "mean squared error") for row in rows]


def _rows(figure: Figure, data: FigureData) -> list[str]:
    return [row.label for row in figure.rows if data.columns_of(row.label)]


_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#000000")
_DASHES = ("-", "--", "-.", ":")


def _panel(figure, data, row, metric, x, x_label, y_label) -> "Panel":
    from matplotlib.figure import Figure as Panel

    panel = Panel(figsize=(5.4, 4.2), layout="constrained")
    axes = panel.add_subplot()
    present = data.columns_of(row)
    for position, column in enumerate(column.name for column in figure.columns):
        if column not in present:
            continue
        mean, error = (np.array(part) for part in data.curve(row, column, metric))
        style = {"color": _COLOURS[position % len(_COLOURS)], "linestyle": _DASHES[position % len(_DASHES)]}
        axes.plot(x, mean, label=column, linewidth=1.4, **dict[str, Any](style))
        axes.fill_between(x, mean - error, mean + error, color=style["color"], alpha=0.15, linewidth=0)
    axes.set_ylim(bottom=0)
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.set_title(row, fontsize=11)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    panel.legend(loc="outside lower center", ncols=3, fontsize=8, frameon=False, handlelength=3)
    return panel
