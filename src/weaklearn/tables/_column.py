"""What is known about a column, as data: decisions are made from these enums and numbers, never from sentences."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

__all__ = ["Column", "Kind", "Reason", "TableError", "Treatment"]


class TableError(ValueError):
    """The table cannot be used; the message names the file or column and says what to do."""


class Kind(StrEnum):
    """What a column holds."""

    NUMBER = "number"
    BOOLEAN = "boolean"
    CATEGORY = "category"
    DATE = "date"
    TEXT = "text"
    IDENTIFIER = "identifier"
    CONSTANT = "constant"
    EMPTY = "empty"


class Treatment(StrEnum):
    """What the encoder does with a column."""

    SCALED = "scaled"
    ONE_HOT = "one_hot"
    TARGET_ENCODED = "target_encoded"
    DATE_PARTS = "date_parts"
    PRESENCE = "presence"
    DROPPED = "dropped"


class Reason(StrEnum):
    """Why a column is treated as it is."""

    NUMBERS = "numbers"
    TWO_VALUES = "two_values"
    FEW_CATEGORIES = "few_categories"
    MANY_CATEGORIES = "many_categories"
    TOO_MANY_VALUES = "too_many_values"
    DATES = "dates"
    COUNTS_UP = "counts_up"
    ALL_DIFFERENT = "all_different"
    ONE_VALUE = "one_value"
    ONE_VALUE_OR_MISSING = "one_value_or_missing"
    NO_VALUE = "no_value"
    ASKED_FOR = "asked_for"


@dataclass(frozen=True)
class Column:
    """One column of a table: what it holds, what is done with it, and why.

    Attributes
    ----------
    name : str
    kind : Kind
    treatment : Treatment
    reason : Reason
    n_missing : int
        Cells that are empty, hold a word for "missing", or one of `sentinels`.
    n_unreadable : int
        Cells of a column of numbers or dates that are neither; they count as missing.
    n_distinct : int
        Different values, missing ones aside.
    sentinels : tuple of float
        Codes such as -999 that were read as missing.
    suspected : tuple of float
        Values that look like such codes but were kept as numbers.
    decimal : {".", ","}
        The decimal mark of a column of numbers.
    ambiguous : bool
        Whether numbers or dates could also be read in another way ("1,234", "03/04/2024").
    day_first : bool
        How dates such as 03/04/2024 are read.
    compact : bool
        Whether dates are written as 20240403.
    """

    name: str
    kind: Kind
    treatment: Treatment
    reason: Reason
    n_missing: int = 0
    n_unreadable: int = 0
    n_distinct: int = 0
    sentinels: tuple[float, ...] = ()
    suspected: tuple[float, ...] = ()
    decimal: str = "."
    ambiguous: bool = False
    day_first: bool = True
    compact: bool = False

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Model files hold the enums as texts.
        kinds = {"kind": Kind, "treatment": Treatment, "reason": Reason}
        self.__dict__.update(
            {name: kinds[name](value) if name in kinds else value for name, value in state.items()}
        )

    @property
    def used(self) -> bool:
        """Whether the encoder makes anything of it."""
        return self.treatment is not Treatment.DROPPED
