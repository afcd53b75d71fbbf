"""Illustrations of barnes1999: formulas, drawn without trials."""

import numpy as np
from matplotlib.figure import Figure as Panel

from weaklearn.lab import Figure
from weaklearn.lab.curves import FigureData
from weaklearn.lab.round_drawings import line_panel

__all__ = ["line_costs", "naive_coefficients"]


def naive_coefficients(figure: Figure, data: FigureData) -> list[Panel]:
    """The naive coefficient against the weighted error (barnes1999, figures 3.2 and 4.3)."""
    error = np.linspace(0.005, 0.495, 200)
    plain = 0.5 * np.log((1 - error) / error)
    lines = {f"p = {p}": (error, plain ** (1 / p)) for p in (0.5, 0.7, 1.0)}
    return [line_panel("Coefficients of naive p-boosting", "weighted error", "coefficient", lines)]


def line_costs(figure: Figure, data: FigureData) -> list[Panel]:
    """The strict line cost by sample history, and of the ten examples (barnes1999, figure 4.5)."""
    alpha = np.linspace(1e-4, 4, 400)
    counts = {(1, 1): 7, (1, -1): 2, (-1, 1): 1, (-1, -1): 0}

    def cost(first, second, p):
        return np.exp(-(first + alpha * second) / (1 + alpha**p) ** (1 / p))

    panels = [
        line_panel(
            f"{u:+d} then {v:+d}", "step", "cost", {f"p = {p}": (alpha, cost(u, v, p)) for p in (0.5, 1, 2)}
        )
        for u, v in counts
    ]
    total = {
        f"p = {p}": (alpha, sum(n * cost(u, v, p) for (u, v), n in counts.items()))
        for p in (0.5, 0.66974, 1, 2)
    }
    return [*panels, line_panel("all ten examples", "step", "cost", total)]
