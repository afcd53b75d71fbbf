"""The sentences of an audit that both the page and the command show. Nothing is decided by them."""

import math

__all__ = ["count", "lead", "list_sentence", "many", "percent"]

# A range wider than this share of the rows says more than the number in its middle.
_WIDE = 0.15


def many(number, singular, plural=None):
    """ "1 row", "1,200 rows"."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def count(number):
    """A count as people read it: with separators, three digits that matter."""
    number = round(number)
    if number >= 1000:
        step = 10 ** (len(str(number)) - 3)
        number = round(number / step) * step
    return f"{number:,}"


def percent(share):
    """A share as a percentage, never rounded to certainty."""
    if 0 < share < 0.005:
        return "less than 1%"
    return "more than 99%" if 0.995 <= share < 1 else f"{100 * share:.0f}%"


def lead(audit):
    """The answer in one sentence."""
    n, (low, high) = len(audit.table.y), audit.n_wrong_interval
    low, high = math.floor(low), math.ceil(high)
    if high - low > _WIDE * n:
        return (
            f"Between {count(low)} and {count(high)} of {n:,} labels are wrong (90% interval). "
            "The columns do not tell the labels apart well enough to say it more exactly."
        )
    if round(audit.n_wrong) == 0:
        return f"Hardly any of {n:,} labels is wrong (90% interval {count(low)} to {count(high)})."
    verb = "label is" if n == 1 else "labels are"
    said = f"About {count(audit.n_wrong)} of {n:,} {verb} wrong (90% interval {count(low)} to {count(high)})."
    return said if low > 0 else f"{said} It may be none."


def list_sentence(audit):
    """How many rows are on the list, and how many of them are expected to be wrong."""
    length = len(audit.listed)
    if length == 0:
        return "No row is on the list: none reaches the precision that was asked for."
    expected = audit.expected_precision * length
    if length == 1:
        return (
            f"1 row is on the list; its label is wrong with probability {percent(audit.expected_precision)}."
        )
    said = "fewer than one" if expected < 0.5 else f"about {count(expected)}"
    return (
        f"Of the {length:,} rows on the list, {said} should be wrong ({percent(audit.expected_precision)})."
    )
