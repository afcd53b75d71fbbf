"""Small training sets with missing values and categories, and every split of them: for tests of stumps and trees."""

import itertools

import numpy as np
from hypothesis import strategies as st


@st.composite
def mixed_sets(draw, most_rows=12):
    """Numbers with few distinct values, NaN among them, and columns that are categories."""
    n, m = draw(st.integers(2, most_rows)), draw(st.integers(1, 3))
    values = draw(st.sampled_from([st.sampled_from([0, 1, 2, 3, np.nan]), st.integers(0, 4)]))
    X = np.array(
        draw(st.lists(st.lists(values, min_size=m, max_size=m), min_size=n, max_size=n)), dtype=float
    )
    y = np.array([1, -1, *draw(st.lists(st.sampled_from([-1, 1]), min_size=n - 2, max_size=n - 2))])
    weights = draw(st.sampled_from([st.just(1.0), st.integers(1, 3), st.floats(1e-3, 1e3)]))
    weight = np.array(draw(st.lists(weights, min_size=n, max_size=n)), dtype=float)
    categorical = [j for j in range(m) if draw(st.booleans())]
    return X, y, weight, categorical


def every_split(X, categorical):
    """Every way to send the rows above or below: (feature, which rows are above), some more than once."""
    for j in range(X.shape[1]):
        column = X[:, j]
        missing = np.isnan(column)
        values = np.unique(column[~missing])
        if j in categorical:
            groups = [column == value for value in values] + ([missing] if missing.any() else [])
            for size in range(1, len(groups)):
                for chosen in itertools.combinations(groups, size):
                    yield j, np.logical_or.reduce(chosen)
            continue
        for lower, upper in itertools.pairwise(values):
            above = column > (lower + upper) / 2
            yield j, above
            yield j, above | missing
        if missing.any() and len(values):
            yield j, missing


def entropy(q):
    return 0.0 if q in (0.0, 1.0) else -(q * np.log(q) + (1 - q) * np.log(1 - q))


IMPURITIES = {
    "error": lambda q: min(q, 1 - q),
    "gini": lambda q: 4 * q * (1 - q),  # the scale of the gain in explained squared error
    "log_loss": entropy,
}


def gain(criterion, y, weight, above):
    """How much a split lowers the impurity of the rows, times their weight."""
    impurity = IMPURITIES[criterion]

    def cost(rows):
        mass = weight[rows].sum()
        return mass * impurity(weight[rows & (y > 0)].sum() / mass) if mass > 0 else 0.0

    everyone = np.ones(len(y), dtype=bool)
    return cost(everyone) - cost(above) - cost(~above)
