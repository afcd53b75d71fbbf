"""Drawings of may2020, part II: sample complexities."""

import math

from matplotlib.figure import Figure as Panel

from weaklearn.display import GrowthDisplay, new_panel
from weaklearn.kernel import fit_growth
from weaklearn.lab import Figure
from weaklearn.lab.curves import FigureData
from weaklearn.linear import novikoff_bound, winnow_disjunction_bound

__all__ = ["growth_curves"]


def growth_curves(figure: Figure, data: FigureData) -> list[Panel]:
    """Sample complexity against dimension, one panel for each learner.

    With the option `fits`, also the fitted curve and, for the perceptron and winnow, the mistake bound of the theory.
    """
    bounds = {
        "Perceptron": {"mistakes at most (Novikoff)": lambda n: novikoff_bound(math.sqrt(n), 1.0)},
        "Winnow": {"mistakes at most": lambda n: winnow_disjunction_bound(1, n)},
    }
    row = figure.rows[0].label
    panels = []
    for column in figure.columns:
        if column.name not in data.columns_of(row):
            continue
        dimensions = column.algorithm.params["dimensions"]
        mean, error = data.curve(row, column.name, "samples")
        theory = {}
        if figure.options.get("fits"):
            theory = {
                "growth": fit_growth(dimensions, mean),
                "kind": column.algorithm.params["kind"],
                "bounds": bounds.get(column.name),
            }
        panel, axes = new_panel(size=(4.6, 3.6), grid=False)
        GrowthDisplay(dimensions, mean, spread=error, **theory).plot(axes)
        axes.set_ylabel("examples m for 10% error")
        axes.set_title(column.name, fontsize=11)
        panels.append(panel)
    return panels
