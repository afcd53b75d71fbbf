"""The matrix of an output code."""

import numpy as np

from weaklearn._docstrings import documented
from weaklearn.display._style import Display, finish
from weaklearn.display.palette import CLASS_COLOURS


@documented
class CodeMatrixDisplay(Display):
    """A code matrix, one row per class and one column per round; white where a column leaves a class out.

    Parameters
    ----------
    code_matrix : array-like of shape (n_classes, n_columns)
        Entries -1, 0 and +1.
    classes : sequence, default=None
        Names of the rows; None numbers them.
    first : int, default=0
        The number of rounds before the first column.

    Attributes
    ----------
    image_ : matplotlib image

    Examples
    --------
    >>> from weaklearn.datasets import load
    >>> from weaklearn.display import CodeMatrixDisplay
    >>> from weaklearn.multiclass import AdaBoostERPClassifier
    >>> wine = load("wine")
    >>> model = AdaBoostERPClassifier(n_estimators=30).fit(wine.X, wine.y)
    >>> CodeMatrixDisplay.from_estimator(model, last=20).code_matrix.shape
    (3, 20)
    """

    def __init__(self, code_matrix, *, classes=None, first=0):
        self.code_matrix = np.asarray(code_matrix)
        self.classes = np.arange(len(self.code_matrix)) if classes is None else np.asarray(classes)
        self.first = first

    @classmethod
    @documented
    def from_estimator(cls, model, *, first=0, last=None, ax=None):
        """The code of a classifier that has a ``code_matrix_``.

        Parameters
        ----------
        model : fitted classifier
        first, last : int, default=0 and None
            Show the columns from ``first`` to before ``last``.
        """
        return cls(model.code_matrix_[:, first:last], classes=model.classes_, first=first).plot(ax)

    def _draw(self, ax):
        from matplotlib.colors import ListedColormap

        n_classes, n_columns = self.code_matrix.shape
        colours = ListedColormap([CLASS_COLOURS[0], "white", CLASS_COLOURS[1]])
        extent = (self.first + 0.5, self.first + n_columns + 0.5, n_classes - 0.5, -0.5)
        style = {"vmin": -1, "vmax": 1, "aspect": "auto", "interpolation": "nearest"}
        self.image_ = ax.imshow(self.code_matrix, cmap=colours, extent=extent, **style)
        ax.set_yticks(range(n_classes), [str(name) for name in self.classes])
        ax.set(xlabel="round", ylabel="class")
        finish(ax, legend=False, grid=False)
