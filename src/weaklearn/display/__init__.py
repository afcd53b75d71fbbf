"""Plots, in the manner of scikit-learn's Display classes.

Each display holds the data it shows, is made by ``from_estimator`` or ``from_predictions`` where that makes sense,
and draws with ``plot(ax=None)`` on one matplotlib axes, which it keeps as ``ax_`` beside ``figure_`` and the artists.
Displays ask of a fitted model only the attributes they name, so they also serve models of other packages;
matplotlib is imported when something is drawn. The colours are in `weaklearn.display.palette`. Drawings of a single
document are in its folder of `weaklearn.studies`.

>>> from weaklearn.display import MarginDisplay
>>> display = MarginDisplay.from_predictions([0, 1, 1], [-0.5, 0.2, -0.1])
>>> display.margins
array([-0.1,  0.2,  0.5])
>>> display.ax_.get_xlabel()
'margin'
"""

from weaklearn.display._boosting import BoostingCurveDisplay, MarginDisplay
from weaklearn.display._codes import CodeMatrixDisplay
from weaklearn.display._complexity import ComplexityErrorDisplay, ContributionDisplay, FingerprintDisplay
from weaklearn.display._confusion import ClassConfusionDisplay
from weaklearn.display._labels import LabelAuditDisplay
from weaklearn.display._learning_curves import GrowthDisplay, SampleComplexityDisplay
from weaklearn.display._plane import BoundaryDisplay
from weaklearn.display._reliability import ReliabilityDisplay
from weaklearn.display._style import legend_below, new_panel

__all__ = [
    "MarginDisplay",
    "BoostingCurveDisplay",
    "BoundaryDisplay",
    "CodeMatrixDisplay",
    "ClassConfusionDisplay",
    "ReliabilityDisplay",
    "LabelAuditDisplay",
    "SampleComplexityDisplay",
    "GrowthDisplay",
    "ComplexityErrorDisplay",
    "ContributionDisplay",
    "FingerprintDisplay",
    # figures for pages
    "new_panel",
    "legend_below",
]
