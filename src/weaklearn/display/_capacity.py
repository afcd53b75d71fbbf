"""Risk against capacity: structural risk minimisation as a plot."""

from typing import Any

import numpy as np

from weaklearn.display._style import axes_for, finish
from weaklearn.display.palette import COLOURS, GREY

__all__ = ["CapacityDisplay"]


class CapacityDisplay:
    """Training risk and estimated true risk against the parameter that controls capacity.

    Parameters
    ----------
    values : array-like of shape (n_values,)
        Of the parameter, in increasing capacity.
    risk : array-like of shape (n_values,)
        The estimate of the true risk that is minimised.
    training_risk : array-like of shape (n_values,), default=None
        The error on the training set, or the margin risk that a bound starts from.
    risk_error : array-like of shape (n_values,), default=None
        Standard errors of `risk`, drawn as a band.
    confidence_interval : array-like of shape (n_values,), default=None
        Drawn too where the risk is a bound.
    chosen : int, default=None
        The index of the chosen value; None means that of the least risk.
    parameter : str, default="p"
        The name of the parameter.
    risk_name, training_name : str, default="held-out risk" and "training risk"
        For the legend.

    Attributes
    ----------
    lines_ : dict of str to matplotlib line
        "risk", "training" and "interval", as far as given.
    chosen_ : matplotlib line
    ax_ : matplotlib axes
    figure_ : matplotlib figure

    References
    ----------
    - barnes1999, figures 2.9, 4.2 and 6.3.

    Examples
    --------
    >>> from weaklearn.display import CapacityDisplay
    >>> display = CapacityDisplay([0.5, 1, 1.5], risk=[0.3, 0.2, 0.25], training_risk=[0.2, 0.1, 0.0]).plot()
    >>> display.chosen_.get_xdata()
    array([1.])
    """

    def __init__(
        self,
        values,
        risk,
        *,
        training_risk=None,
        risk_error=None,
        confidence_interval=None,
        chosen=None,
        parameter="p",
        risk_name="held-out risk",
        training_name="training risk",
    ):
        self.values = np.asarray(values, dtype=np.float64)
        self.risk = np.asarray(risk, dtype=np.float64)
        self.training_risk = training_risk
        self.risk_error = risk_error
        self.confidence_interval = confidence_interval
        self.chosen = int(np.argmin(self.risk)) if chosen is None else chosen
        self.parameter = parameter
        self.risk_name = risk_name
        self.training_name = training_name

    @classmethod
    def from_estimator(cls, search, *, ax=None):
        """The risks behind a fitted search over capacity.

        Parameters
        ----------
        search : fitted CapacitySearchCV
            With ``values_``, ``risk_``, ``risk_error_``, ``training_risk_`` and ``best_index_``.
        ax : matplotlib axes, default=None
            None opens a new figure.

        Returns
        -------
        CapacityDisplay
        """
        by_bound = callable(search.criterion)
        return cls(
            search.values_,
            search.risk_,
            training_risk=search.training_risk_,
            risk_error=None if by_bound else search.risk_error_,
            chosen=search.best_index_,
            parameter=search.parameter,
            risk_name="bound on the risk" if by_bound else "held-out risk",
        ).plot(ax)

    def plot(self, ax=None):
        """Draw the risks and mark the choice.

        Parameters
        ----------
        ax : matplotlib axes, default=None
            None opens a new figure.

        Returns
        -------
        self
        """
        self.ax_ = axes_for(ax)
        self.figure_ = self.ax_.figure
        curves: dict[str, tuple[Any, str, dict[str, Any]]] = {
            "risk": (self.risk, self.risk_name, {"linestyle": "-", "linewidth": 2.2}),
            "training": (self.training_risk, self.training_name, {"linestyle": "--"}),
            "interval": (self.confidence_interval, "confidence interval", {"linestyle": ":"}),
        }
        self.lines_ = {}
        for colour, (key, (curve, label, style)) in zip(COLOURS, curves.items(), strict=False):
            if curve is not None:
                (self.lines_[key],) = self.ax_.plot(
                    self.values, curve, label=label, color=colour, marker="o", markersize=3.5, **style
                )
        if self.risk_error is not None:
            error = np.asarray(self.risk_error, dtype=np.float64)
            self.ax_.fill_between(
                self.values, self.risk - error, self.risk + error, color=COLOURS[0], alpha=0.15, linewidth=0
            )
        best = self.values[self.chosen]
        self.ax_.axvline(best, color=GREY, linewidth=0.9, linestyle="-.", zorder=0.5)
        (self.chosen_,) = self.ax_.plot(
            [best],
            [self.risk[self.chosen]],
            "o",
            markersize=11,
            markerfacecolor="none",
            markeredgecolor="black",
            label=f"chosen: {self.parameter} = {best:g}",
            linestyle="",
        )
        # Values that span orders of magnitude (rounds, penalties) get a logarithmic axis.
        if self.values.min() > 0 and self.values.max() > 30 * self.values.min():
            self.ax_.set_xscale("log")
        self.ax_.set(xlabel=self.parameter, ylabel="risk (share of errors)")
        self.ax_.set_ylim(bottom=0)
        finish(self.ax_)
        return self
