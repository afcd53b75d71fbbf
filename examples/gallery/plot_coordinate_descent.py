"""
How fast does random coordinate descent learn?
==============================================

The training error of `RCDPerceptron` against its exact line searches, from Fisher's discriminant and from zero.
"""

import matplotlib.pyplot as plt

from weaklearn.datasets import make_ringnorm
from weaklearn.display import palette
from weaklearn.linear import RCDPerceptron

X, y = make_ringnorm(400, random_state=0)
figure, ax = plt.subplots(figsize=(5.4, 3.6), layout="constrained")
for init, colour, dash in (("fld", palette.BLUE, "-"), ("zero", palette.VERMILLION, "--")):
    model = RCDPerceptron(init=init, max_iter=1000, random_state=0).fit(X, y)
    ax.plot(
        100 * model.error_curve_,
        color=colour,
        linestyle=dash,
        label="from Fisher's discriminant" if init == "fld" else "from zero",
    )
ax.set(xlabel="line searches", ylabel="training error (%)", ylim=(None, 55))
ax.legend()
plt.show()
