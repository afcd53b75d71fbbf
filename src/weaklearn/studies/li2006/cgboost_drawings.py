"""The illustration of li2006, chapter 3."""

import numpy as np
from matplotlib.figure import Figure as Panel

from weaklearn.costs import Bisigmoid, Exponential, Sigmoid
from weaklearn.lab import Figure
from weaklearn.lab.curves import FigureData
from weaklearn.lab.round_drawings import line_panel

__all__ = ["cost_functions"]


def cost_functions(figure: Figure, data: FigureData) -> list[Panel]:
    """The margin costs of li2006, figure 3.2."""
    rho = np.linspace(-3, 3, 301)
    costs = {"exponential": Exponential(), "sigmoid": Sigmoid(), "bisigmoid 1, 1.05": Bisigmoid()}
    panel = line_panel(
        "Margin costs", "margin", "cost", {name: (rho, cost.value(rho)) for name, cost in costs.items()}
    )
    panel.axes[0].set_ylim(0, 4)
    return [panel]
