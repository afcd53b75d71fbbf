"""The contract of complexity measures accepts ours and names what is broken."""

from itertools import count

import numpy as np
import pytest

from weaklearn.complexity import LookupComplexity, SVMComplexity
from weaklearn.testing import check_complexity_measure


class Size:
    """A correct incremental measure: the number of examples."""

    def __init__(self):
        self.n = 0

    def push(self, x, y):
        self.n += 1

    def pop(self):
        self.n -= 1

    @property
    def value(self):
        return self.n


class Forgetful(Size):
    def pop(self):
        pass


class Shared(Size):
    def __deepcopy__(self, memo):
        return self


class FirstLabel(Size):
    def push(self, x, y):
        if self.n == 0:
            self.first = y
        self.n += 1

    @property
    def value(self):
        return self.n + 100 * self.first


class Disagreeing(Size):
    def __call__(self, X, y):
        return len(y) + 1


COUNTER = count()


@pytest.mark.parametrize("measure", [SVMComplexity(), LookupComplexity(), Size(), lambda X, y: float(len(y))])
def test_correct_measures_pass(measure):
    check_complexity_measure(measure)


@pytest.mark.parametrize(
    ("measure", "promise"),
    [
        (Forgetful(), "pop takes back the last push"),
        (Shared(), "the order of the pushes|pop takes back|copies are independent"),
        (FirstLabel(), "the order of the pushes does not matter"),
        (Disagreeing(), "the call and the updates agree"),
        (lambda X, y: np.inf, "finite"),
        (lambda X, y: float(y[0]), "the order of the rows does not matter"),
        (lambda X, y: X.fill(0) or 1.0, "leaves its data alone"),
        (lambda X, y: next(COUNTER), "two calls with the same set agree"),
        (3, "it is callable, or has push, pop and value"),
    ],
)
def test_broken_promises_are_named(measure, promise):
    with pytest.raises(AssertionError, match=promise):
        check_complexity_measure(measure)
