"""Tables with known errors for the tests of the audit."""

import numpy as np

from weaklearn.datasets import make_twonorm

N = 120


def columns(n=N, seed=0):
    """A table of mixed columns with the labels of rows 1 to 4 flipped."""
    X, y = make_twonorm(n, n_features=6, random_state=seed)
    rng = np.random.default_rng(seed)
    table = {"customer id": [f"c{i}" for i in range(n)], "number": list(range(1, n + 1))}
    table |= {f"x{k}": [f"{value:.6f}" for value in X[:, k]] for k in range(6)}
    table["x0"][7] = ""
    table["x0"][8] = "n/a"
    table["x1"][9] = "oops"
    table["colour"] = np.where(rng.uniform(size=n) < 0.5, "red", "blue").tolist()
    table["colour"][3] = ""
    table["constant"] = ["1"] * n
    y[:4] *= -1
    table["class"] = np.where(y > 0, "good", "bad").tolist()
    return table


def write(path, table, delimiter=","):
    names = list(table)
    rows = zip(*table.values(), strict=True)
    lines = [delimiter.join(names), *(delimiter.join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
