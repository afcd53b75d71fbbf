"""The lab's user error."""


class LabError(Exception):
    """User error: one sentence that says what is wrong and what to do."""
