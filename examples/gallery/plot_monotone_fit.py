"""
Which curve should I fit to shares of yes?
==========================================

Five doses, five patients each. The monotone fit assumes only that the curve rises, the logistic fit assumes its shape,
the hybrid lies between them.
"""

import matplotlib.pyplot as plt
import numpy as np

from weaklearn.display import palette
from weaklearn.monotone import Crossing, HybridFit, LogisticFit, MonotoneFit

dose, cured, patients = [1, 2, 3, 4, 5], [0.0, 0.2, 0.6, 0.4, 1.0], [5, 5, 5, 5, 5]
grid = np.linspace(1, 5, 201)
figure, ax = plt.subplots(figsize=(5.4, 3.6), layout="constrained")
ax.scatter(dose, cured, color=palette.BLACK, zorder=3, label="observed share")
for fit, colour, dash in zip(
    (MonotoneFit(), LogisticFit(), HybridFit()), palette.COLOURS, palette.DASHES, strict=False
):
    fit.fit(dose, cured, sample_weight=patients)
    threshold = fit.threshold(Crossing(0.5))
    ax.plot(
        grid,
        fit.predict(grid),
        color=colour,
        linestyle=dash,
        label=f"{type(fit).__name__}: 50% at {threshold:.2f}",
    )
ax.set(xlabel="dose", ylabel="share cured")
ax.legend()
plt.show()
