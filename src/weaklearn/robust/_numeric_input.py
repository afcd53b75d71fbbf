"""A clear error for columns that are not numbers, before anything is computed."""

__all__ = ["check_numeric_columns"]


def check_numeric_columns(X):
    """Raise a ValueError that names the columns of a data frame that are neither numbers nor booleans."""
    dtypes = getattr(X, "dtypes", None)
    columns = getattr(X, "columns", None)
    if dtypes is None or columns is None:
        return
    refused = [
        f"{name!r} ({dtype})"
        for name, dtype in zip(columns, dtypes, strict=True)
        if any(kind in str(dtype).lower() for kind in ("str", "cat", "enum", "date", "time", "duration"))
        or (str(dtype) == "object" and _holds_text(X[name]))
    ]
    if refused:
        raise ValueError(
            f"Only columns of numbers or booleans are supported, but found {', '.join(refused[:5])}"
            f"{' and others' if len(refused) > 5 else ''}. Encode these columns first, for instance with "
            "sklearn.preprocessing.OneHotEncoder or OrdinalEncoder."
        )


def _holds_text(column):
    return any(isinstance(value, str) for value in column)
