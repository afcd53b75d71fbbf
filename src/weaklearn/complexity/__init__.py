"""How complex is a data set, what is it made of, and which of its labels do not belong?

The complexity of a labelled set is the size of the smallest hypothesis that replicates it; in practice, the number of
support vectors of a hard-margin machine (`SVMComplexity`). `principal_subsets` decompose a set, the contribution of an
example (`complexity_contribution`) tells how badly it fits the others, `ComplexityPruner` acts on it
(`weaklearn.labels` audits a whole table).
How a measure is evaluated on many subsets is in `_problem`, for support vectors in `_svm_problem`.
"""

# Names imported "as" themselves are for other rooms of weaklearn.
from weaklearn.complexity._contribution import Contributions, complexity_contribution
from weaklearn.complexity._measures import LookupComplexity, SVMComplexity, complexity
from weaklearn.complexity._paths import (
    ComplexityErrorPath,
    GreedyPruning,
    complexity_error_path,
    greedy_pruning,
)
from weaklearn.complexity._pruner import ComplexityPruner
from weaklearn.complexity._subsets import (
    PrincipalSubsets,
    class_clusters,
    principal_points,
    principal_subsets,
)
from weaklearn.complexity._table_view import ComplexityView as ComplexityView
from weaklearn.complexity._table_view import complexity_view as complexity_view
from weaklearn.kernel import NotSeparableError

__all__ = [
    # measures
    "complexity",
    "SVMComplexity",
    "LookupComplexity",
    "NotSeparableError",
    # decomposition
    "principal_points",
    "principal_subsets",
    "PrincipalSubsets",
    "class_clusters",
    "complexity_error_path",
    "ComplexityErrorPath",
    # pruning
    "complexity_contribution",
    "Contributions",
    "greedy_pruning",
    "GreedyPruning",
    "ComplexityPruner",
]
