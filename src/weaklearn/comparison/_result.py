"""What `compare` returns, and the sentences that say what it means."""

from dataclasses import asdict, dataclass

import numpy as np

from weaklearn._files import write_file
from weaklearn.tables import Column, described

MAJORITY = "majority class"
_SIGNIFICANT = 0.05
_MOST_NAMED = 6


@dataclass(frozen=True)
class ModelResult:
    """One classifier. Errors are shares; differences are paired, from the choice, on the folds both were in.

    Attributes
    ----------
    name : str
    ours : bool
        Whether it is one of this package.
    error, low, high : float
        Mean error in cross-validation and its 95% interval. Of a classifier that left early, plus what the error of the
        choice in the other folds exceeds that in these: so errors can be compared.
    log_loss : float or None
        Of given labels; None without probabilities. A row counts at most -log(1e-6).
    auc : float or None
        Area under the ROC curve, the mean over test parts; None without scores.
    seconds : float
        Median time of a fit, preprocessing included, compilation not.
    n_folds : int
        In how many folds it was; fewer than others if it could not win any more.
    difference, difference_standard_error, difference_low, difference_high : float or None
        In error; None for the choice itself.
    p_value : float or None
        Of this difference, corrected by Holm's rule.
    failure : str
        The error of a classifier that could not be fitted; its numbers are NaN or None then.
    """

    name: str
    ours: bool
    error: float = np.nan
    low: float = np.nan
    high: float = np.nan
    log_loss: float | None = None
    auc: float | None = None
    seconds: float = np.nan
    n_folds: int = 0
    difference: float | None = None
    difference_standard_error: float | None = None
    difference_low: float | None = None
    difference_high: float | None = None
    p_value: float | None = None
    failure: str = ""


@dataclass(frozen=True)
class Comparison:
    """What `compare` found, the choice first, the others by their difference from it.

    Attributes
    ----------
    label : str
    n_rows : int
    class_counts : dict
    models : list of ModelResult
    columns : tuple of Column
    notes : list of Note
    n_folds, n_repeats : int
        Of the classifiers that stayed to the end.
    regret, most_regret : float
        By how much the error of the choice is expected to exceed that of the best of these classifiers, and the 95th
        percentile of that.
    seed : int
    interrupted : bool
        Whether the comparison was stopped.
    reader : str
        How pandas reads new rows from a file in the format of the table.
    """

    label: str
    n_rows: int
    class_counts: dict
    models: list
    columns: tuple[Column, ...]
    notes: list
    n_folds: int
    n_repeats: int
    regret: float = 0.0
    most_regret: float = 0.0
    seed: int = 0
    interrupted: bool = False
    reader: str = 'pandas.read_csv("new_rows.csv")'

    @property
    def best(self):
        """The classifier with the lowest expected error: cross-validation and the prior of `compare` together."""
        return self.models[0]

    @property
    def recommended(self):
        """The classifier to use: `best`, or None if there is no clear difference from the majority class."""
        return None if any(m.name == MAJORITY for m in self._tied()) else self.best

    def _tied(self):
        """The choice, and those with no clear difference from it."""
        others = [m for m in self.models[1:] if m.p_value is not None and m.p_value > _SIGNIFICANT]
        return [self.best, *others]

    @property
    def verdict(self):
        """One sentence: what to use, and how much better another one may be."""
        if self.recommended is None:
            return "No classifier is significantly better than predicting the majority class."
        tested = len([m for m in self.models if not m.failure])
        if tested == 1:
            return f"Use {self.best.name}: no other classifier was tested."
        if max(100 * self.regret, 100 * self.most_regret) < 0.05:
            return f"Use {self.best.name}: it should be the best of these {tested} on new rows."
        return (
            f"Use {self.best.name}: on new rows its error should be about {_points(self.regret)} above the best of "
            f"these {tested}, at most {_points(max(self.regret, self.most_regret))} (95%)."
        )

    @property
    def advice(self):
        """The reason, and what this table cannot show."""
        if self.recommended is None:
            return (
                "These columns say little about the label, or there are too few rows. Collect more rows or other "
                "columns before using any of them."
            )
        best = self.best
        said = [f"Its error is {100 * best.error:.1f}% ({100 * best.low:.1f} to {100 * best.high:.1f})"]
        tied, others = [m.name for m in self._tied()[1:]], [m for m in self.models[1:] if not m.failure]
        if not others:
            return f"{said[0]}."
        if not tied:
            said.append(", and its lead over every other classifier is significant.")
        elif min(m.difference for m in others) > 0:
            said.append(f", the lowest; there is no clear difference from {_named(tied)}.")
        elif any(m.difference < 0 for m in others):
            said.append(
                f". {_capital(min(others, key=lambda m: m.difference).name)} has a lower one here, but on tables of "
                f"this size it usually does worse; there is no clear difference from {_named(tied)}."
            )
        else:
            said.append(f"; there is no clear difference from {_named(tied)}.")
        seen = self._visible_difference()
        if seen is not None:
            said.append(
                f" With {self.n_rows} rows, differences below about {100 * seen:.1f} points cannot be seen."
            )
        return "".join(said)

    @property
    def code(self):
        """The lines that use the saved classifier."""
        return (
            "import pandas, weaklearn\n"
            'model = weaklearn.load("model.skops")\n'
            f"print(model.predict({self.reader}))\n"
        )

    def _visible_difference(self):
        """The median half width of the intervals of differences, without that of the majority class."""
        halves = [
            (m.difference_high - m.difference_low) / 2
            for m in self.models
            if m.difference is not None and m.name != MAJORITY
        ]
        return float(np.median(halves)) if halves else None

    def to_dict(self):
        """All numbers as plain data; None for the numbers of classifiers that failed.

        Returns
        -------
        dict
        """
        recommended = self.recommended
        said = {
            "columns": described(self.columns),
            "notes": [str(note) for note in self.notes],
            "recommended": None if recommended is None else recommended.name,
            "verdict": self.verdict,
            "advice": self.advice,
        }
        return {**_without_nan(asdict(self)), **said}

    def to_html(self, path=None):
        """The report as one self-contained page; written to ``path`` if it is given, and returned."""
        from weaklearn.comparison._report import page  # matplotlib, which nothing else here needs

        text = page(self)
        if path is not None:
            write_file(path, text)
        return text


def _without_nan(value):
    if isinstance(value, dict):
        return {str(name): _without_nan(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(item) for item in value]
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value.item() if isinstance(value, np.generic) else value


def _points(share):
    return "less than 0.1 points" if share < 0.0005 else f"{100 * share:.1f} points"


def _capital(name):
    return name[0].upper() + name[1:]


def _named(names):
    shown = ", ".join(names[:_MOST_NAMED])
    return shown + (f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else "")
