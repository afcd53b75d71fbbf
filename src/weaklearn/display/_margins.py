"""The distribution of margins."""

import numpy as np

from weaklearn.display._ensembles import name_of, norm_of, signs
from weaklearn.display._style import axes_for, curve_style, finish
from weaklearn.display.palette import GREY

__all__ = ["MarginDisplay"]


class MarginDisplay:
    """The cumulative distribution of margins: the share of examples with a margin of at most t.

    The height of the curve at 0, where a thin line stands, is the error. Draw several ensembles on the same
    axes to compare them: a curve that lies below another everywhere dominates it.

    Parameters
    ----------
    margins : array-like of shape (n_samples,)
        In any order.
    name : str, default=None
        For the legend.

    Attributes
    ----------
    margins : ndarray of shape (n_samples,)
        Sorted.
    cumulated : ndarray of shape (n_samples,)
        The share of examples up to each of them.
    line_ : matplotlib line
    zero_line_ : matplotlib line or None
        None if the axes had one already.
    ax_ : matplotlib axes
    figure_ : matplotlib figure

    References
    ----------
    - barnes1999, figure 3.6 (b); pratap2008, figures 2.9, 2.12 and 2.23 to 2.28.

    Examples
    --------
    >>> from weaklearn.boosting import AdaBoostClassifier
    >>> from weaklearn.datasets import make_ring
    >>> from weaklearn.display import MarginDisplay
    >>> X, y = make_ring(100, random_state=0)
    >>> display = MarginDisplay.from_estimator(AdaBoostClassifier(n_estimators=50).fit(X, y), X, y)
    >>> display.cumulated[[0, -1]]
    array([0.01, 1.  ])
    """

    def __init__(self, margins, *, name=None):
        self.margins = np.sort(np.asarray(margins, dtype=np.float64))
        self.cumulated = np.arange(1, len(self.margins) + 1) / len(self.margins)
        self.name = name

    @classmethod
    def from_estimator(cls, ensemble, X, y, *, normalize=True, name=None, ax=None, **line_keywords):
        """Margins of an ensemble on labelled examples.

        Parameters
        ----------
        ensemble : fitted classifier of two classes
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        normalize : bool or float, default=True
            Divide by the 1-norm of the coefficients, not at all (False), or by their p-norm (a number p).
        name : str, default=None
            For the legend; None means the class of the ensemble.
        ax : matplotlib axes, default=None
            None opens a new figure.
        **line_keywords
            For matplotlib's ``step``.

        Returns
        -------
        MarginDisplay
        """
        margins = signs(y, ensemble.classes_) * ensemble.decision_function(X) / norm_of(ensemble, normalize)
        return cls(margins, name=name_of(ensemble) if name is None else name).plot(ax, **line_keywords)

    @classmethod
    def from_predictions(cls, y_true, scores, *, scale=1.0, name=None, ax=None, **line_keywords):
        """Margins from labels and scores F(x).

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Two classes; the larger one is positive.
        scores : array-like of shape (n_samples,)
        scale : float, default=1
            What the scores are divided by.
        name, ax, **line_keywords
            As for `from_estimator`.

        Returns
        -------
        MarginDisplay
        """
        margins = signs(y_true, np.unique(y_true)) * np.asarray(scores, dtype=np.float64) / scale
        return cls(margins, name=name).plot(ax, **line_keywords)

    def plot(self, ax=None, **line_keywords):
        """Draw the distribution.

        Parameters
        ----------
        ax : matplotlib axes, default=None
            None opens a new figure.
        **line_keywords
            For matplotlib's ``step``.

        Returns
        -------
        self
        """
        self.ax_ = axes_for(ax)
        self.figure_ = self.ax_.figure
        self.zero_line_ = None
        if not any(line.get_gid() == "zero" for line in self.ax_.get_lines()):
            self.zero_line_ = self.ax_.axvline(0, color=GREY, linewidth=0.8, gid="zero")
        # From 0 at the first margin: the jump there belongs to the plot.
        x = np.concatenate([self.margins[:1], self.margins])
        y = np.concatenate([[0.0], self.cumulated])
        style = {"label": self.name, **curve_style(self.ax_, line_keywords)}
        (self.line_,) = self.ax_.step(x, y, where="post", **style)
        self.ax_.set(xlabel="margin", ylabel="share of examples with at most this margin", ylim=(-0.02, 1.02))
        finish(self.ax_)
        return self
