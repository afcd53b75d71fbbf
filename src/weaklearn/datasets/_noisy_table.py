"""A table of mixed columns with wrong labels in it, for trying out what finds them."""

import numpy as np

from ._flips import flip_labels
from ._parameters import checked_count, random_generator

_SUPPLIERS = np.array(["Arno", "Brenta", "Cecina", "Dora"])


def make_noisy_table(n_samples=600, *, share=0.06, random_state=None):
    """A table of inspected parts in which some results were written down wrongly.

    The table is artificial. Each part has a number, the temperature, pressure and speed of the machine that made it, a
    supplier, a shift and a day. Whether it passes depends on the first four; the classes overlap a little.

    Parameters
    ----------
    n_samples : int, default=600
        Number of rows.
    share : float in [0, 1], default=0.06
        Share of the rows whose result is wrong: exactly ``round(share * n_samples)`` of them, drawn at random.
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    table : dict of str to ndarray
        Columns by name. The column "result" holds the labels, "pass" and "fail".
    wrong : ndarray of bool of shape (n_samples,)
        Which results are wrong.

    Examples
    --------
    >>> from weaklearn.datasets import make_noisy_table
    >>> table, wrong = make_noisy_table(500, random_state=0)
    >>> list(table)
    ['part', 'temperature', 'pressure', 'speed', 'supplier', 'shift', 'made on', 'result']
    >>> int(wrong.sum())
    30
    """
    n_samples = checked_count("n_samples", n_samples)
    rng = random_generator(random_state)
    temperature, pressure, speed, noise = rng.standard_normal((4, n_samples))
    supplier = rng.choice(len(_SUPPLIERS), size=n_samples, p=[0.4, 0.3, 0.2, 0.1])
    score = 1.5 * temperature - 1.1 * pressure + 0.8 * speed * (temperature > 0)
    score += np.array([0.0, 0.3, -0.4, 1.8])[supplier] + 0.35 * noise
    result, wrong = flip_labels(np.where(score > 0.9, "fail", "pass"), share, random_state=rng)
    day = np.datetime64("2024-01-08") + np.sort(rng.choice(180, size=n_samples))
    table = {
        "part": np.array([f"P{k:05d}" for k in range(1, n_samples + 1)]),
        "temperature": np.round(210 + 6 * temperature, 1),
        "pressure": np.round(3.2 + 0.25 * pressure, 2),
        "speed": np.round(85 + 9 * speed),
        "supplier": _SUPPLIERS[supplier],
        "shift": rng.choice(["day", "night"], size=n_samples),
        "made on": day,
        "result": result,
    }
    return table, wrong
