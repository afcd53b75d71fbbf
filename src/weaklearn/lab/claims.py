"""Kinds of tests of claims: differences, ratios, counts of data sets, shares of runs, trends, minima, correlations.

A kind is a frozen dataclass with a method ``found(read)``: it asks the `Reader` for the values of cells and returns
`Found`, or None if there are too few trials. A new kind needs nothing else. Columns are compared trial by trial: trials
of the same index share their data. A deterministic cell is compared with every trial of the other, and two of them are
compared exactly.

Means of trials are tested by Student's t; an average over data sets has the degrees of freedom of Welch and
Satterthwaite. Counts, minima and correlations of means have no such law: their distribution is that of 2,000 draws of
the means, each row's trials weighted at random (a bootstrap whose draws follow Student's t, so that two trials are not
taken for many).
"""

from weaklearn.lab._tests_by_draws import Correlation, Gain, Lowest, Minimum
from weaklearn.lab._tests_of_means import Difference, Fact, Ratio, Share, Trend

__all__ = ["Correlation", "Difference", "Fact", "Gain", "Lowest", "Minimum", "Ratio", "Share", "Trend"]
