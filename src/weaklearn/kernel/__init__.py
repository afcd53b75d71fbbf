"""Kernel machines: kernel functions, kernel perceptrons, support vector machines.

All of them take any labels, ``sample_weight`` and more than two classes, and keep their duals sparse: ``support_``,
``support_vectors_``, ``dual_coef_`` and ``n_support_``.
"""

# Names imported "as" themselves are for other rooms of weaklearn.
from weaklearn.kernel._functions import (
    gaussian_kernel,
    linear_kernel,
    perceptron_kernel,
    polynomial_kernel,
    positive_shift,
    stump_kernel,
)
from weaklearn.kernel._functions import kernel_function as kernel_function
from weaklearn.kernel._incremental import IncrementalSVC, NotSeparableError
from weaklearn.kernel._perceptron import KernelPerceptronClassifier
from weaklearn.kernel._rcd import KernelRCDClassifier
from weaklearn.kernel._sample_complexity import (
    Growth,
    SampleComplexity,
    fit_growth,
    sample_complexity,
)
from weaklearn.kernel._svc import KernelSVC

__all__ = [
    "IncrementalSVC",
    "NotSeparableError",
    "gaussian_kernel",
    "linear_kernel",
    "perceptron_kernel",
    "polynomial_kernel",
    "positive_shift",
    "stump_kernel",
    "KernelPerceptronClassifier",
    "KernelRCDClassifier",
    "KernelSVC",
    "Growth",
    "SampleComplexity",
    "fit_growth",
    "sample_complexity",
]
