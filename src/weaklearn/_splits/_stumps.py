"""The search for stumps on one training set, again and again."""

import functools

import numpy as np

from weaklearn._fast.criteria import ERROR, GINI, NUMBERS
from weaklearn._fast.gini_search import purest_stump
from weaklearn._fast.stump_search import best_stump
from weaklearn._fast.trees.orders import cut_of
from weaklearn._fast.trees.rounds import stump_rounds
from weaklearn._fast.trees.split import Rule
from weaklearn._fast.trees.stump import ruled_stump
from weaklearn._splits._binned_rows import BinnedRows, bin_width
from weaklearn._splits._sorted_rows import RowSearch, SortedRows, categorical_columns, column_signs

_SIGNED_CLASSES = np.array([-1, 1])
# From this many rows on, histograms pay: both ways take about the same time at half of it.
_LARGE = 16_384


# scikit-learn reads the signature every time: a tenth of a fit with few rows and rounds.
@functools.cache
def _parameter_names(kind):
    return tuple(kind._get_param_names())


class StumpSearch(RowSearch):
    """All stumps on one set of rows: sorted once, searched for any weights and any labels.

    This is the prepared form of `DecisionStump` that boosting uses: about half a nanosecond per entry of X and search.
    The parameters of the stump say which stumps take part and which one is best; X may be float32; y holds -1.0 and
    +1.0 and is not needed for `fit_labels`.

    Large training sets are searched by histograms that bound the sorted search (`weaklearn._fast.binned_search`): the
    same stumps, up to twice as fast, in threads if the stump has ``n_jobs``. Categories and monotone constraints are
    searched in sorted order at any size.
    """

    def __init__(self, stump, X, y=None):
        self._kind = type(stump)
        names = _parameter_names(self._kind)
        self._parameters = {name: getattr(stump, name) for name in names}
        self._n_features = X.shape[1]
        self._y = y
        categorical = categorical_columns(stump.categorical_features, X.shape[1])
        signs = column_signs(stump.monotonic_cst, X.shape[1], categorical)
        self._rows = SortedRows(X, categorical, stump.n_jobs)
        criterion, free = NUMBERS[stump.criterion], not signs.any()
        self._rule = Rule(criterion, free, criterion == ERROR, signs[self._rows.orders.feature])
        self._plain = free and not categorical
        orders = self._rows.orders
        self._features, self._category_rows = orders.feature.tolist(), orders.category_row.tolist()
        self._missing_below = orders.missing_below.tolist()
        # A stump that gives the same answer everywhere.
        self._constant = {
            **self._parameters,
            "n_features_in_": self._n_features,
            "classes_": _SIGNED_CLASSES,
            "feature_": 0,
            "threshold_": -np.inf,
            "polarity_": 1,
            "error_": 0.0,
            "missing_above_": True,
            "categories_": None,
        }
        self._large = None
        if y is not None and len(X) >= _LARGE and self._plain:
            self._large = BinnedRows(self._rows, y, criterion, bin_width(len(X), 1))

    def fit(self, weights, rng=None):
        if self._large is None:
            return super().fit(weights)
        found = self._large.stump(weights, self._parameters["constant"])
        return self._stump(self._rows.codes, *found), found[3], found[4]

    def _search(self, codes, labels, weights):
        criterion, constant = self._rule.criterion, self._parameters["constant"]
        if self._plain and criterion == ERROR:
            found = best_stump(codes, labels, weights, constant)
        elif self._plain and criterion == GINI:
            found = purest_stump(codes, labels, weights)
        else:
            found = ruled_stump(codes, self._rows.orders, self._rule, constant, labels, weights)
        return self._stump(codes, *found), found[3], found[4]

    def exponential_rounds(self, margins, sample_weight, rate, n_rounds):
        """The next rounds of AdaBoost, in one compiled call, from the margins of the ensemble so far.

        Yields the stump of each round, its error, its coefficient (the rate times AdaBoost's step) and the margins
        after the round. The rounds end early before a stump without an edge and after one without errors; there are
        none at all where rounds are better done one by one.
        """
        criterion = self._rule.criterion
        if self._large is not None or not self._plain or criterion not in (ERROR, GINI):
            return
        found, after = np.empty((n_rounds, 6)), np.empty((n_rounds, len(margins)))
        codes, constant = self._rows.codes, self._parameters["constant"]
        gini = True if criterion == GINI else None
        n_done = stump_rounds(
            codes, self._y, margins, sample_weight, float(rate), gini, constant, found, after
        )
        for row, margins in zip(found[:n_done].tolist(), after[:n_done], strict=True):
            order, rank, polarity, heavier_above, error, step = row
            stump = self._stump(codes, int(order), int(rank), polarity, None, error, heavier_above > 0)
            yield stump, error, step, margins

    def _stump(self, codes, order, rank, polarity, margins, error, heavier_above):
        # Without the constructor, and with few look-ups: this is done in every round of boosting.
        stump = object.__new__(self._kind)
        stump.__dict__ = fitted = self._constant.copy()
        fitted["polarity_"], fitted["error_"] = int(polarity), error
        if rank < 0:
            return stump
        fitted["feature_"] = feature = self._features[order]
        if self._category_rows[order] >= 0:
            fitted["threshold_"] = np.nan
            fitted["categories_"], fitted["missing_above_"] = self._two_sets(
                codes[order], feature, self._category_rows[order], rank, heavier_above
            )
        else:
            fitted["threshold_"], above = cut_of(self._rows.X, codes, order, rank, feature)
            fitted["missing_above_"] = bool((heavier_above or above) and not self._missing_below[order])
        return stump

    def _two_sets(self, line, feature, row, rank, heavier_above):
        """The categories below and above a rank of an order, and whether missing values are above."""
        orders, values = self._rows.orders, self._rows.categories[feature]
        numbers = orders.category[row][line >> 1]
        below, above = np.unique(numbers[: rank + 1]), np.unique(numbers[rank + 1 :])
        missing = orders.missing_category[row]
        if missing in below or missing in above:
            heavier_above = missing in above
        return (values[below[below != missing]], values[above[above != missing]]), bool(heavier_above)
