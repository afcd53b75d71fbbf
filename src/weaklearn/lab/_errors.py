"""What the lab tells its user when it cannot go on."""

__all__ = ["LabError"]


class LabError(Exception):
    """A fault the user can mend: one sentence that says what is wrong and what to do."""
