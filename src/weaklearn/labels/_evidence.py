"""What single columns say about the labels: which ones contradict a label, give it away, or mark groups of errors.

Columns are cut into parts (`LabelledTable.cuts`): everything here is counted from these.

**Systematic mistakes** are looked for in categories, before and since dates, and in both at once. Held-out predictions
alone do not show them, because learners take the rule of the labellers for the truth: they learn that a label is
more frequent in the group. A true difference shifts the log-odds of all its rows, though, and confident rows stay what
they are, while a labeller who writes z for other labels does so for confident rows, too. So for the rows of a group

    P(given z) = p + share x (1 - p),    p = e_z + (1 - e_z - e_other) x sigmoid(a s + b + shift),

s being the held-out log-odds of z. Slope a, offset b and the rates of random mistakes are fitted to all rows, shift to
those of the group, with and without a share; twice the difference of the log likelihoods is 0 or chi-squared (1 degree
of freedom), each with probability 1/2, if there is no share. Tests of all groups and labels together raise a false
alarm in at most 5% of the tables (Bonferroni). Where rows were reviewed, a second test needs no model: are more of the
group's wrong than elsewhere (Fisher's exact test)?
"""

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, logsumexp
from scipy.stats import hypergeom, norm

_MOST_REASONS = 3
_LEAST_RATIO = 1.5
_GROUP_ROWS = 20
_GROUP_SHARE = 0.02
_MOST_GROUPS, _MOST_SYSTEMATIC = 8, 3
# Of systematic mistakes: rows and labels that are looked at, categories and dates that are crossed, level of all tests
# together, the least share of the group's other rows that are given the label, and the least number of reviewed rows.
_MOST_ROWS, _MOST_LABELS, _MOST_CROSSED, _LEVEL, _LEAST_SHARE, _LEAST_REVIEWED = 5000, 6, 12, 0.05, 0.1, 5
_SHARES = np.array([0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])


class Reason(NamedTuple):
    """A column whose value is ``ratio`` times as frequent among rows of the other label as among those of the given."""

    column: str
    value: str
    ratio: float


class Group(NamedTuple):
    """Rows that stand out by what is named in ``kind``: ``share`` in the group, ``elsewhere`` in all other rows.

    "missed": rows whose label the learners miss. "label": rows of other labels that are given ``label``. "reviewed":
    reviewed rows that were wrong. The latter two are signs of systematic mistakes.
    """

    column: str
    value: str
    rows: int
    share: float
    elsewhere: float
    expected_wrong: float
    kind: str = "missed"
    label: str = ""

    @property
    def sentence(self):
        """What is said of systematic mistakes."""
        where, share, elsewhere = self.value, f"{100 * self.share:.0f}%", f"{100 * self.elsewhere:.0f}%"
        said = f"Labels of {self.column} {where} look systematically"
        if self.kind == "reviewed":
            return f"{said} wrong: {share} of the reviewed rows there, {elsewhere} elsewhere."
        return (
            f"{said} different: about {share} of the rows that should have another label have {self.label!r}, "
            f"{elsewhere} elsewhere. Review some of them."
        )


def reasons(columns, rows, given, other, label_probability, texts):
    """For each of ``rows`` the columns that speak most for its ``other`` label (an index) against the ``given`` one.

    Cells are counted with the probabilities of the true labels, the row itself aside.
    """
    P = label_probability
    total = P.sum(axis=0)
    ratios = np.ones((len(rows), len(columns)))
    for j, column in enumerate(columns):
        n_cells = len(column.names)
        counts = np.column_stack([np.bincount(column.codes, P[:, k], n_cells) for k in range(P.shape[1])])
        overall = counts.sum(axis=1) / len(P)
        for i, row in enumerate(rows):
            cell = column.codes[row]
            share = (counts[cell] - P[row] + 2 * overall[cell]) / (total - P[row] + 2)
            ratios[i, j] = share[other[i]] / max(share[given[i]], 1e-12)
    found = []
    for i, row in enumerate(rows):
        best = np.argsort(-ratios[i], kind="stable")[:_MOST_REASONS]
        found.append(
            [
                Reason(columns[j].name, texts[columns[j].name][row], float(ratios[i, j]))
                for j in best
                if ratios[i, j] >= _LEAST_RATIO
            ]
        )
    return found


def groups_that_fail(columns, missed, wrong_probability):
    """Groups of rows whose labels are missed clearly more often than elsewhere, the worst first."""
    n, total = len(missed), missed.sum()
    pooled = total / n
    found = []
    for column in columns:
        n_cells = len(column.names)
        sizes = np.bincount(column.codes, minlength=n_cells)
        misses = np.bincount(column.codes, missed, n_cells)
        wrong = np.bincount(column.codes, wrong_probability, n_cells)
        for cell in np.flatnonzero((sizes >= max(_GROUP_ROWS, _GROUP_SHARE * n)) & (sizes <= n / 2)):
            share, elsewhere = misses[cell] / sizes[cell], (total - misses[cell]) / (n - sizes[cell])
            error = np.sqrt(pooled * (1 - pooled) * (1 / sizes[cell] + 1 / (n - sizes[cell])))
            # About as many comparisons as there are cells in the table are made.
            if share > 1.5 * elsewhere and share - elsewhere > 3.5 * error > 0:
                group = Group(
                    column.name,
                    column.names[cell],
                    int(sizes[cell]),
                    float(share),
                    float(elsewhere),
                    float(wrong[cell]),
                )
                found.append(((share - elsewhere) / error, group))
    found.sort(key=lambda pair: -pair[0])
    return [group for _, group in found[:_MOST_GROUPS]]


def systematic_groups(columns, y, scores, wrong_probability, found_wrong, seed):
    """Groups of rows with signs of systematic mistakes, the clearest first.

    ``scores`` are held-out log-odds of the sorted labels, or None if there is nothing to learn from them.
    ``found_wrong`` is 1 for reviewed rows that were wrong, 0 for those that were right, NaN for others.
    """
    classes, given = np.unique(y, return_inverse=True)
    n = len(given)
    reviewed = np.flatnonzero(np.isfinite(found_wrong))
    least = max(_GROUP_ROWS, _GROUP_SHARE * n)
    groups = [region for region in _regions(columns) if least <= region[2].sum() <= n / 2]
    found = []
    for column, value, rows in groups:
        here = reviewed[rows[reviewed]]
        wrong, all_wrong = found_wrong[here].sum(), found_wrong[reviewed].sum()
        if len(here) >= _LEAST_REVIEWED:
            p = hypergeom.sf(wrong - 1, len(reviewed), all_wrong, len(here))
            shares = wrong / len(here), (all_wrong - wrong) / max(len(reviewed) - len(here), 1)
            found.append((p * len(groups), column, value, rows, *shares, "reviewed", ""))
    kept = np.sort(np.random.RandomState(seed).permutation(n)[:_MOST_ROWS])
    sizes = np.bincount(given[kept])
    frequent = [z for z in np.argsort(-sizes, kind="stable")[:_MOST_LABELS] if sizes[z] >= _GROUP_ROWS]
    labels = [] if scores is None else frequent
    for z in labels:
        is_z = given[kept] == z
        s = scores[kept, z] - logsumexp(np.delete(scores[kept], z, axis=1), axis=1)
        s, low, high = _calibrated(s, is_z)
        for column, value, rows in groups:
            here = rows[kept]
            share, gain = _share_beside_shift(s[here], is_z[here], low, high)
            if share >= _LEAST_SHARE:
                p = norm.sf(np.sqrt(2 * gain)) * len(groups) * len(labels)
                found.append((p, column, value, rows, low + share * (1 - low), low, "label", str(classes[z])))
    found = sorted(
        (entry for entry in found if entry[0] < _LEVEL), key=lambda entry: (entry[-2] == "label", entry[0])
    )
    return [
        Group(
            column,
            value,
            int(rows.sum()),
            float(share),
            float(rest),
            float(wrong_probability[rows].sum()),
            *what,
        )
        for _, column, value, rows, share, rest, *what in found[:_MOST_SYSTEMATIC]
    ]


def _regions(columns):
    """Categories, spans of time, and both: column, text, and which rows."""
    halves = []
    for column in (one for one in columns if one.edges):
        # Quarters of the rows: more dates would be more tests.
        for k in np.unique(np.linspace(0, len(column.edges) - 1, 5)[1:-1].astype(int)):
            early, known = column.codes <= k, column.codes <= len(column.edges)
            halves.append((column.name, f"before {column.edges[k]}", early))
            halves.append((column.name, f"since {column.edges[k]}", known & ~early))
    yield from halves
    for column in columns:
        if column.edges is None:
            for code, name in enumerate(column.names):
                rows = column.codes == code
                yield column.name, f"= {name!r}", rows
                if len(column.names) <= _MOST_CROSSED:
                    for dates, text, half in halves:
                        yield column.name, f"= {name!r}, {dates} {text},", rows & half


def _calibrated(s, is_z):
    """a s + b, and the shares of other rows that are given z and of rows of z that are given another label."""

    def rates(theta):
        return 0.45 * expit(theta[2]), 0.45 * expit(theta[3])

    def loss(theta):
        low, high = rates(theta)
        P = low + (1 - low - high) * expit(theta[0] * s + theta[1])
        # Few rows are as good as none for telling random mistakes from overlap.
        return -np.log(np.where(is_z, P, 1 - P)).sum() + ((theta[2:] + 2.5) ** 2).sum() / 8

    theta = minimize(
        loss, [1.0, 0.0, -2.5, -2.5], method="L-BFGS-B", bounds=[(0, 20), (-8, 8), (-5, 5), (-5, 5)]
    ).x
    return theta[0] * s + theta[1], *rates(theta)


def _share_beside_shift(s, is_z, low, high):
    """The share of other rows that are given z, and the gain in log likelihood, a free shift of s with and without."""
    shift = np.zeros((len(_SHARES), 1))
    kept = 1 - _SHARES[:, None]
    for _ in range(12):  # Fisher scoring
        q = expit(s + shift)
        P = 1 - kept * (1 - low - (1 - low - high) * q)
        slope = kept * (1 - low - high) * q * (1 - q)
        variance = np.maximum(P * (1 - P), 1e-12)
        step = (slope * (is_z - P) / variance).sum(axis=1) / np.maximum(
            (slope**2 / variance).sum(axis=1), 1e-6
        )
        shift = np.clip(shift + np.clip(step, -1, 1)[:, None], -8, 8)
    P = np.clip(1 - kept * (1 - low - (1 - low - high) * expit(s + shift)), 1e-12, 1 - 1e-12)
    likelihood = np.where(is_z, np.log(P), np.log1p(-P)).sum(axis=1)
    best = int(np.argmax(likelihood))
    return _SHARES[best], likelihood[best] - likelihood[0]
