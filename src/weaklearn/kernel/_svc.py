"""Support vector machines by sequential minimal optimisation."""

import warnings
from numbers import Integral, Real

import numpy as np
from sklearn.base import _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from weaklearn._docstrings import documented
from weaklearn._fast.smo import OUT_OF_STEPS, UNBOUNDED
from weaklearn._training import one_vs_rest
from weaklearn.kernel._dual import solve_dual, solve_simplified
from weaklearn.kernel._machine import KernelMachine

# may2020, section 5 (v): at most 40 passes, and two in a row without a change end the run.
_SIMPLIFIED_PASSES = 40


@documented
class KernelSVC(KernelMachine):
    r"""Support vector machine with a bias, soft or hard margin.

    Solves the dual

    .. math:: \max_\alpha \sum_i \alpha_i - \tfrac12 \sum_{ij} \alpha_i \alpha_j y_i y_j k(x_i, x_j), \quad
        \sum_i y_i \alpha_i = 0, \quad 0 \le \alpha_i \le C_i,

    by pairs of coefficients chosen by second-order information, with shrinking: examples that have come to rest at
    a bound leave the loop, together with their part of the Gram matrix, and are checked again at the end. The bound
    :math:`C_i` is `C` times the weight of the example. More than two classes have one machine each, against the rest;
    all of them share one Gram matrix, and the largest score wins.

    Parameters
    ----------
    C : float, default=1.0
        Price of a margin violation; infinity is the hard margin, for separable classes only.
    coef0 : "auto" or float, default="auto"
        Constant of the polynomial (0) or of the perceptron and stump kernels (where a machine with a bias does not
        depend on it).
    tol : float, default=1e-3
        Largest violation of the optimality conditions that is left.
    max_iter : int or None, default=None
        Steps of each machine at most; None is 10 million, or 100 per example if that is more. For the simplified
        solver, passes over the data; None is 40.
    solver : {"smo", "simplified"}, default="smo"
        "simplified" is the algorithm of may2020: each example is paired with a random partner. It stops far from the
        optimum and is here to reproduce the document.
    random_state : int, RandomState instance or None, default=None
        For the simplified solver.

    Attributes
    ----------
    support_ : ndarray of shape (n_support,)
        Row numbers of the examples with a coefficient in any machine. Of equal rows of one class, which are
        learned as one row with the sum of their weights, only the first is listed.
    dual_coef_ : ndarray of shape (n_machines, n_support)
        :math:`y_i \alpha_i`; one row for two classes, else one per class.
    objective_ : ndarray of shape (n_machines,)
        Value of the dual.
    gap_ : ndarray of shape (n_machines,)
        Violation of the optimality conditions that is left.
    n_iter_ : int
        Steps (or passes) of the machine that needed most.

    References
    ----------
    may2020, section 5; li2006, subsection 1.3.4 (hard margin, perceptron kernel); R.-E. Fan, P.-H. Chen and C.-J. Lin,
    "Working set selection using second order information for training support vector machines", 2005.

    Examples
    --------
    >>> import numpy as np
    >>> from weaklearn.kernel import KernelSVC
    >>> X, y = [[0, 0], [1, 1], [0, 1], [1, 0]], ["same", "same", "other", "other"]
    >>> model = KernelSVC(C=np.inf, kernel="perceptron").fit(X, y)
    >>> model.predict(X)
    array(['same', 'same', 'other', 'other'], dtype='<U5')
    >>> model.n_support_
    array([4])
    """

    _parameter_constraints: dict = {
        **KernelMachine._parameter_constraints,
        "C": [Interval(Real, 0, None, closed="right")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left"), None],
        "solver": [StrOptions({"smo", "simplified"})],
    }

    def __init__(
        self,
        C=1.0,
        *,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0="auto",
        tol=1e-3,
        max_iter=None,
        solver="smo",
        dtype="float64",
        gram_limit=2.0,
        random_state=None,
    ):
        super().__init__(kernel, degree, gamma, coef0, dtype, gram_limit, random_state)
        self.C = C
        self.tol = tol
        self.max_iter = max_iter
        self.solver = solver

    @documented
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Learn from a training set.

        Parameters
        ----------
        sample_weight : array-like of shape (n_samples,), default=None
            Factors of `C`; None means 1 each. A weight of two is the same as two copies.
        """
        X, codes, sample_weight, kept, gram = self._distinct_data(X, y, sample_weight)
        C = float(self.C) * sample_weight
        rng = np.random.default_rng(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        solutions = [self._solve(gram, y, C, rng) for y in one_vs_rest(codes, len(self.classes_))]
        self._check_status(solutions)
        betas, self.intercept_, self.objective_, steps, self.gap_, _ = map(
            np.array, zip(*solutions, strict=True)
        )
        self._keep_support(X, betas, kept)
        self.n_iter_ = max(1, int(steps.max()))
        return self

    def _solve(self, gram, y, C, rng):
        n = len(y)
        if self.solver == "simplified":
            passes = _SIMPLIFIED_PASSES if self.max_iter is None else self.max_iter
            partners = rng.integers(0, n - 1, size=(passes, n), dtype=np.int32)
            return solve_simplified(gram, y, C, partners, tol=self.tol)
        max_steps = max(10_000_000, 100 * n) if self.max_iter is None else self.max_iter
        return solve_dual(gram, y, C, tol=self.tol, max_steps=max_steps)

    def _check_status(self, solutions):
        for machine, solution in enumerate(solutions):
            label = self.classes_[machine if len(solutions) > 1 else 1]
            if solution.status == UNBOUNDED:
                raise ValueError(
                    f"C={self.C} is (nearly) a hard margin, and class {label} cannot be separated from the rest with "
                    "this kernel. Use a smaller C, or a kernel that separates distinct points."
                )
            if solution.status == OUT_OF_STEPS and self.solver == "smo":
                warnings.warn(
                    f"the machine of class {label} stopped after {solution.n_steps:,} steps with a violation of "
                    f"{solution.gap:.2g} (tol={self.tol}).",
                    ConvergenceWarning,
                    stacklevel=3,
                )
