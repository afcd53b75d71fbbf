"""New inputs like the old ones: the smoothed bootstrap for tables of mixed columns."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator, _fit_context
from sklearn.neighbors import NearestNeighbors
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from weaklearn._training import check_array, refuse_large_integers
from weaklearn.tables import Layout, TableEncoder, is_table

# A column of at most this many distinct values keeps to them.
_FEW_VALUES = 20
_LARGE = 1e300


class SmoothedBootstrap(BaseEstimator):
    r"""Draws rows like those of a table: numbers and categories, with their gaps and dependencies.

    A row :math:`x_i` is drawn at random and moved within its neighbourhood: with the mean :math:`m_i` of its k
    nearest rows and two of them, a and b, drawn at random,

    .. math:: x' = m_i + \frac{(x_i - m_i) + h\,(x_a - x_b)/\sqrt 2}{\sqrt{1 + h^2}} .

    The difference of two neighbours has the covariance of the neighbourhood, so columns stay dependent as they are
    *there*; the division keeps the spread that the smoothing would add. A category is taken from the neighbour a with
    probability :math:`h^2 / (1 + h^2)`, the share of the new row that is smoothing.

    Parameters
    ----------
    bandwidth : float or "auto", default="auto"
        h; 0 gives the plain bootstrap. "auto" is Silverman's rule, (4 / (n (d + 2)))^(1 / (d + 4)), for n rows and d
        columns.
    n_neighbors : int or "auto", default="auto"
        k; "auto" is the square root of the number of rows, at least 5 (or all other rows, if there are fewer).

    Attributes
    ----------
    bandwidth_ : float
        The bandwidth h that was used.
    n_neighbors_ : int
        The number k of neighbours that was used.
    neighbors_ : ndarray of shape (n_samples, n_neighbors_)
        The numbers of the nearest rows of each row.
    columns_ : tuple of Column
        What the columns hold (see `weaklearn.tables`).
    layout_ : object
        How drawn columns are put together to a table of the same kind.
    n_features_in_ : int
        The number of columns.

    Notes
    -----
    Values stay within the observed range (they are reflected at its ends) and on the observed grid: whole numbers stay
    whole, and a column of at most 20 distinct values keeps to them. Missing entries stay missing. Rows are near if
    their standardised numbers and their categories are. Numbers and dates that are written as text are not moved, but
    taken from a neighbour like categories.

    The thesis assumes that new inputs are available; Shakhnarovich, El-Yaniv and Baram (2001) smooth the bootstrap with
    a kernel of one covariance for all rows, which in many dimensions fills the space between clusters.

    References
    ----------
    - pratap2008, section 4.1, on generating inputs.
    - Silverman and Young (1987), The bootstrap: to smooth or not to smooth?, Biometrika 74.

    Examples
    --------
    >>> import numpy as np
    >>> from weaklearn.cloning import SmoothedBootstrap
    >>> X = np.array([[20, "north"], [30, "north"], [40, "south"], [50, "south"]] * 10, dtype=object)
    >>> rows = SmoothedBootstrap().fit(X).sample(3, random_state=0)
    >>> rows.shape, set(rows[:, 1]) <= {"north", "south"}
    ((3, 2), True)
    """

    _parameter_constraints: dict = {
        "bandwidth": [StrOptions({"auto"}), Interval(Real, 0, None, closed="left")],
        "n_neighbors": [StrOptions({"auto"}), Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, bandwidth="auto", n_neighbors="auto"):
        self.bandwidth = bandwidth
        self.n_neighbors = n_neighbors

    @refuse_large_integers()
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y=None):
        """Learn the table.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_samples, n_features)
            Numbers, categories, missing entries.
        y : ignored

        Returns
        -------
        self
        """
        if not is_table(X):
            X = check_array(X, dtype=np.float64, ensure_all_finite="allow-nan", ensure_min_samples=2)
        if len(X) < 2:
            raise ValueError(f"SmoothedBootstrap needs at least 2 rows; got {len(X)}.")
        self.layout_ = Layout(X)
        given = self.layout_.split(X)
        self.n_features_in_ = len(given)
        n, d = len(X), len(given)
        silverman = (4 / (n * (d + 2))) ** (1 / (d + 4))
        self.bandwidth_ = silverman if self.bandwidth == "auto" else float(self.bandwidth)
        self.n_neighbors_ = (
            min(max(5, round(n**0.5)), n - 1) if self.n_neighbors == "auto" else self.n_neighbors
        )
        if self.n_neighbors_ >= n:
            raise ValueError(
                f"n_neighbors must be at most {n - 1}, the number of other rows; got {self.n_neighbors}."
            )
        encoder = TableEncoder()
        encoded = encoder.fit_transform(X)
        self.columns_ = encoder.columns_
        search = NearestNeighbors(n_neighbors=self.n_neighbors_).fit(encoded)
        self.neighbors_ = search.kneighbors(return_distance=False)
        self._given = given
        # Codes such as -999 stand for "missing": they are kept as they are, and no number is moved towards them.
        self._values = [
            values if values.dtype == object else np.where(np.isin(values, column.sentinels), np.nan, values)
            for values, column in zip(given, self.columns_, strict=True)
        ]
        # Sums and differences of numbers near the largest float would overflow: a power of two smaller they do not.
        self._exponents = [_exponent(values) for values in self._values]
        self._values = [
            np.ldexp(values, -exponent) if exponent else values
            for values, exponent in zip(self._values, self._exponents, strict=True)
        ]
        self._grids = [_Grid(values) for values in self._values]
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags

    def sample(self, n_samples=1, random_state=None):
        """Draw rows.

        Parameters
        ----------
        n_samples : int, default=1
        random_state : int, RandomState instance or None, default=None

        Returns
        -------
        DataFrame or ndarray of shape (n_samples, n_features)
            Of the kind that was given to `fit`.
        """
        check_is_fitted(self)
        rng = check_random_state(random_state)
        rows = rng.randint(len(self.neighbors_), size=n_samples)
        near = self.neighbors_[rows]
        pair = rng.randint(near.shape[1], size=(2, n_samples))
        a, b = near[np.arange(n_samples), pair[0]], near[np.arange(n_samples), pair[1]]
        taken = rng.uniform(size=n_samples) < self.bandwidth_**2 / (1 + self.bandwidth_**2)
        drawn = []
        parts = zip(self._given, self._values, self._grids, self._exponents, strict=True)
        for given, values, grid, exponent in parts:
            if values.dtype == object:
                drawn.append(np.where(taken, given[a], given[rows]))
            else:
                moved = grid(self._moved(values, rows, near, a, b))
                moved = np.ldexp(moved, exponent) if exponent else moved
                drawn.append(np.where(np.isnan(values[rows]), given[rows], moved))
        return self.layout_.join(drawn)

    def _moved(self, column, rows, near, a, b):
        known = ~np.isnan(column)
        filled = np.where(known, column, np.median(column[known]) if known.any() else 0.0)
        middle = filled[near].mean(axis=1)
        step = self.bandwidth_ * (filled[a] - filled[b]) / np.sqrt(2)
        moved = middle + (filled[rows] - middle + step) / np.sqrt(1 + self.bandwidth_**2)
        return np.where(known[rows], moved, np.nan)


def _exponent(column):
    largest = 0.0 if column.dtype == object else np.nanmax(np.abs(column), initial=0.0)
    return 16 if largest > _LARGE else 0


class _Grid:
    """Keeps new values of a numeric column within its range and on its grid."""

    def __init__(self, column):
        if column.dtype == object:
            return  # categories need no grid
        self.values = np.unique(column[~np.isnan(column)])
        self.whole = bool((self.values == np.rint(self.values)).all())

    def __call__(self, moved):
        if len(self.values) == 0:
            return moved
        low, high = self.values[0], self.values[-1]
        moved = np.where(moved < low, 2 * low - moved, moved)
        moved = np.clip(np.where(moved > high, 2 * high - moved, moved), low, high)
        if len(self.values) <= _FEW_VALUES:
            middles = (self.values[1:] + self.values[:-1]) / 2
            # NaN sorts last, beyond the last middle: there is a value to look up, and it is not used.
            return np.where(np.isnan(moved), np.nan, self.values[np.searchsorted(middles, moved)])
        return np.rint(moved) if self.whole else moved
