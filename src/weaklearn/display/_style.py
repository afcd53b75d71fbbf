"""What all displays share: where they draw, and the colours that tell curves and classes apart."""

from itertools import product

# Colours that stay apart for colour-blind readers (Okabe and Ito), the darkest first; dashes tell curves apart
# without any colour.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
DASHES = ("-", "--", "-.", ":")
CLASS_COLOURS = ("#0072b2", "#d55e00")  # of classes_[0] and classes_[1]
CLASS_MARKERS = ("o", "^")
GREY = "#666666"

# The p-th curve gets the p-th of these: neighbours differ in colour and in dash.
_STYLES = [
    {"color": colour, "linestyle": DASHES[(shift + k) % len(DASHES)]}
    for shift, (k, colour) in product(range(len(DASHES)), enumerate(COLOURS))
]


def axes_for(ax, figsize=(5.4, 3.8)):
    """The axes to draw on: the given ones, or those of a new figure.

    Pyplot is imported here and not before, so that importing the package opens no backend.
    """
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    _, ax = plt.subplots(figsize=figsize, layout="constrained")
    return ax


def curve_style(ax, keywords=None):
    """Keyword arguments of the next curve on these axes; those that the user gave win."""
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
