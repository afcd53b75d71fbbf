"""The lab's user error."""

__all__ = ["LabError"]


class LabError(Exception):
    """User error: one sentence that says what is wrong and what to do."""
