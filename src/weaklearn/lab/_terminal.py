"""A reproduction as lines of a terminal: claims by document, then tables, then the sentences to remember."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from weaklearn.console import output_console
from weaklearn.lab._agreement import Agreement
from weaklearn.lab._claim import FAILS, HOLDS, IN_PART, OPEN, ClaimResult
from weaklearn.lab._reproduction import Reproduction
from weaklearn.lab._wording import (
    CLAIM_SIGNS,
    TABLE_SIGNS,
    claim_effect,
    claim_places,
    claims_sentence,
    sentence,
    tables_sentence,
    tally,
)

# What a reader asks about comes first.
_ORDER = (FAILS, IN_PART, OPEN, HOLDS)
_COLOURS = {"good": "green", "bad": "red", "open": "yellow", "neutral": "cyan"}


def print_claims(result: Reproduction) -> None:
    """By document: the tally, then what does not hold, holds in part or is open, then a line for each that holds."""
    console = output_console()
    for document in dict.fromkeys(one.document for one in result.claims):
        own = [one for one in result.claims if one.document == document]
        console.print(Text(f"{document}: {tally(own)}", style="bold"))
        entries = Table.grid(padding=(0, 1, 0, 0))
        for one in sorted(own, key=lambda one: _ORDER.index(one.verdict)):
            sign = CLAIM_SIGNS[one.verdict]
            # Two spaces, the sign and one more stand before the text.
            text = _entry(one, result.live_result(one), console.width - 5)
            entries.add_row(Text(f"  {sign.mark}", _COLOURS[sign.tone]), text)
        console.print(entries, Text())


def _entry(one: ClaimResult, live: ClaimResult | None, width: int) -> Text:
    """The sentence, and in dim text its place, its effect and what else there is to say; one line if it holds."""
    said = f"({one.claim.claim})" if one.claim.reading else one.claim.claim
    now = "" if live is None else "now too" if live.verdict == one.verdict else f"now: {live.verdict}"
    effect = claim_effect(one)
    if one.verdict != HOLDS:
        about = "; ".join(filter(None, (one.claim.where, effect, claim_places(one), now)))
        return Text.assemble(said, "\n", (about, "dim"))
    about = "; ".join(filter(None, (effect, now)))
    if len(said) + 1 + len(about) > width:
        about = now
    text = Text(said)
    text.truncate(width - 1 - len(about) if about else width, overflow="ellipsis")
    return Text.assemble(text, (f" {about}".rstrip(), "dim"))


def print_tables(tables: Sequence[tuple[Agreement, Agreement | None]]) -> None:
    """One line for each table of means."""
    if not tables:
        return
    console = output_console()
    console.print(Text("tables of means", style="bold"))
    meanings = ", ".join(f"{sign.mark} {verdict}" for verdict, sign in TABLE_SIGNS.items())
    console.print(Text(f"{meanings}; the second sign: without the cells that a note explains", style="dim"))
    heads = ("", "cells", "differ by", "at most", "tolerance", "spread")
    rows = [(_name(whole), str(whole.n_cells), *_numbers(whole)) for whole, _ in tables]
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        first, *others = zip(cells, widths, strict=True)
        return " ".join([first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)])

    console.print(Text(f"      {line(heads)}", style="dim"), overflow="crop", no_wrap=True)
    for cells, judged in zip(rows, tables, strict=True):
        signs = [TABLE_SIGNS[one.verdict] if one is not None else None for one in judged]
        shown = [(sign.mark, _COLOURS[sign.tone]) if sign else " " for sign in signs]
        text = Text.assemble("  ", shown[0], " ", shown[1], " ", line(cells))
        console.print(text, overflow="crop", no_wrap=True)
    console.print()


def _name(table: Agreement) -> str:
    units = {"percent": "%", "input units": "units", "input units squared": "units²"}
    return f"{table.document} {table.table} ({units.get(table.measure, table.measure)})"


def _numbers(table: Agreement) -> list[str]:
    return [f"{number:.2g}" for number in (table.rms, table.upper, table.tolerance, table.spread)]


def print_sentences(result: Reproduction) -> None:
    """What a newcomer can repeat."""
    console = output_console()
    if result.checked:
        console.print(
            f"{result.checked:,} recorded trials were run again: {result.identical:,} identical to the last bit."
        )
    if result.claims:
        console.print(sentence(claims_sentence(result.claims)))
    if result.tables:
        console.print(sentence(tables_sentence(result.tables)))
