"""Plots, in the manner of scikit-learn's Display classes.

Each display holds the data it shows, is made by ``from_estimator`` or ``from_predictions`` where that makes sense,
and draws with ``plot(ax=None)`` on one matplotlib axes, which it keeps as ``ax_`` beside ``figure_`` and the artists.
Displays ask of a fitted model only the attributes they name, so they also serve models of other packages;
matplotlib is imported when something is drawn. The colours are in `weaklearn.display.palette`.

>>> from weaklearn.display import MarginDisplay
>>> display = MarginDisplay.from_predictions([0, 1, 1], [-0.5, 0.2, -0.1])
>>> display.margins
array([-0.1,  0.2,  0.5])
>>> display.ax_.get_xlabel()
'margin'
"""

from weaklearn.display._codes import CodeDistanceDisplay, CodeMatrixDisplay, PartitionDisplay
from weaklearn.display._complexity import (
    ComplexityErrorDisplay,
    ContributionDisplay,
    FingerprintDisplay,
)
from weaklearn.display._confusion import ClassConfusionDisplay
from weaklearn.display._hulls import LineSearchDisplay, PConvexHullDisplay
from weaklearn.display._images import HardestExamplesDisplay
from weaklearn.display._learning_curves import GrowthDisplay, LearningCurveDisplay
from weaklearn.display._margins import MarginDisplay
from weaklearn.display._plane import BoundaryDisplay, SampleWeightDisplay
from weaklearn.display._reliability import ReliabilityDisplay
from weaklearn.display._rounds import BoostingCurveDisplay, CoefficientDisplay
from weaklearn.display._style import legend_below, new_panel
from weaklearn.display._support import SupportCountDisplay

__all__ = [
    "MarginDisplay",
    "BoostingCurveDisplay",
    "CoefficientDisplay",
    "SampleWeightDisplay",
    "BoundaryDisplay",
    "LineSearchDisplay",
    "PConvexHullDisplay",
    "CodeMatrixDisplay",
    "CodeDistanceDisplay",
    "PartitionDisplay",
    "ClassConfusionDisplay",
    "ReliabilityDisplay",
    "HardestExamplesDisplay",
    "SupportCountDisplay",
    "LearningCurveDisplay",
    "GrowthDisplay",
    "ComplexityErrorDisplay",
    "ContributionDisplay",
    "FingerprintDisplay",
    # figures for pages
    "new_panel",
    "legend_below",
]
