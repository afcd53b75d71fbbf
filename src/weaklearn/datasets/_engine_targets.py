"""Families of random target functions: each gives every input a score, and complexity means finer structure.

A family is a pair of functions. ``draw(rng, n_features, complexity)`` gives the parameters of one target as a
mapping of names to arrays, and ``score(parameters, X)`` evaluates it.

Conventions: inputs are uniform in the cube [-1, 1]^n_features, and a target says +1 where its score is above its
threshold. Adding units alone does not make a sum of random units more complex (it approaches a Gaussian process
whose roughness does not depend on their number), so every family refines its length scale together with its size.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np


class Family(NamedTuple):
    """How the targets of a family are drawn and evaluated."""

    draw: Callable
    score: Callable


def _count(base, complexity):
    return max(2, round(base * complexity))


def _draw_network(rng, n_features, complexity):
    hidden = _count(3, complexity)
    directions = rng.standard_normal((hidden, n_features))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    # The projections of uniform inputs have variance 1/3 in every direction: with such offsets each unit changes
    # its sign somewhere in the bulk of them, whatever the dimension.
    offsets = rng.uniform(-1.0, 1.0, hidden)
    return {
        "directions": directions,
        "offsets": offsets,
        "gain": np.array(3.0 * complexity),
        "weights": _signs(rng, hidden),
    }


def _score_network(p, X):
    return np.tanh(p["gain"] * (X @ p["directions"].T + p["offsets"])) @ p["weights"]


def _signs(rng, n):
    """As many +1 as -1 (up to one), in random order, times sizes around 1."""
    return rng.permutation(np.where(np.arange(n) % 2 == 0, 1.0, -1.0)) * rng.uniform(0.5, 1.5, n)


def _squared_distances(X, centres):
    return np.maximum((X**2).sum(axis=1)[:, None] - 2 * X @ centres.T + (centres**2).sum(axis=1), 0.0)


def _mean_squared_gap(n_features):
    # Of two independent uniform points of the cube: n_features * 2/3.
    return 2 * n_features / 3


def _draw_machine(rng, n_features, complexity):
    n_vectors = _count(5, complexity)
    return {
        "vectors": rng.uniform(-1.0, 1.0, (n_vectors, n_features)),
        "coefficients": _signs(rng, n_vectors),
        "gamma": np.array(3.0 * complexity / _mean_squared_gap(n_features)),
    }


def _score_machine(p, X):
    return np.exp(-p["gamma"] * _squared_distances(X, p["vectors"])) @ p["coefficients"]


def _draw_rbf(rng, n_features, complexity):
    n_centres = _count(4, complexity)
    widths = rng.uniform(0.5, 2.0, n_centres)
    return {
        "centres": rng.uniform(-1.0, 1.0, (n_centres, n_features)),
        "weights": _signs(rng, n_centres),
        "gammas": 3.0 * complexity * widths / _mean_squared_gap(n_features),
    }


def _score_rbf(p, X):
    # Normalised: the centre with the largest activity decides far from all of them, so no region is flat.
    exponents = -p["gammas"] * _squared_distances(X, p["centres"])
    activity = np.exp(exponents - exponents.max(axis=1, keepdims=True))
    return activity @ p["weights"] / activity.sum(axis=1)


def _draw_tree(rng, n_features, complexity):
    """The largest cell is cut next, at a random place of a random feature; its parts get opposite values."""
    n_leaves = _count(4, complexity) + 1
    tree: dict[str, list] = {"feature": [-1], "threshold": [0.0], "left": [-1], "right": [-1], "value": [0.0]}
    low, high = [np.full(n_features, -1.0)], [np.full(n_features, 1.0)]
    volumes, node_of_leaf = [1.0], [0]
    while len(node_of_leaf) < n_leaves:
        k = int(np.argmax(volumes))
        j = int(rng.randint(n_features))
        share = rng.uniform(0.35, 0.65)
        cut = low[k][j] + share * (high[k][j] - low[k][j])
        node = node_of_leaf[k]
        first = len(tree["feature"])
        side = 1.0 if rng.uniform() < 0.5 else -1.0
        for value in (side, -side):
            tree["feature"].append(-1)
            tree["threshold"].append(0.0)
            tree["left"].append(-1)
            tree["right"].append(-1)
            tree["value"].append(value + rng.uniform(-0.3, 0.3))
        tree["feature"][node], tree["threshold"][node] = j, cut
        tree["left"][node], tree["right"][node] = first, first + 1
        low.append(low[k].copy())
        high.append(high[k].copy())
        low[-1][j], high[k][j] = cut, cut
        volumes.append(volumes[k] * (1 - share))
        volumes[k] *= share
        node_of_leaf[k] = first
        node_of_leaf.append(first + 1)
    arrays = {name: np.array(values) for name, values in tree.items()}
    return {**arrays, "ramp": np.array(int(rng.randint(n_features)))}


def _score_tree(p, X):
    node = np.zeros(len(X), dtype=np.int64)
    while True:
        feature = p["feature"][node]
        inner = np.flatnonzero(feature >= 0)
        if len(inner) == 0:
            break
        goes_left = X[inner, feature[inner]] <= p["threshold"][node[inner]]
        node[inner] = np.where(goes_left, p["left"][node[inner]], p["right"][node[inner]])
    # The small slope along one feature lets a threshold on the score cut one leaf in two, so that every class
    # balance is possible and the target stays a tree.
    return p["value"][node] + 1e-6 * X[:, p["ramp"]]


def _draw_polynomial(rng, n_features, complexity):
    """Products of Legendre polynomials, which are orthogonal on the cube, up to the degree 1 + complexity."""
    degree = 1 + max(1, round(complexity))
    n_terms = 4 + degree
    powers = np.zeros((n_terms, n_features), dtype=np.int64)
    for term in range(n_terms):
        # Half of the terms have the full degree: it sets the scale of the boundary.
        total = degree if term % 2 == 0 else 1 + int(rng.randint(degree))
        # At most three features take part, or products of many numbers below 1 would all vanish.
        features = rng.permutation(n_features)[: min(3, n_features, total)]
        np.add.at(powers[term], features, 1)
        np.add.at(powers[term], features[rng.randint(len(features), size=total - len(features))], 1)
    return {"powers": powers, "weights": _signs(rng, n_terms)}


def _score_polynomial(p, X):
    degree = int(p["powers"].max())
    legendre = [np.ones_like(X), X]
    for k in range(1, degree):
        legendre.append(((2 * k + 1) * X * legendre[k] - k * legendre[k - 1]) / (k + 1))
    score = np.zeros(len(X))
    for powers, weight in zip(p["powers"], p["weights"], strict=True):
        term = np.full(len(X), weight * np.sqrt(np.prod(2 * powers + 1.0)))
        for j in np.flatnonzero(powers):
            term = term * legendre[powers[j]][:, j]
        score += term
    return score


def _draw_prototypes(rng, n_features, complexity):
    n_prototypes = _count(5, complexity)
    classes = rng.permutation(np.where(np.arange(n_prototypes) % 2 == 0, 1, -1))
    return {"prototypes": rng.uniform(-1.0, 1.0, (n_prototypes, n_features)), "classes": classes}


def _score_prototypes(p, X):
    distances = np.sqrt(_squared_distances(X, p["prototypes"]))
    positive = p["classes"] > 0
    return distances[:, ~positive].min(axis=1) - distances[:, positive].min(axis=1)


FAMILIES = {
    "network": Family(_draw_network, _score_network),
    "svm": Family(_draw_machine, _score_machine),
    "rbf": Family(_draw_rbf, _score_rbf),
    "tree": Family(_draw_tree, _score_tree),
    "polynomial": Family(_draw_polynomial, _score_polynomial),
    "prototypes": Family(_draw_prototypes, _score_prototypes),
}
