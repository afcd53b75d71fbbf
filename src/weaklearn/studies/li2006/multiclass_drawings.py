"""Drawings of li2006, chapter 4: curves against rounds, partitions of the tangram."""

import numpy as np
from matplotlib.figure import Figure as Panel

from weaklearn.datasets._plane import TANGRAM_PIECES
from weaklearn.display import PartitionDisplay, legend_below, new_panel
from weaklearn.lab import Figure
from weaklearn.lab.curves import FigureData

__all__ = ["partition_panels", "round_curves"]


def round_curves(figure: Figure, data: FigureData) -> list[Panel]:
    """Mean cost and test error against the number of rounds, both logarithmic, one panel each and data set."""
    panels = []
    for row in (row.label for row in figure.rows if data.columns_of(row.label)):
        for metric, title in (("costs", "training cost"), ("test_errors", "test error (%)")):
            panel, axes = new_panel(f"{row}: {title}", xlabel="rounds", ylabel=title)
            for column in (column.name for column in figure.columns):
                if column in data.columns_of(row):
                    mean, _ = data.curve(row, column, metric)
                    # Points beyond the last round repeat it.
                    last = max(result["n_rounds"] for result in data.results[row, column])
                    rounds = [number for number in figure.params["rounds"] if number <= last]
                    style = figure.options["styles"][column]
                    axes.plot(rounds, mean[: len(rounds)], label=column, **style)
            axes.set(xscale="log", yscale="log")
            legend_below(panel, columns=2)
            panels.append(panel)
    return panels


def partition_panels(figure: Figure, data: FigureData) -> list[Panel]:
    """The two dominating partitions of the first trial of each column, on the pieces of the tangram."""
    panels = []
    (row,) = (row.label for row in figure.rows)
    pieces = [TANGRAM_PIECES[code] for code in sorted(TANGRAM_PIECES)]
    for column in data.columns_of(row):
        result = data.results[row, column][0]
        for rank, partition in enumerate(np.reshape(result["partitions"], (2, -1))):
            panel, axes = new_panel(size=(2.7, 3.0), grid=False)
            display = PartitionDisplay(pieces, partition, labels=sorted(TANGRAM_PIECES))
            display.plot(axes)
            display.ax_.set_title(
                f"{column}: {result['counts'][rank]:.0f} rounds,\nmean coefficient {result['means'][rank]:.2f}",
                fontsize=9,
            )
            panels.append(panel)
    return panels
