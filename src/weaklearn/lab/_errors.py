"""The lab's user errors."""


class LabError(Exception):
    """User error: one sentence that says what is wrong and what to do."""


class PlaceError(LabError):
    """A file or a folder of the call cannot be made."""
