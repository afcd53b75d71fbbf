"""The lab's user errors."""


class LabError(Exception):
    """User error: one sentence that says what is wrong and what to do."""


class CallError(LabError):
    """The call itself is wrong: it names something that does not exist or cannot be made."""
