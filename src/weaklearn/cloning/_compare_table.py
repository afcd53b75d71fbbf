"""From a labelled table to what classifiers are fitted to, saying what was done to each column.

Which columns can be used, and which hold numbers, is decided as `weaklearn.complexity.audit` decides it. What is
*learned* from a column (its median, scale and categories) is left to the pipeline, so that it is learned in training
parts only.
"""

from dataclasses import dataclass

import numpy as np

from weaklearn.complexity._table import _MISSING, _number, labelled_table

__all__ = ["Prepared", "prepared"]


@dataclass(frozen=True)
class Prepared:
    """The usable columns of a table: an array of objects, numbers first recognised, and how it is made numeric."""

    X: np.ndarray
    y: np.ndarray
    numeric: list
    label: str
    columns: list
    notes: list

    def pipeline(self, estimator):
        """The estimator behind what it needs: medians, scales and one-hot columns, learned where it is fitted."""
        from sklearn.base import clone
        from sklearn.compose import ColumnTransformer
        from sklearn.impute import SimpleImputer
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import OneHotEncoder, StandardScaler

        numbers = [j for j, numeric in enumerate(self.numeric) if numeric]
        categories = [j for j, numeric in enumerate(self.numeric) if not numeric]
        filled = SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True)
        parts = [
            ("numbers", make_pipeline(filled, StandardScaler()), numbers),
            ("categories", OneHotEncoder(handle_unknown="ignore", sparse_output=False), categories),
        ]
        return make_pipeline(ColumnTransformer([part for part in parts if part[2]]), clone(estimator))


def prepared(table, label):
    """Read a labelled table and keep the columns that can be used, each with a word on its treatment."""
    read = labelled_table(table, label)
    columns, numeric, kept = [], [], []
    for name, treatment in read.columns:
        if treatment.endswith("left out"):
            columns.append((name, treatment))
            continue
        is_number = treatment.startswith(("number", "constant but"))
        missing = np.array([text.lower() in _MISSING for text in read.cells[name]])
        if is_number:
            values = np.array(
                [
                    np.nan if gone else _number(text)
                    for text, gone in zip(read.cells[name], missing, strict=True)
                ]
            )
            gone = int(np.isnan(values).sum())
            said = "number, standardised" + (
                f"; {gone} missing: the median, and a column that says so" if gone else ""
            )
        else:
            values = np.array(
                ["(missing)" if g else text for text, g in zip(read.cells[name], missing, strict=True)],
                dtype=object,
            )
            said = f"{len(set(values))} categories, one column each" + (
                f"; {missing.sum()} missing as a category of their own" if missing.any() else ""
            )
        kept.append(values)
        numeric.append(is_number)
        columns.append((name, said))
    X = np.empty((len(read.y), len(kept)), dtype=object)
    for j, values in enumerate(kept):
        X[:, j] = values
    return Prepared(X, read.y, numeric, read.label, columns, list(read.notes))
