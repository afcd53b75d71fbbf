"""
How many answers will my experiment need?
=========================================

`plan_trials` simulates the experiment with your guess of the curve and counts the answers until the 90% interval is as
narrow as you want.
"""

import matplotlib.pyplot as plt
import numpy as np

from weaklearn.adaptive import PosteriorMinEnt, plan_trials
from weaklearn.display import palette


def guess(level):
    """The probability of yes at a level."""
    return 1 / (1 + np.exp(10 * (0.5 - level)))


levels = np.linspace(0.05, 0.95, 10)
plan = plan_trials(PosteriorMinEnt(levels), guess, width=0.25, max_answers=80, n_runs=20, random_state=0)
print(plan.sentence())

figure, ax = plt.subplots(figsize=(5.4, 3.6), layout="constrained")
ax.plot(plan.n_answers, plan.typical_width, color=palette.BLUE)
ax.axhline(0.25, color=palette.GREY, linestyle="--")
ax.set(xlabel="answers", ylabel="typical width of the interval")
plt.show()
