"""What all plots share: where they are drawn, how curves are distinguished, and the frame around them."""

from itertools import product

from weaklearn.display.palette import COLOURS, DASHES

# The p-th curve gets the p-th of these: neighbours differ in colour and in dash.
_STYLES = [
    {"color": colour, "linestyle": DASHES[(shift + k) % len(DASHES)]}
    for shift, (k, colour) in product(range(len(DASHES)), enumerate(COLOURS))
]


class Display:
    """Base class of displays: they hold the data that they show, and ``_draw`` them on one axes.

    Parameters
    ----------
    name : str, default=None
        For the legend.

    Attributes
    ----------
    ax_ : matplotlib axes
    figure_ : matplotlib figure
    """

    _size = (5.4, 3.8)  # inches, of a new figure

    def plot(self, ax=None, **keywords):
        """Draw on one axes, which is kept as ``ax_``.

        Parameters
        ----------
        ax : matplotlib axes, default=None
            None opens a new figure.
        **keywords
            For the curve of displays that draw one: arguments of matplotlib's ``plot``.

        Returns
        -------
        self
        """
        if ax is None:
            # Not at the top: importing the package opens no backend.
            import matplotlib.pyplot as plt

            _, ax = plt.subplots(figsize=self._size, layout="constrained")
        self.ax_, self.figure_ = ax, ax.figure
        self._draw(ax, **keywords)
        return self

    def _draw(self, ax):
        raise NotImplementedError


def curve_style(ax, keywords=None):
    """Keyword arguments of the next curve on these axes; those given by the user win."""
    drawn = sum(line.get_gid() == "curve" for line in ax.get_lines())
    return {"linewidth": 1.6, **_STYLES[drawn % len(_STYLES)], **(keywords or {}), "gid": "curve"}


def finish(ax, *, legend=True, grid=True):
    """Light grid, no box, and a legend if any artist has a label."""
    if grid:
        ax.grid(visible=True, alpha=0.25)
        ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    if legend and ax.get_legend_handles_labels()[1]:
        ax.legend(fontsize=9, frameon=False, handlelength=2.8)


def new_panel(title="", *, xlabel="", ylabel="", size=(5.4, 4.2), grid=True):
    """Make a figure with one set of axes for a page; pyplot, which would keep it alive, is not involved.

    Parameters
    ----------
    title, xlabel, ylabel : str
    size : (float, float), default=(5.4, 4.2)
        Width and height in inches.
    grid : bool, default=True
        Draw a light grid behind everything.

    Returns
    -------
    figure : matplotlib.figure.Figure
    axes : matplotlib.axes.Axes

    Examples
    --------
    >>> from weaklearn.display import new_panel
    >>> figure, axes = new_panel("Error", xlabel="rounds")
    >>> axes.get_xlabel()
    'rounds'
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(title, fontsize=11)
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    finish(axes, legend=False, grid=grid)
    return figure, axes


def legend_below(figure, columns=3):
    """Put the legend of a panel below its axes, where it hides no data."""
    if any(axes.get_legend_handles_labels()[1] for axes in figure.axes):
        figure.legend(loc="outside lower center", ncols=columns, fontsize=8, frameon=False, handlelength=3)
