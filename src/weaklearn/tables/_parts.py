"""What the encoder learns about one column, by treatment: each part turns the values of a column into a few columns."""

from collections import Counter

import numpy as np
from sklearn.preprocessing import OneHotEncoder

from weaklearn.tables._parse import season_angle

# The frequencies of a category are mixed with those of all rows, which count as this many further rows.
_PRIOR_ROWS = 5.0


class _Scale:
    """Centre and spread of known values."""

    def __init__(self, known: np.ndarray, method: str | None):
        self.centre, self.spread = 0.0, 1.0
        if method is None:
            return
        if len(known) == 0:
            self.spread = np.inf
            return
        largest = float(np.abs(known).max())
        # Squares of smaller numbers vanish. A power of two changes no digits.
        shrink = int(np.frexp(largest)[1]) if 0 < largest < 1e-100 else 0
        known = np.ldexp(known, -shrink)
        with np.errstate(over="ignore", invalid="ignore"):
            self.centre, self.spread = float(known.mean()), float(known.std())
            if method == "robust":
                self.centre = float(np.median(known))
                low, high = np.percentile(known, [25, 75])
                self.spread = float(high - low) / 1.349 or self.spread
        if not (np.isfinite(self.spread) and np.isfinite(self.centre)):  # numbers near the largest there are
            self.centre, self.spread = 0.0, float(np.abs(known).max())
        # A column whose spread is rounding noise is constant.
        if not self.spread > 1e-12 * abs(self.centre):
            self.spread = np.inf
        self.centre, self.spread = float(np.ldexp(self.centre, shrink)), float(np.ldexp(self.spread, shrink))

    def __call__(self, values: np.ndarray) -> np.ndarray:
        largest = np.finfo(np.float64).max
        with np.errstate(over="ignore"):
            return np.clip((values - self.centre) / self.spread, -largest, largest)


class Scaled:
    """Numbers: missing ones become the median, with an indicator if there were any."""

    def __init__(self, values, method):
        missing = np.isnan(values)
        known = values[~missing]
        self.indicator = bool(missing.any())
        self.median = float(np.median(known)) if len(known) else 0.0
        self.scale = _Scale(known, method)

    def names(self, name):
        """Of the columns that `encode` makes."""
        return [name, f"{name} missing"] if self.indicator else [name]

    def encode(self, values):
        """Columns of numbers."""
        missing = np.isnan(values)
        scaled = self.scale(np.where(missing, self.median, values))
        return np.column_stack([scaled, missing]) if self.indicator else scaled[:, None]


class DateParts:
    """Dates: a number, and the place in the year as a point on a circle."""

    def __init__(self, values, method):
        self.day = Scaled(values, method)

    def names(self, name):
        """Of the columns that `encode` makes."""
        day, *indicator = self.day.names(name)
        return [day, *indicator, f"{name} season sin", f"{name} season cos"]

    def encode(self, values):
        """Columns of numbers."""
        angle = season_angle(values)
        season = np.column_stack([np.sin(angle), np.cos(angle)])
        return np.column_stack([self.day.encode(values), np.nan_to_num(season, nan=0.0)])


class Presence:
    """Whether there is a value at all."""

    def names(self, name):
        """Of the columns that `encode` makes."""
        return [f"{name} present"]

    def encode(self, values):
        """Columns of numbers."""
        return values[:, None]


class OneHot:
    """Categories: one column each, the most frequent ones if there are too many; missing is one of them."""

    def __init__(self, values, most):
        counts = Counter(values.tolist())
        kept = sorted((v for v in counts if v is not None), key=lambda v: (-counts[v], v))[:most]
        self.categories = sorted(kept) + ([None] if None in counts else [])
        # A category that was not seen has 0 in all columns.
        self._encoder = OneHotEncoder(
            categories=[np.array(self.categories, dtype=object)], handle_unknown="ignore", sparse_output=False
        ).fit(values[:, None])

    def names(self, name):
        """Of the columns that `encode` makes."""
        return [f"{name} missing" if value is None else f"{name}={value}" for value in self.categories]

    def encode(self, values):
        """Columns of numbers."""
        return self._encoder.transform(values[:, None])


class TargetEncoded:
    """Many categories: the class frequencies among rows of the same category.

    Training rows get the frequencies of *other* rows (out of fold) from `crossed`, so that their own labels do not leak
    into them.
    """

    def __init__(self, values):
        known = dict.fromkeys(value for value in values if value is not None)
        self._places = {value: k for k, value in enumerate(known)}
        self.indicator = any(value is None for value in values)

    def _placed(self, values):
        last = len(self._places)  # for missing and unseen values
        return np.array([self._places.get(value, last) for value in values], dtype=np.intp)

    def crossed(self, values, codes, n_classes, method, n_folds, rng):
        """Learn the frequencies; the columns of the training rows."""
        classes = slice(1, 2) if n_classes == 2 else slice(0, n_classes)
        places = self._placed(values)
        folds = np.empty(len(values), dtype=np.intp)
        folds[rng.permutation(len(values))] = np.arange(len(values)) % n_folds
        size = len(self._places) + 1
        joint = (folds * size + places) * n_classes + codes
        counts = np.bincount(joint, minlength=n_folds * size * n_classes).reshape(n_folds, size, n_classes)
        total = counts.sum(axis=0)
        self._table = _frequencies(total)[:, classes]
        found = np.stack([_frequencies(total - own) for own in counts])[folds, places][:, classes]
        self.scales = [_Scale(column, method) for column in found.T]
        return self._finished(found, values)

    def names(self, name):
        """Of the columns that `encode` makes."""
        n_columns = len(self.scales)
        found = [name] if n_columns == 1 else [f"{name} class {k}" for k in range(n_columns)]
        return [*found, f"{name} missing"] if self.indicator else found

    def encode(self, values):
        """Columns of numbers for new rows."""
        return self._finished(self._table[self._placed(values)], values)

    def _finished(self, found, values):
        columns = [scale(column) for scale, column in zip(self.scales, found.T, strict=True)]
        if self.indicator:
            columns.append(np.array([value is None for value in values], dtype=np.float64))
        return np.column_stack(columns)


def _frequencies(counts: np.ndarray) -> np.ndarray:
    prior = counts.sum(axis=0) / max(1.0, counts.sum())
    rows = counts.sum(axis=1, keepdims=True).astype(np.float64)
    found = (counts + _PRIOR_ROWS * prior) / (rows + _PRIOR_ROWS)
    found[-1] = prior
    return found
