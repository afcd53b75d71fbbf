"""What an audit of labels found."""

import numpy as np

from weaklearn._docstrings import documented
from weaklearn.display._style import Display, curve_style, finish
from weaklearn.display.palette import GREY, TINTS


@documented
class LabelAuditDisplay(Display):
    """Probabilities of wrong labels, the most suspicious row first, with the list and the number of wrong labels.

    Where the curve falls steeply, the list ends by itself. The dashed line is the end of the list; the area is the
    90% interval of the number of wrong labels.

    Parameters
    ----------
    wrong_probability : array-like of shape (n_samples,)
        In any order.
    n_listed : int, default=0
        Length of the list; 0 draws no line.
    interval : (float, float), default=None
        Of the number of wrong labels.

    Attributes
    ----------
    line_ : matplotlib line

    Examples
    --------
    >>> from weaklearn.display import LabelAuditDisplay
    >>> display = LabelAuditDisplay([0.1, 0.9, 0.2], n_listed=1, interval=(0.5, 2)).plot()
    >>> display.line_.get_ydata()
    array([0.9, 0.2, 0.1])
    """

    def __init__(self, wrong_probability, *, n_listed=0, interval=None, name=None):
        self.wrong_probability = np.asarray(wrong_probability, dtype=np.float64)
        self.n_listed = n_listed
        self.interval = interval
        self.name = name

    @classmethod
    @documented
    def from_estimator(cls, auditor, *, name=None, ax=None):
        """From a fitted auditor.

        Parameters
        ----------
        auditor : fitted LabelAuditor
            Or anything with ``wrong_probability_``, ``flagged_`` and ``n_wrong_interval_``.
        """
        listed, interval = len(auditor.flagged_), auditor.n_wrong_interval_
        return cls(auditor.wrong_probability_, n_listed=listed, interval=interval, name=name).plot(ax)

    def _draw(self, ax, **keywords):
        ends = (self.n_listed, 0 if self.interval is None else self.interval[1])
        shown = min(len(self.wrong_probability), max(round(1.5 * max(ends)), 3 * self.n_listed, 30))
        ordered = -np.sort(-self.wrong_probability)[:shown]
        if self.interval is not None:
            low, high = np.clip(self.interval, 0, shown)
            ax.axvspan(low, high, color=TINTS[0], alpha=0.35, linewidth=0, label="90% interval of the number")
        if self.n_listed:
            ax.axvline(self.n_listed, color=GREY, linestyle="--", linewidth=1, label="end of the list")
        style = {"label": self.name, **curve_style(ax, keywords)}
        (self.line_,) = ax.plot(np.arange(1, shown + 1), ordered, **style)
        ax.set(
            xlabel="rows, the most suspicious first", ylabel="probability of a wrong label", ylim=(0, 1.02)
        )
        finish(ax)
