"""How many examples carry each machine of a kernel classifier."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np

from weaklearn.display._ensembles import name_of
from weaklearn.display._style import axes_for, curve_style, finish

__all__ = ["SupportCountDisplay"]

_UPRIGHT_LABELS = 15  # more machines than this have their names turned
_MOST_INSIDE = 2  # more curves than this leave no room for a legend among them
_WIDE_RANGE = 10.0  # a logarithmic axis from this ratio of the largest to the smallest count on


class SupportCountDisplay:
    """The number of support examples of each machine: of each class against the rest, or of each pair of classes.

    Parameters
    ----------
    counts : dict of str to array-like of shape (n_machines,) or (n_runs, n_machines)
        Names for the legend, and the counts; of several runs the mean is drawn, with bars of one standard deviation.
    machines : sequence, default=None
        Names of the machines; None numbers them.

    Attributes
    ----------
    lines_ : dict of str to matplotlib line
    ax_ : matplotlib axes
    figure_ : matplotlib figure

    References
    ----------
    - may2020, tables 2, 7, 11 and 15.

    Examples
    --------
    >>> from weaklearn.datasets import load
    >>> from weaklearn.display import SupportCountDisplay
    >>> from weaklearn.kernel import KernelPerceptronClassifier, KernelSVC
    >>> wine = load("wine")
    >>> models = {"SVM": KernelSVC(), "perceptron": KernelPerceptronClassifier("gaussian", random_state=0)}
    >>> display = SupportCountDisplay.from_estimator({name: m.fit(wine.X, wine.y) for name, m in models.items()})
    >>> sorted(display.lines_), list(display.machines)
    (['SVM', 'perceptron'], ['1', '2', '3'])
    """

    def __init__(self, counts, *, machines=None):
        self.counts = {
            name: np.atleast_2d(np.asarray(some, dtype=np.float64)) for name, some in counts.items()
        }
        sizes = {name: some.shape[1] for name, some in self.counts.items()}
        if len(set(sizes.values())) != 1:
            raise ValueError(f"All counts must be of the same machines; got {sizes} of them.")
        n_machines = next(iter(sizes.values()))
        self.machines = (
            [str(k) for k in range(n_machines)] if machines is None else [str(m) for m in machines]
        )
        if len(self.machines) != n_machines:
            raise ValueError(f"machines has {len(self.machines)} names for {n_machines} machines.")

    @classmethod
    def from_estimator(cls, model, *, name=None, ax=None, **line_keywords):
        """The counts of a fitted kernel classifier, or of several with the same machines.

        Parameters
        ----------
        model : fitted classifier or dict of str to fitted classifier
            With ``n_support_``, one count for each machine, and ``classes_``.
        name : str, default=None
            For the legend, of a single classifier; None means its class.
        ax : matplotlib axes, default=None
            None opens a new figure.
        **line_keywords
            For matplotlib's ``errorbar``.

        Returns
        -------
        SupportCountDisplay
        """
        models = model if isinstance(model, Mapping) else {name_of(model) if name is None else name: model}
        kinds = {tuple(_machine_names(some)) for some in models.values()}
        if len(kinds) > 1:
            raise ValueError("These classifiers have different machines: draw each on axes of its own.")
        (machines,) = kinds
        counts = {name: np.atleast_1d(some.n_support_) for name, some in models.items()}
        return cls(counts, machines=machines).plot(ax, **line_keywords)

    def plot(self, ax=None, **line_keywords):
        """Draw the counts.

        Parameters
        ----------
        ax : matplotlib axes, default=None
            None opens a new figure.
        **line_keywords
            For matplotlib's ``errorbar``.

        Returns
        -------
        self
        """
        n_machines = len(self.machines)
        self.ax_ = ax = axes_for(ax, figsize=(max(5.4, 0.2 * n_machines), 3.8))
        self.figure_ = ax.figure
        places = np.arange(n_machines)
        self.lines_ = {}
        for name, counts in self.counts.items():
            style = {"label": name, **curve_style(ax), "linewidth": 1.0, "marker": "o", "markersize": 4}
            del style["gid"]
            spread = counts.std(axis=0, ddof=1) if len(counts) > 1 else None
            bars = ax.errorbar(
                places, counts.mean(axis=0), yerr=spread, **{**style, "capsize": 2, **line_keywords}
            )
            self.lines_[name] = bars.lines[0]
            self.lines_[name].set_gid("curve")
        turned = {"rotation": 90, "fontsize": 8} if n_machines > _UPRIGHT_LABELS else {}
        ax.set_xticks(places, self.machines, **turned)
        ax.set(xlabel="machine", ylabel="support examples", xlim=(-0.5, n_machines - 0.5))
        means = np.concatenate([counts.mean(axis=0) for counts in self.counts.values()])
        if means.min() > 0 and means.max() >= _WIDE_RANGE * means.min():
            _logarithmic_counts(ax)
        else:
            ax.set_ylim(bottom=0)
        finish(ax)
        if len(ax.get_legend_handles_labels()[1]) > _MOST_INSIDE:
            ax.legend(
                fontsize=9, frameon=False, handlelength=2.8, loc="upper left", bbox_to_anchor=(1.0, 1.0)
            )
        return self


def _logarithmic_counts(ax):
    from matplotlib.ticker import LogLocator, NullLocator

    ax.set_yscale("log")
    ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.yaxis.set_minor_locator(NullLocator())
    ax.yaxis.set_major_formatter("{x:g}")


def _machine_names(model):
    classes = [str(label) for label in model.classes_]
    n_machines = len(np.atleast_1d(model.n_support_))
    pairs = [f"{a}-{b}" for a, b in combinations(classes, 2)]
    if getattr(model, "multi_class", "ovr") == "ovo" or n_machines == 1 == len(pairs):
        names = pairs
    else:
        names = classes
    if len(names) != n_machines:
        raise ValueError(
            f"n_support_ has {n_machines} counts for {len(classes)} classes: there must be one for each machine."
        )
    return names
