"""Draws docs/figures/readme.png, the picture of the README: ``python examples/readme_picture.py``."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from sklearn.linear_model import LogisticRegression

from weaklearn.adaptive import PosteriorMinEnt
from weaklearn.complexity import complexity_contribution
from weaklearn.datasets import flip_labels, make_yinyang
from weaklearn.display import palette
from weaklearn.linear import ZeroOneClassifier

TARGET = Path(__file__).parents[1] / "docs" / "figures" / "readme.png"


def scatter(ax, X, y, size=16):
    for label, colour, marker in zip((-1, 1), palette.CLASS_COLOURS, palette.CLASS_MARKERS, strict=True):
        ax.scatter(*X[y == label].T, s=size, color=colour, marker=marker, linewidths=0)
    ax.set(xticks=[], yticks=[])


def wrong_labels(ax):
    X, y = make_yinyang(200, random_state=3)
    labels, wrong = flip_labels(y, 0.05, random_state=3)
    ranking = complexity_contribution(X, labels, estimator="surprise", random_state=0).ranking
    top = ranking[: wrong.sum()]
    scatter(ax, X, labels)
    ax.scatter(*X[top].T, s=90, facecolors="none", edgecolors=palette.BLACK, linewidths=1)
    ax.set_title("Which labels look wrong?")
    hits = int(wrong[top].sum())
    ax.set_xlabel(f"{hits} of the {len(top)} circled labels\nwere flipped on purpose")
    ax.set_aspect("equal")


def threshold(ax):
    levels = np.arange(1, 9)
    rng = np.random.default_rng(1)
    sampler = PosteriorMinEnt(levels, random_state=0)
    low, high, middle = [], [], []
    for _ in range(24):
        level = sampler.ask()
        sampler.tell(level, rng.random() < 1 / (1 + np.exp(2 * (4.6 - level))))
        found = sampler.interval()
        low.append(found[0])
        high.append(found[1])
        middle.append(sampler.estimate())
    count = np.arange(1, 25)
    ax.fill_between(count, low, high, color=palette.TINTS[0], linewidth=0)
    ax.axhline(4.6, color=palette.GREY, linestyle="--", linewidth=1)
    ax.plot(count, middle, color=palette.BLUE)
    for outcome, marker, colour in ((False, "o", palette.BLUE), (True, "^", palette.VERMILLION)):
        asked = [(i, a.level) for i, a in enumerate(sampler.history, 1) if bool(a.outcome) is outcome]
        ax.scatter(*zip(*asked, strict=True), s=22, marker=marker, color=colour, zorder=3)
    ax.set_title("Where does yes become likely?")
    ax.set(xlabel="answers (circle: no, triangle: yes),\nestimate with 90% interval", ylabel="level")


def zero_one(ax):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2)) + np.repeat([[-1.6, 0], [1.6, 0]], 30, axis=0)
    X = np.vstack([X, rng.normal([7.5, 0], 0.5, (5, 2))])
    y = np.repeat([-1, 1, -1], [30, 30, 5])
    scatter(ax, X, y)
    heights = np.array([-3.2, 3.2])
    for model, colour, dash in (
        (ZeroOneClassifier(random_state=0), palette.BLACK, "-"),
        (LogisticRegression(), palette.GREY, "--"),
    ):
        model.fit(X, y)
        (a, b), c = np.ravel(model.coef_), float(np.ravel(model.intercept_)[0])
        errors = int((model.predict(X) != y).sum())
        name = "0/1 loss" if colour is palette.BLACK else "logistic"
        ax.plot(
            -(b * heights + c) / a, heights, color=colour, linestyle=dash, label=f"{name}: {errors} errors"
        )
    ax.set(xlim=(-4.6, 9.2), ylim=(-3.2, 3.2))
    ax.set_title("What do far wrong labels cost?")
    ax.legend(
        loc="upper center",
        bbox_to_anchor=(0.5, -0.02),
        ncols=2,
        frameon=False,
        columnspacing=1,
        handlelength=1.5,
    )


def main():
    figure = Figure(figsize=(10, 3.3), layout="constrained")
    for ax, draw in zip(figure.subplots(1, 3), (wrong_labels, threshold, zero_one), strict=True):
        draw(ax)
        ax.title.set_fontsize(11)
    figure.savefig(TARGET, dpi=160)


if __name__ == "__main__":
    main()
