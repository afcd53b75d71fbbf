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
    """One classifier. Errors are shares; all differences are paired, from the classifier with the lowest error.

    Attributes
    ----------
    name : str
    ours : bool
        Whether it is one of this package.
    error, low, high : float
        Mean error in repeated cross-validation and its 95% interval.
    log_loss : float or None
        None without probabilities. A row counts at most -log(1e-6).
    auc : float or None
        Area under the ROC curve, the mean over test parts; None without scores.
    seconds : float
        Mean time of a fit, preprocessing included, compilation not.
    difference, difference_standard_error, difference_low, difference_high : float or None
        In error; None for the first one itself.
    p_value : float or None
        Of this difference, corrected by Holm's rule.
    clone_rank : int or None
        Place by the mean error on clones, 1 for the lowest; None without clones.
    clone_difference, clone_standard_error : float or None
        In error on clones, with the standard error over clones.
    fold_errors : list of float
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
    difference: float | None = None
    difference_standard_error: float | None = None
    difference_low: float | None = None
    difference_high: float | None = None
    p_value: float | None = None
    clone_rank: int | None = None
    clone_difference: float | None = None
    clone_standard_error: float | None = None
    fold_errors: tuple[float, ...] = ()
    failure: str = ""


@dataclass(frozen=True)
class Comparison:
    """What `compare` found, the best classifier first.

    Attributes
    ----------
    label : str
    n_rows : int
    class_counts : dict
    models : list of ModelResult
    columns : tuple of Column
    notes : list of Note
    n_folds, n_repeats, n_clones : int
    clone : str
        How close the clones are; empty without clones.
    seed : int
    interrupted : bool
        Whether the comparison was stopped; it then holds the classifiers that were done.
    """

    label: str
    n_rows: int
    class_counts: dict
    models: list
    columns: tuple[Column, ...]
    notes: list
    n_folds: int
    n_repeats: int
    n_clones: int
    clone: str = ""
    seed: int = 0
    interrupted: bool = False

    @property
    def best(self):
        """The classifier with the lowest error."""
        return self.models[0]

    @property
    def recommended(self):
        """The classifier to use: of those with no clear difference from the best in error, the one with the least log
        loss; the best itself if none of them gives probabilities. None if the majority class is among them.
        """
        tied = self._tied()
        if any(m.name == MAJORITY for m in tied):
            return None
        certain = [m for m in tied if m.log_loss is not None]
        return min(certain, key=lambda m: m.log_loss) if certain else self.best

    def _tied(self):
        """The best classifier, and those with no clear difference from it."""
        others = [m for m in self.models[1:] if m.p_value is not None and m.p_value > _SIGNIFICANT]
        return [self.best, *others]

    @property
    def verdict(self):
        """One sentence that says what the comparison shows."""
        best = self.best
        tied = [m.name for m in self._tied()[1:]]
        tested = [m for m in self.models[1:] if m.p_value is not None]
        start = f"{best.name[0].upper()}{best.name[1:]} has the lowest error, {100 * best.error:.1f}%"
        if not tested:
            return f"{start}; no other classifier was tested."
        if not tied:
            return f"{start}, and its lead over every other classifier is significant."
        return f"{start}; on this table there is no clear difference from {_named(tied)}."

    @property
    def advice(self):
        """A sentence or two on what to do with the result."""
        chosen = self.recommended
        if chosen is None:
            return (
                "No classifier is significantly better than predicting the majority class: these columns say little "
                "about the label, or there are too few rows. Collect more rows or other columns before using any of "
                "them."
            )
        said = [f"Use {chosen.name}"]
        if len(self._tied()) == 1:
            said.append(": nothing else comes close on this table.")
        elif chosen.log_loss is None:
            said.append(": it has the lowest error, but gives no probabilities.")
        elif chosen is self.best:
            said.append(": it has the lowest error, and the best-calibrated probabilities among the ties.")
        else:
            said.append(
                f": there is no clear difference between its error and the lowest, and its probabilities are the "
                f"best among the ties (log loss {chosen.log_loss:.3f})."
            )
        seen = self._visible_difference()
        if seen is not None:
            said.append(
                f" With {self.n_rows} rows, differences below about {100 * seen:.1f} points cannot be seen."
            )
        return "".join(said)

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


def _named(names):
    shown = ", ".join(names[:_MOST_NAMED])
    return shown + (f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else "")
