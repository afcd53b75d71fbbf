"""Examples as images: those that are wrong most often, or with the smallest margins.

Conventions: the margin of an example is the score of its class minus the largest score of another class; with two
classes it is the score, with the sign that is right. Of examples that are equally hard the first come first.
"""

import math
from collections import Counter

import numpy as np

from weaklearn.display._style import axes_for

__all__ = ["HardestExamplesDisplay"]

_TITLE_SHARE = 0.3  # of the height, for three lines above an image
_TALLEST = 1.3  # an image, in inches


class HardestExamplesDisplay:
    """The examples that a classifier finds hardest, as images with what they are and what they are taken for.

    Parameters
    ----------
    images : array-like of shape (n_images, height, width)
        The hardest first.
    titles : sequence of str
        One for each image.
    indices : array-like of shape (n_images,), default=None
        The numbers of the examples among those given; None numbers the images.

    Attributes
    ----------
    images_ : list of matplotlib images
    axes_ : list of matplotlib axes
        One for each image, inside `ax_`.
    ax_ : matplotlib axes
    figure_ : matplotlib figure

    References
    ----------
    - may2020, figure 6.

    Examples
    --------
    Five answers to each of three images of four pixels:

    >>> from weaklearn.display import HardestExamplesDisplay
    >>> X = [[0, 1, 0, 1], [1, 1, 0, 0], [1, 0, 0, 1]]
    >>> runs = [["a", "b", "c"], ["a", "a", "c"], ["a", "c", "c"], ["b", "b", "c"], ["a", "c", "c"]]
    >>> display = HardestExamplesDisplay.from_predictions(X, ["a", "b", "c"], runs)
    >>> display.indices
    array([1, 0])
    >>> print(display.titles[0])
    labelled b
    wrong in 3 of 5
    taken for c or a
    """

    def __init__(self, images, titles, *, indices=None):
        self.images = np.asarray(images, dtype=np.float64)
        self.titles = list(titles)
        self.indices = np.arange(len(self.images)) if indices is None else np.asarray(indices)

    @classmethod
    def from_predictions(cls, X, y_true, y_pred, *, n_examples=5, image_shape=None, ax=None):
        """The examples that are wrong most often.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Pixels, row by row.
        y_true : array-like of shape (n_samples,)
        y_pred : array-like of shape (n_samples,) or (n_runs, n_samples)
            The answers of one classifier or of several.
        n_examples : int, default=5
            How many to show; fewer if fewer are wrong.
        image_shape : tuple of two int, default=None
            Height and width; None means a square.
        ax : matplotlib axes, default=None
            None opens a new figure.

        Returns
        -------
        HardestExamplesDisplay
        """
        y_true, y_pred = np.asarray(y_true), np.atleast_2d(np.asarray(y_pred))
        if y_pred.shape[1:] != y_true.shape:
            raise ValueError(f"y_pred must have {len(y_true)} answers in each run; got shape {y_pred.shape}.")
        counts = np.count_nonzero(y_pred != y_true, axis=0)
        order = np.argsort(-counts, kind="stable")[:n_examples]
        hardest = order[counts[order] > 0]
        if len(hardest) == 0:
            raise ValueError("No example is wrong: there is nothing to show.")
        titles = []
        for k in hardest:
            answers = Counter(answer for answer in y_pred[:, k].tolist() if answer != y_true[k])
            often = f"wrong in {counts[k]} of {len(y_pred)}\n" if len(y_pred) > 1 else ""
            taken = " or ".join(str(answer) for answer, _ in answers.most_common(2))
            titles.append(f"labelled {y_true[k]}\n{often}taken for {taken}")
        return cls(_as_images(X, hardest, image_shape), titles, indices=hardest).plot(ax)

    @classmethod
    def from_estimator(cls, model, X, y, *, n_examples=5, image_shape=None, ax=None):
        """The examples with the smallest margins, wrong ones first.

        Parameters
        ----------
        model : fitted classifier
            With ``decision_function``, one column for each class or one for two classes, or ``predict_proba``.
        X : array-like of shape (n_samples, n_features)
            Pixels, row by row.
        y : array-like of shape (n_samples,)
        n_examples : int, default=5
        image_shape : tuple of two int, default=None
            Height and width; None means a square.
        ax : matplotlib axes, default=None
            None opens a new figure.

        Returns
        -------
        HardestExamplesDisplay
        """
        y = np.asarray(y)
        margins = _margins(model, X, y)
        hardest = np.argsort(margins, kind="stable")[:n_examples]
        answers = np.asarray(model.predict(X))
        titles = []
        for k in hardest:
            taken = "" if answers[k] == y[k] else f"taken for {answers[k]}\n"
            titles.append(f"labelled {y[k]}\n{taken}margin {margins[k]:.2g}")
        return cls(_as_images(X, hardest, image_shape), titles, indices=hardest).plot(ax)

    def plot(self, ax=None, *, cmap="gray"):
        """Draw the images in rows of five.

        Parameters
        ----------
        ax : matplotlib axes, default=None
            None opens a new figure.
        cmap : str or matplotlib colormap, default="gray"

        Returns
        -------
        self
        """
        n_columns = min(5, len(self.images))
        n_rows = math.ceil(len(self.images) / n_columns)
        height = _TALLEST / (1 - _TITLE_SHARE)
        self.ax_ = ax = axes_for(ax, figsize=(1.5 * n_columns + 0.2, height * n_rows + 0.1))
        self.figure_ = ax.figure
        self.axes_, self.images_ = draw_images(ax, self.images, self.titles, n_columns=n_columns, cmap=cmap)
        return self


def draw_images(ax, images, titles, *, n_columns=5, cmap="gray", title_share=_TITLE_SHARE):
    """A grid of images inside the axes, each with its title; returns their axes and the images."""
    ax.set_axis_off()
    n_rows = math.ceil(len(images) / n_columns)
    axes, drawn = [], []
    for k, (image, title) in enumerate(zip(images, titles, strict=True)):
        row, column = divmod(k, n_columns)
        width, height = 1 / n_columns, 1 / n_rows
        place = (
            (column + 0.05) * width,
            1 - (row + 1) * height,
            0.9 * width,
            (1 - title_share) * height,
        )
        inset = ax.inset_axes(place)
        drawn.append(inset.imshow(image, cmap=cmap, interpolation="nearest"))
        inset.set_title(title, fontsize=8)
        inset.set_axis_off()
        axes.append(inset)
    return axes, drawn


def _as_images(X, chosen, image_shape):
    """Rows of X as images."""
    X = np.asarray(X, dtype=np.float64)
    n_features = X.shape[1]
    if image_shape is None:
        side = math.isqrt(n_features)
        image_shape = (side, side)
        if side * side != n_features:
            raise ValueError(
                f"X has {n_features} features, which is no square: give image_shape=(height, width)."
            )
    elif math.prod(image_shape) != n_features:
        raise ValueError(
            f"image_shape={tuple(image_shape)} needs {math.prod(image_shape)} features; X has {n_features}."
        )
    return X[chosen].reshape(len(chosen), *image_shape)


def _margins(model, X, y):
    classes = np.asarray(model.classes_)
    if not np.isin(y, classes).all():
        raise ValueError(f"y holds labels other than {classes.tolist()}.")
    if hasattr(model, "decision_function"):
        scores = np.asarray(model.decision_function(X), dtype=np.float64)
    else:
        scores = np.asarray(model.predict_proba(X), dtype=np.float64)
    if scores.ndim == 1:
        return np.where(y == classes[1], scores, -scores)
    if scores.shape[1] != len(classes):
        raise ValueError(
            f"Margins need one score for each of {len(classes)} classes; got {scores.shape[1]} columns."
        )
    rows, own = np.arange(len(y)), np.searchsorted(classes, y)
    right = scores[rows, own]
    others = scores.copy()
    others[rows, own] = -np.inf
    return right - others.max(axis=1)
