"""Output codes: the matrix, how far its code words grow apart, partitions in the plane."""

import numpy as np

from weaklearn.display._style import axes_for, curve_style, finish
from weaklearn.display.palette import CLASS_COLOURS, GREY

__all__ = ["CodeDistanceDisplay", "CodeMatrixDisplay", "PartitionDisplay"]


class CodeMatrixDisplay:
    """A code matrix, one row per class and one column per round; white where a column leaves a class out.

    Parameters
    ----------
    code_matrix : array-like of shape (n_classes, n_columns)
        Entries -1, 0 and +1.
    classes : sequence, default=None
        Names of the rows; None numbers them.

    Attributes
    ----------
    image_ : matplotlib image
    ax_ : matplotlib axes
    figure_ : matplotlib figure

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

    def __init__(self, code_matrix, *, classes=None):
        self.code_matrix = np.asarray(code_matrix)
        self.classes = np.arange(len(self.code_matrix)) if classes is None else np.asarray(classes)

    @classmethod
    def from_estimator(cls, model, *, first=0, last=None, ax=None):
        """The code of a classifier that has a ``code_matrix_``.

        Parameters
        ----------
        model : fitted classifier
        first, last : int, default=0 and None
            Show the columns from ``first`` to before ``last``.
        ax : matplotlib axes, default=None
            None opens a new figure.

        Returns
        -------
        CodeMatrixDisplay
        """
        return cls(model.code_matrix_[:, first:last], classes=model.classes_).plot(ax, first=first)

    def plot(self, ax=None, *, first=0):
        """Draw; ``first`` is the number of rounds before the first column."""
        from matplotlib.colors import ListedColormap

        self.ax_ = ax = axes_for(ax)
        self.figure_ = ax.figure
        n_classes, n_columns = self.code_matrix.shape
        colours = ListedColormap([CLASS_COLOURS[0], "white", CLASS_COLOURS[1]])
        extent = (first + 0.5, first + n_columns + 0.5, n_classes - 0.5, -0.5)
        self.image_ = ax.imshow(
            self.code_matrix,
            cmap=colours,
            vmin=-1,
            vmax=1,
            aspect="auto",
            interpolation="nearest",
            extent=extent,
        )
        ax.set_yticks(range(n_classes), [str(name) for name in self.classes])
        ax.set(xlabel="round", ylabel="class")
        finish(ax, legend=False, grid=False)
        return self


class CodeDistanceDisplay:
    """How far apart the code words are after each round: weighted Hamming distances of all pairs of classes.

    The distance of two classes is the share of the coefficients so far whose columns put them on opposite
    sides: the smallest one says which pair the code tells apart least.

    Parameters
    ----------
    distances : array-like of shape (n_rounds, n_pairs)
    name : str, default=None
        For the legend.

    Attributes
    ----------
    lines_ : list of matplotlib lines
        Of the smallest, the mean and the largest distance.
    ax_ : matplotlib axes
    figure_ : matplotlib figure

    Examples
    --------
    >>> from weaklearn.display import CodeDistanceDisplay
    >>> code = [[-1, -1], [1, -1], [1, 1]]
    >>> CodeDistanceDisplay.from_code(code, [1.0, 3.0]).distances
    array([[1.  , 1.  , 0.  ],
           [0.25, 1.  , 0.75]])
    """

    def __init__(self, distances, *, name=None):
        self.distances = np.asarray(distances, dtype=np.float64)
        self.name = name

    @classmethod
    def from_code(cls, code_matrix, weights, *, name=None, ax=None):
        """Distances from a code matrix and the coefficients of its columns."""
        code = np.asarray(code_matrix, dtype=np.float64)
        weights = np.asarray(weights, dtype=np.float64)
        first, second = np.triu_indices(len(code), 1)
        opposite = (code[first] * code[second] < 0).T * weights[:, None]
        return cls(np.cumsum(opposite, axis=0) / np.cumsum(weights)[:, None], name=name).plot(ax)

    @classmethod
    def from_estimator(cls, model, *, name=None, ax=None):
        """Distances of a classifier that has a ``code_matrix_`` and one coefficient per column.

        Parameters
        ----------
        model : fitted classifier
        name : str, default=None
            For the legend.
        ax : matplotlib axes, default=None
            None opens a new figure.

        Returns
        -------
        CodeDistanceDisplay
        """
        weights = np.asarray(model.estimator_weights_)
        if weights.ndim != 1:
            raise ValueError("The columns have two coefficients each: distances are for symmetric ensembles.")
        return cls.from_code(model.code_matrix_, weights, name=name, ax=ax)

    def plot(self, ax=None):
        """Draw the smallest, the mean and the largest distance against rounds."""
        self.ax_ = ax = axes_for(ax)
        self.figure_ = ax.figure
        rounds = np.arange(1, len(self.distances) + 1)
        suffix = "" if self.name is None else f" ({self.name})"
        curves = {
            "smallest": self.distances.min(axis=1),
            "mean": self.distances.mean(axis=1),
            "largest": self.distances.max(axis=1),
        }
        self.lines_ = [
            ax.plot(rounds, values, label=label + suffix, **curve_style(ax))[0]
            for label, values in curves.items()
        ]
        ax.set(xlabel="rounds", ylabel="distance between code words", ylim=(-0.02, 1.02))
        finish(ax)
        return self


class PartitionDisplay:
    """A partition of classes in the plane: the classes of one side in one colour, those of the other in another.

    Parameters
    ----------
    regions : sequence of array-like of shape (n_points, 2)
        For each class the corners of its region or, with ``outline=False``, its examples.
    partition : array-like of shape (n_classes,)
        -1, 0 or +1 for each class.
    labels : sequence, default=None
        Names of the classes; None numbers them.
    outline : bool, default=True

    Attributes
    ----------
    artists_ : list
        One polygon, or one collection of points, for each class.
    ax_ : matplotlib axes
    figure_ : matplotlib figure

    References
    ----------
    li2006, figure 4.3.

    Examples
    --------
    >>> from weaklearn.display import PartitionDisplay
    >>> triangles = [[(0, 0), (1, 0), (0, 1)], [(1, 1), (1, 0), (0, 1)]]
    >>> len(PartitionDisplay(triangles, [-1, 1]).plot().artists_)
    2
    """

    def __init__(self, regions, partition, *, labels=None, outline=True):
        self.regions = [np.asarray(region, dtype=np.float64) for region in regions]
        self.partition = np.asarray(partition)
        self.labels = list(range(len(self.regions))) if labels is None else list(labels)
        self.outline = outline

    @classmethod
    def from_estimator(cls, model, X, y, *, round=0, ax=None):
        """The partition of one round of a classifier with a ``code_matrix_``, on examples in the plane.

        Parameters
        ----------
        model : fitted classifier
        X : array-like of shape (n_samples, 2)
        y : array-like of shape (n_samples,)
        round : int, default=0
            The column of the code.
        ax : matplotlib axes, default=None
            None opens a new figure.

        Returns
        -------
        PartitionDisplay
        """
        X, y = np.asarray(X), np.asarray(y)
        if X.ndim != 2 or X.shape[1] != 2:
            raise ValueError(
                f"Partitions are drawn in the plane: X must have two columns, got shape {X.shape}."
            )
        regions = [X[y == label] for label in model.classes_]
        return cls(regions, model.code_matrix_[:, round], labels=model.classes_, outline=False).plot(ax)

    def plot(self, ax=None):
        """Draw every class in the colour of its side, with its name in the middle."""
        self.ax_ = ax = axes_for(ax, figsize=(3.6, 3.6))
        self.figure_ = ax.figure
        colours = {-1: CLASS_COLOURS[0], 0: "white", 1: CLASS_COLOURS[1]}
        self.artists_ = []
        for region, side, label in zip(self.regions, self.partition, self.labels, strict=True):
            colour = colours[int(side)]
            if self.outline:
                self.artists_ += ax.fill(*region.T, facecolor=colour, edgecolor="white", alpha=0.8)
            else:
                self.artists_.append(ax.scatter(*region.T, s=12, color=colour, edgecolor=GREY, linewidth=0.3))
            if len(region):
                ax.annotate(str(label), region.mean(axis=0), ha="center", va="center", fontsize=10)
        ax.set_aspect("equal")
        ax.set_axis_off()
        return self
