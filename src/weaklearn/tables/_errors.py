"""The one error of this room."""

__all__ = ["TableError"]


class TableError(ValueError):
    """The table cannot be used; the message names the file or column and says what to do."""
