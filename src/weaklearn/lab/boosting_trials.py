"""Trials and drawings of the boosting experiments: rounds, cost ratios, validated sizes, margins.

Errors are in percent unless a table prints shares. Noise means flipped labels in the training part alone, a fixed
number of them drawn without replacement, as in barnes1999; the test part stays clean.
"""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from weaklearn.lab._build import build
from weaklearn.lab._canonical import seed_from
from weaklearn.lab._protocols import protocol
from weaklearn.lab._sources import split_source

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Panel

    from weaklearn.lab._spec import Figure
    from weaklearn.lab._trial import Trial
    from weaklearn.lab.curves import FigureData

__all__ = [
    "best_errors",
    "boosted_rounds",
    "cost_functions",
    "cost_ratio",
    "ensemble_margins",
    "line_costs",
    "make_network",
    "margin_panels",
    "naive_coefficients",
    "quantities",
    "round_curves",
    "validated_size",
]

# Margins at which distribution functions are recorded.
MARGIN_GRID = np.linspace(-0.6, 1.0, 81)


def make_network(n_samples=3400, *, n_features=8, n_hidden=10, random_state=None):
    """Examples of a random target: the sign of a two-layer network, median in the middle.

    It stands in for the Caltech Data Engine of li2006 and pratap2008, whose models include random networks. Inputs
    are uniform in [-1, 1]; weights and biases are standard normal, those into the hidden units times 3.
    """
    rng = np.random.default_rng(random_state)
    X = rng.uniform(-1, 1, size=(n_samples, n_features))
    hidden = np.tanh(3 * (X @ rng.normal(size=(n_features, n_hidden)) + 0.5 * rng.normal(size=n_hidden)))
    score = hidden @ rng.normal(size=n_hidden)
    return X, np.where(score > np.median(score), 1, -1)


def noisy_split(trial: "Trial", flip: float = 0.0) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The trial's split, with ``round(flip * n)`` labels of the training part exchanged."""
    X_train, X_test, y_train, y_test = split_source(trial.parts["data"], trial.data_seed)
    if flip:
        classes, codes = np.unique(y_train, return_inverse=True)
        rng = np.random.default_rng(seed_from(purpose="flip", seed=trial.data_seed, share=flip))
        codes[rng.permutation(len(codes))[: round(flip * len(codes))]] ^= 1
        y_train = classes[codes]
    return X_train, X_test, y_train, y_test


def _staged_errors(model, X, y) -> np.ndarray:
    positive = y == model.classes_[1]
    return np.array(
        [100.0 * np.mean((scores > 0) != positive) for scores in model.staged_decision_function(X)]
    )


def _sampled(curve: "np.ndarray | Sequence[float]", rounds: Sequence[int]) -> list[float]:
    """The curve at some rounds (from 1 on); one that ended early stays where it ended."""
    return [float(curve[min(t, len(curve)) - 1]) for t in rounds]


@protocol("boosted_rounds", version=1)
def boosted_rounds(trial: "Trial", flip: float = 0.0, rounds: Sequence[int] = (1,)) -> dict[str, Any]:
    """Test and training error after every round.

    Records `best_test_error` (the least over all rounds, which is what barnes1999 reports), `best_round`,
    `test_error` and `train_error` after the last round, `n_rounds`, `aborted` (1 if the run ended before its
    rounds), and the lists `test_errors`, `train_errors`, `costs` and `log_weights` (decimal logarithm of the
    final coefficient) at ``rounds``.
    """
    X_train, X_test, y_train, y_test = noisy_split(trial, flip)
    model = build(trial.parts["algorithm"], trial.algorithm_seed).fit(X_train, y_train)
    errors = _staged_errors(model, X_test, y_test)
    if len(errors) == 0:
        errors = np.array([100.0 * float(np.mean(model.predict(X_test) != y_test))])
    training = 100.0 * model.error_curve_ if len(model.error_curve_) else errors
    costs = model.cost_curve_ if len(model.cost_curve_) else np.ones(1)
    weights = np.log10(np.maximum(np.abs(model.estimator_weights_), 1e-320)) if model.n_iter_ else np.zeros(1)
    return {
        "best_test_error": errors.min(),
        "best_round": 1 + int(np.argmin(errors)),
        "test_error": errors[-1],
        "train_error": training[-1],
        "n_rounds": model.n_iter_,
        "aborted": float(model.n_iter_ < model.n_estimators),
        "test_errors": _sampled(errors, rounds),
        "train_errors": _sampled(training, rounds),
        "costs": _sampled(costs, rounds),
        "log_weights": _sampled(weights, rounds),
    }


@protocol("cost_ratio", version=1)
def cost_ratio(trial: "Trial") -> dict[str, float]:
    """CGBoost's final cost over that of AnyBoost with the same cost and rounds: `log_ratio`, natural logarithm.

    The mean of logarithms is the logarithm of the geometric mean, which li2006 prints. Also `cg_cost`, `any_cost`.
    """
    from weaklearn.boosting import AnyBoostClassifier

    X_train, _, y_train, _ = split_source(trial.parts["data"], trial.data_seed)
    conjugate = build(trial.parts["algorithm"], trial.algorithm_seed)
    plain = AnyBoostClassifier(cost=conjugate.cost, n_estimators=conjugate.n_estimators).fit(X_train, y_train)
    cg, one = conjugate.fit(X_train, y_train).cost_curve_[-1], plain.cost_curve_[-1]
    # A cost that a float cannot hold counts as the smallest that it can.
    smallest = float(np.finfo(np.float64).tiny)
    return {"log_ratio": math.log(max(cg, smallest) / max(one, smallest)), "cg_cost": cg, "any_cost": one}


@protocol("validated_size", version=1)
def validated_size(trial: "Trial", kappas: Sequence[float] = ()) -> dict[str, float]:
    """`test_error` of the stage with the least validation error; half of the held-out part validates.

    With ``kappas`` the cost is the bisigmoid, and validation chooses among these kappa_neg too (first best).
    """
    from weaklearn.costs import Bisigmoid

    X_train, X_rest, y_train, y_rest = split_source(trial.parts["data"], trial.data_seed)
    half = len(y_rest) // 2
    best = (np.inf, np.inf)
    for kappa in [*kappas] or [None]:  # type: ignore[list-item]
        model = build(trial.parts["algorithm"], trial.algorithm_seed)
        if kappa is not None:
            model.set_params(cost=Bisigmoid(1.0, kappa))
        model.fit(X_train, y_train)
        errors = _staged_errors(model, X_rest[:half], y_rest[:half])
        if len(errors) and errors.min() < best[0]:
            test = _staged_errors(model, X_rest[half:], y_rest[half:])
            best = errors.min(), test[int(np.argmin(errors))]
    return {"validation_error": best[0], "test_error": best[1]}


@protocol("ensemble_margins", version=1)
def ensemble_margins(trial: "Trial", rounds: Sequence[int] = ()) -> dict[str, Any]:
    """Cost, test error and normalised training margins of an ensemble.

    Records `cost`, `error` (a share), `min_margin`, `mean_margin`, `size` (distinct stumps), `distribution` (of
    margins, at ``MARGIN_GRID``) and, at ``rounds``, `costs` and `test_errors` (percent). Of an ensemble that was
    corrected after its rounds, also what changed: `error_change`, `mean_change`, `max_change` (the largest gain
    of one margin), and `rounds_size`, its size before.
    """
    X_train, X_test, y_train, y_test = split_source(trial.parts["data"], trial.data_seed)
    model = build(trial.parts["algorithm"], trial.algorithm_seed).fit(X_train, y_train)
    signs = np.where(y_train == model.classes_[1], 1, -1)
    margins = signs * model.decision_function(X_train) / np.abs(model.estimator_weights_).sum()
    result = {
        "cost": model.cost_curve_[-1],
        "error": float(np.mean(model.predict(X_test) != y_test)),
        "min_margin": margins.min(),
        "mean_margin": margins.mean(),
        "size": float(_n_distinct(model.estimators_)),
        "distribution": [float(np.mean(margins <= at)) for at in MARGIN_GRID],
        "max_change": 0.0,
        "mean_change": 0.0,
        "error_change": 0.0,
        "rounds_size": float(_n_distinct(model.estimators_)),
    }
    if rounds:
        result["costs"] = _sampled(model.cost_curve_, rounds)
        result["test_errors"] = _sampled(_staged_errors(model, X_test, y_test), rounds)
    if len(model.cost_curve_) > model.n_iter_:
        from weaklearn.boosting import AdaBoostClassifier

        plain = AdaBoostClassifier(model.estimator, model.n_iter_).fit(X_train, y_train)
        before = signs * plain.decision_function(X_train) / plain.estimator_weights_.sum()
        result["max_change"] = float((margins - before).max())
        result["mean_change"] = float((margins - before).mean())
        result["error_change"] = result["error"] - float(np.mean(plain.predict(X_test) != y_test))
        result["rounds_size"] = float(_n_distinct(plain.estimators_))
    return result


def _n_distinct(stumps) -> int:
    return len({(stump.feature_, stump.threshold_, stump.polarity_) for stump in stumps})


# Drawings ---------------------------------------------------------------------------------------------------------

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")


def _panel(title: str, x: str, y: str) -> "tuple[Panel, Any]":
    from matplotlib.figure import Figure as Panel

    panel = Panel(figsize=(5.4, 4.2), layout="constrained")
    axes = panel.add_subplot()
    axes.set_title(title, fontsize=11)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    return panel, axes


def _lines(title, x_label, y_label, lines: Mapping[str, tuple[Any, Any]], log_x=False) -> "Panel":
    panel, axes = _panel(title, x_label, y_label)
    for k, (label, (x, y)) in enumerate(lines.items()):
        axes.plot(
            x,
            y,
            label=label,
            linewidth=1.4,
            color=_COLOURS[k % 7],
            linestyle=("-", "--", "-.", ":")[k // 7 % 4],
        )
    if log_x:
        axes.set_xscale("log")
    panel.legend(loc="outside lower center", ncols=3, fontsize=8, frameon=False, handlelength=3)
    return panel


def round_curves(figure: "Figure", data: "FigureData") -> "list[Panel]":
    """Means over trials against rounds, one panel per row and metric (option `metrics`: metric to axis label)."""
    rounds = figure.protocol.params["rounds"]
    panels = []
    for row in figure.rows:
        columns = data.columns_of(row.label)
        for metric, label in figure.options["metrics"].items():
            lines = {column: (rounds, data.curve(row.label, column, metric)[0]) for column in columns}
            if lines:
                panels.append(
                    _lines(f"{row.label}: {label}", "rounds", label, lines, figure.options.get("log", True))
                )
    return panels


def quantities(figure: "Figure", data: "FigureData") -> "list[Panel]":
    """Scalar metrics against a number: option `x` gives it for every row or column, `metrics` the panels.

    Options: `x` maps names of rows (or, with `by` = "column", of columns) to numbers; `series` maps them to the name of
    their line.
    """
    by_column = figure.options.get("by", "row") == "column"
    panels = []
    for metric, label in figure.options["metrics"].items():
        lines: dict[str, tuple[list[float], list[float]]] = {}
        for (row, column), results in data.results.items():
            name, other = (column, row) if by_column else (row, column)
            if name not in figure.options["x"]:
                continue
            series = figure.options.get("series", {}).get(name, other)
            x, y = lines.setdefault(f"{series} {other}".strip() if series != other else other, ([], []))
            x.append(figure.options["x"][name])
            y.append(float(np.mean([result[metric] for result in results])))
        if lines:
            panels.append(_lines(label, figure.options.get("x_label", "p"), label, lines))
    return panels


def margin_panels(figure: "Figure", data: "FigureData") -> "list[Panel]":
    """Distribution functions of the margins, one panel per row; then the curves of option `metrics`."""
    panels = []
    for row in figure.rows:
        columns = data.columns_of(row.label)
        lines = {
            column: (MARGIN_GRID, data.curve(row.label, column, "distribution")[0]) for column in columns
        }
        if lines:
            panels.append(_lines(f"{row.label}: margins", "margin", "share of examples at most this", lines))
    return panels + (round_curves(figure, data) if "metrics" in figure.options else [])


def best_errors(figure: "Figure", data: "FigureData") -> "list[Panel]":
    """AdaBoost's value of a metric against that of every variant at its best p (option `groups`: name to columns)."""
    metric, label = figure.options["metric"], figure.options["label"]
    panel, axes = _panel(f"{label} at the best p", "p-boosting", "AdaBoost")
    largest = 1.0
    for k, (group, columns) in enumerate(figure.options["groups"].items()):
        points = []
        for row in figure.rows:
            means = {
                column: np.mean([result["best_test_error"] for result in data.results[row.label, column]])
                for column in columns
                if (row.label, column) in data.results
            }
            if means and (row.label, "AdaBoost") in data.results:
                chosen = data.results[row.label, min(means, key=lambda column: means[column])]
                reference = data.results[row.label, "AdaBoost"]
                points.append(
                    [float(np.mean([result[metric] for result in some])) for some in (chosen, reference)]
                )
        if points:
            x, y = np.array(points).T
            largest = max(largest, x.max(), y.max())
            axes.plot(x, y, "osD^"[k % 4], color=_COLOURS[k], label=group)
    axes.plot([0, largest], [0, largest], color="#999999", linewidth=0.8)
    panel.legend(loc="outside lower center", ncols=3, fontsize=8, frameon=False)
    return [panel]


def cost_functions(figure: "Figure", data: "FigureData") -> "list[Panel]":
    """The margin costs of li2006, figure 3.2."""
    from weaklearn.costs import Bisigmoid, Exponential, Sigmoid

    rho = np.linspace(-3, 3, 301)
    costs = {"exponential": Exponential(), "sigmoid": Sigmoid(), "bisigmoid 1, 1.05": Bisigmoid()}
    panel = _lines(
        "Margin costs", "margin", "cost", {name: (rho, cost.value(rho)) for name, cost in costs.items()}
    )
    panel.axes[0].set_ylim(0, 4)
    return [panel]


def naive_coefficients(figure: "Figure", data: "FigureData") -> "list[Panel]":
    """The naive coefficient against the weighted error (barnes1999, figures 3.2 and 4.3)."""
    error = np.linspace(0.005, 0.495, 200)
    plain = 0.5 * np.log((1 - error) / error)
    lines = {f"p = {p}": (error, plain ** (1 / p)) for p in (0.5, 0.7, 1.0)}
    return [_lines("Coefficients of naive p-boosting", "weighted error", "coefficient", lines)]


def line_costs(figure: "Figure", data: "FigureData") -> "list[Panel]":
    """The strict line cost by sample history, and of the ten examples (barnes1999, figure 4.5)."""
    alpha = np.linspace(1e-4, 4, 400)
    counts = {(1, 1): 7, (1, -1): 2, (-1, 1): 1, (-1, -1): 0}

    def cost(first, second, p):
        return np.exp(-(first + alpha * second) / (1 + alpha**p) ** (1 / p))

    panels = [
        _lines(
            f"{u:+d} then {v:+d}", "step", "cost", {f"p = {p}": (alpha, cost(u, v, p)) for p in (0.5, 1, 2)}
        )
        for u, v in counts
    ]
    total = {
        f"p = {p}": (alpha, sum(n * cost(u, v, p) for (u, v), n in counts.items()))
        for p in (0.5, 0.66974, 1, 2)
    }
    return [*panels, _lines("all ten examples", "step", "cost", total)]
