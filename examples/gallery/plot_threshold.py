"""
How do I find a threshold with few yes/no answers?
==================================================

`PosteriorMinEnt` chooses the level whose answer tells most. The band is the 90% interval after each answer; the answers
come from a simulated subject with its threshold at 4.6.
"""

import matplotlib.pyplot as plt
import numpy as np

from weaklearn.adaptive import PosteriorMinEnt
from weaklearn.display import palette

rng = np.random.default_rng(1)
sampler = PosteriorMinEnt(np.arange(1, 9), random_state=0)
estimates, intervals = [], []
for _ in range(24):
    level = sampler.ask()
    sampler.tell(level, rng.random() < 1 / (1 + np.exp(2 * (4.6 - level))))
    estimates.append(sampler.estimate())
    intervals.append(sampler.interval())

figure, ax = plt.subplots(figsize=(6, 3.8), layout="constrained")
count = np.arange(1, 25)
ax.fill_between(count, *np.transpose(intervals), color=palette.TINTS[0], linewidth=0, label="90% interval")
ax.plot(count, estimates, color=palette.BLUE, label="estimate")
ax.axhline(4.6, color=palette.GREY, linestyle="--", label="truth")
for outcome, marker, colour in ((False, "o", palette.BLUE), (True, "^", palette.VERMILLION)):
    asked = [(i, a.level) for i, a in enumerate(sampler.history, 1) if bool(a.outcome) is outcome]
    ax.scatter(
        *zip(*asked, strict=True), marker=marker, color=colour, zorder=3, label="yes" if outcome else "no"
    )
ax.set(xlabel="answers", ylabel="level")
ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
plt.show()
