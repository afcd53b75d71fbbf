"""
How many examples does a learner need?
======================================

The 'just a little bit' problem: the label is the first of n bits. Least squares needs a number of examples that grows
with the dimension.
"""

import matplotlib.pyplot as plt

from weaklearn.datasets import make_little_bit
from weaklearn.display import GrowthDisplay
from weaklearn.kernel import fit_growth, sample_complexity
from weaklearn.linear import LeastSquaresClassifier

learner, dimensions = LeastSquaresClassifier(fit_intercept=False), [10, 20, 30, 40]
results = [sample_complexity(learner, make_little_bit, n, n_test=300, random_state=0) for n in dimensions]
growth = fit_growth(dimensions, [result.n_samples for result in results])
print("growth:", growth.best)
figure, ax = plt.subplots(figsize=(5.4, 3.6), layout="constrained")
GrowthDisplay.from_sample_complexity(dimensions, results, growth=growth, name="least squares", ax=ax)
plt.show()
