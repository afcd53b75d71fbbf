"""Messy files, each with the expected result. `docs/tables.md` shows the same list."""

import bz2
import gzip
import io
import lzma
import zipfile
from dataclasses import dataclass, field

from weaklearn.tables import Kind

ROWS = 12
LABELS = ["a", "b", "b", "a", "b", "a", "a", "b", "b", "a", "b", "a"]
X = [1.5, 2.25, 3.75, 0.5, 2.5, 9.125, 4.5, 6.75, 5.25, 8.5, 7.75, 3.25]


def separated(columns, separator=",", header=True, end="\n"):
    lines = [separator.join(columns)] if header else []
    lines += [separator.join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    return end.join(lines) + end


def comma(values):
    return [f"{value}".replace(".", ",") for value in values]


PLAIN = separated({"x": X, "y": LABELS})


@dataclass(frozen=True)
class Messy:
    """A file: its name and bytes, and either the kinds of its columns or the error it must give."""

    what: str
    name: str
    content: bytes
    kinds: dict = field(default_factory=dict)
    error: str = ""
    notes: tuple = ()
    n_missing: dict = field(default_factory=dict)
    options: dict = field(default_factory=dict)
    label: str = "y"
    values: dict = field(default_factory=dict)


def zipped(**files):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return stream.getvalue()


def excel(rows, second=None):
    import openpyxl

    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    if second:
        sheet = book.create_sheet("second")
        for row in second:
            sheet.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


NUMBER = {"x": Kind.NUMBER}
RECORDS = [["x", "y"], *([value, label] for value, label in zip(X, LABELS, strict=True))]
JSON = "\n".join(f'{{"x": {value}, "y": "{label}"}}' for value, label in zip(X, LABELS, strict=True))
DATES = [f"2024-{month:02d}-15" for month in range(1, 13)]
SAME = {"x": X}

FILES = [
    Messy(
        "semicolons and decimal commas",
        "t.csv",
        separated({"x": comma(X), "y": LABELS}, ";").encode(),
        NUMBER,
        values=SAME,
    ),
    Messy("tabs", "t.tsv", separated({"x": X, "y": LABELS}, "\t").encode(), NUMBER, values=SAME),
    Messy("bars", "t.txt", separated({"x": X, "y": LABELS}, "|").encode(), NUMBER, values=SAME),
    Messy(
        "a separator hint of a spreadsheet",
        "t.csv",
        ("sep=;\n" + separated({"x": X, "y": LABELS}, ";")).encode(),
        NUMBER,
        values=SAME,
    ),
    Messy("UTF-8 with a byte order mark", "t.csv", PLAIN.encode("utf-8-sig"), NUMBER, values=SAME),
    Messy("UTF-16", "t.csv", PLAIN.encode("utf-16"), NUMBER, values=SAME),
    Messy("UTF-16 without a byte order mark", "t.csv", PLAIN.encode("utf-16-le"), NUMBER, values=SAME),
    Messy("Latin-1", "t.csv", separated({"größe": X, "y": LABELS}).encode("latin-1"), {"größe": Kind.NUMBER}),
    Messy(
        "line ends of Windows",
        "t.csv",
        separated({"x": X, "y": LABELS}, end="\r\n").encode(),
        NUMBER,
        values=SAME,
    ),
    Messy(
        "line ends of an old Mac",
        "t.csv",
        separated({"x": X, "y": LABELS}, end="\r").encode(),
        NUMBER,
        values=SAME,
    ),
    Messy("gzip", "t.csv.gz", gzip.compress(PLAIN.encode()), NUMBER, values=SAME),
    Messy("bzip2", "t.csv.bz2", bz2.compress(PLAIN.encode()), NUMBER, values=SAME),
    Messy("xz", "t.csv.xz", lzma.compress(PLAIN.encode()), NUMBER, values=SAME),
    Messy("zip with one file", "t.zip", zipped(**{"inner.csv": PLAIN}), NUMBER, values=SAME),
    Messy("zip with two files", "t.zip", zipped(a=PLAIN, b=PLAIN), error="holds 2 .*unpack it first"),
    Messy(
        "half of a gzip file",
        "t.csv.gz",
        gzip.compress(PLAIN.encode())[:40],
        error="cannot be read.*complete",
    ),
    Messy("JSON lines", "t.jsonl", JSON.encode(), NUMBER, values=SAME),
    Messy("broken JSON lines", "t.jsonl", (JSON + "\n{oops").encode(), error="line 13 of .* is not JSON"),
    Messy("Excel", "t.xlsx", excel(RECORDS), NUMBER, values=SAME),
    Messy(
        "Excel, second sheet",
        "t.xlsx",
        excel([["empty"]], RECORDS),
        NUMBER,
        options={"sheet": 2},
        values=SAME,
    ),
    Messy(
        "Excel, no such sheet",
        "t.xlsx",
        excel(RECORDS),
        error="no sheet 'data'; the sheets are: Sheet",
        options={"sheet": "data"},
    ),
    Messy(
        "Excel under the name of a CSV file",
        "t.csv",
        excel(RECORDS),
        error="give it the ending .zip or .xlsx",
    ),
    Messy("old Excel", "t.xls", b"\xd0\xcf\x11\xe0", error="save it as .xlsx or CSV"),
    Messy("a web page", "t.csv", b"<!DOCTYPE html><html></html>", error="is a web page"),
    Messy(
        "a picture", "t.csv", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x01\x02\x03", error="is not a text table"
    ),
    Messy("an empty file", "t.csv", b"", error="is empty"),
    Messy("a header and nothing else", "t.csv", b"x,y\n", error="0 labelled rows"),
    Messy(
        "no header",
        "t.csv",
        separated({"x": X, "y": LABELS}, header=False).encode(),
        {"column 1": Kind.NUMBER},
        options={"header": False},
        label="column 2",
    ),
    Messy(
        "empty lines and a separator at the end of each line",
        "t.csv",
        ("\n" + PLAIN.replace("\n", ",\n") + "\n\n").encode(),
        NUMBER,
        values=SAME,
    ),
    Messy(
        "a row that is too short",
        "t.csv",
        (PLAIN + "7\n").encode(),
        error="row 13 of .* has 1 cells, the header has 2",
    ),
    Messy("a comma inside a number", "t.csv", (PLAIN + "7,5,a\n").encode(), error="put it in double quotes"),
    Messy(
        "quotes, line breaks and commas in cells",
        "t.csv",
        separated({"x": X, "text": ['"say ""hi"",\nagain"'] * 6 + ["b"] * 6, "y": LABELS}).encode(),
        {"x": Kind.NUMBER, "text": Kind.CATEGORY},
    ),
    Messy(
        "two columns of one name",
        "t.csv",
        separated({"x": X, " x": X, "y": LABELS}).encode(),
        error="same name: 'x'",
    ),
    Messy(
        "thousands separators",
        "t.csv",
        separated({"x": [f'"{1000 * v:,.2f}"' for v in X], "y": LABELS}).encode(),
        NUMBER,
        values={"x": [1000 * v for v in X]},
    ),
    Messy(
        "points as thousands separators",
        "t.csv",
        separated(
            {"x": [f"{1000 * v:,.2f}".translate(str.maketrans(",.", ".,")) for v in X], "y": LABELS}, ";"
        ).encode(),
        NUMBER,
        values={"x": [1000 * v for v in X]},
    ),
    Messy(
        "percent signs and currencies",
        "t.csv",
        separated({"p": [f"{v}%" for v in X], "c": [f"${v}" for v in X], "y": LABELS}).encode(),
        {"p": Kind.NUMBER, "c": Kind.NUMBER},
        values={"p": [v / 100 for v in X], "c": X},
    ),
    Messy(
        "words for missing",
        "t.csv",
        separated({"x": ["?", "NA", "n/a", "-", "null", "None", "", "#N/A", *X[8:]], "y": LABELS}).encode(),
        NUMBER,
        n_missing={"x": 8},
    ),
    Messy(
        "-999 for missing",
        "t.csv",
        separated({"x": [*X[:9], -999, -999, -999], "y": LABELS}).encode(),
        NUMBER,
        n_missing={"x": 3},
    ),
    Messy(
        "a typing error in a number",
        "t.csv",
        separated({"x": [*X[:11], "3.2S"], "y": LABELS}).encode(),
        NUMBER,
    ),
    Messy("dates", "t.csv", separated({"d": DATES, "y": LABELS}).encode(), {"d": Kind.DATE}),
    Messy(
        "dates, day first",
        "t.csv",
        separated({"d": [f"{d}/02/2023 10:30" for d in range(9, 21)], "y": LABELS}).encode(),
        {"d": Kind.DATE},
    ),
    Messy(
        "dates, month first",
        "t.csv",
        separated({"d": [f"2/{d}/2023" for d in range(9, 21)], "y": LABELS}).encode(),
        {"d": Kind.DATE},
    ),
    Messy(
        "dates as names",
        "t.csv",
        separated({"d": [f"{d} Mar 2023" for d in range(9, 21)], "y": LABELS}).encode(),
        {"d": Kind.DATE},
    ),
    Messy(
        "yes and no",
        "t.csv",
        separated({"b": ["Yes", "no", "NO"] * 4, "c": [0, 1] * 6, "y": LABELS}).encode(),
        {"b": Kind.BOOLEAN, "c": Kind.BOOLEAN},
    ),
    Messy(
        "identifiers",
        "t.csv",
        separated({"id": range(12), "code": [f"k{i}" for i in range(12)], "x": X, "y": LABELS}).encode(),
        {"id": Kind.IDENTIFIER, "code": Kind.IDENTIFIER, "x": Kind.NUMBER},
    ),
    Messy(
        "constant and empty columns",
        "t.csv",
        separated({"k": [1] * 12, "e": [""] * 12, "x": X, "y": LABELS}).encode(),
        {"k": Kind.CONSTANT, "e": Kind.EMPTY, "x": Kind.NUMBER},
    ),
    Messy(
        "nothing but constants",
        "t.csv",
        separated({"k": [1] * 12, "y": LABELS}).encode(),
        error="no column can be used",
    ),
    Messy(
        "labels 1, 1.0 and ' 1 '",
        "t.csv",
        separated({"x": X, "y": ["1", "1.0", " 1 ", "0"] * 3}).encode(),
        NUMBER,
        notes=("Labels that are the same number are merged: '1', '1.0' are '1'.",),
    ),
    Messy(
        "labels that differ in case",
        "t.csv",
        separated({"x": X, "y": ["Yes", "yes", "no"] * 4}).encode(),
        NUMBER,
        notes=("Labels that differ only in case or spaces count as different classes: 'Yes', 'yes'.",),
    ),
    Messy(
        "a class of one row",
        "t.csv",
        separated({"x": X, "y": ["rare", *LABELS[1:]]}).encode(),
        NUMBER,
        notes=("'rare' has one row.",),
    ),
    Messy(
        "rows without a label",
        "t.csv",
        (PLAIN + "4,\n5,?\n").encode(),
        NUMBER,
        notes=("2 rows have no label and are left out.",),
    ),
    Messy("one class", "t.csv", separated({"x": X, "y": ["a"] * 12}).encode(), error="only one class, 'a'"),
    Messy(
        "a measurement as the label",
        "t.csv",
        separated({"x": LABELS, "y": X}).encode(),
        error="does not look like a class",
    ),
    Messy(
        "a title above the header",
        "t.csv",
        ("My table\n" + PLAIN).encode(),
        error="delete lines above the header",
    ),
    Messy(
        "no header, without header=False",
        "t.csv",
        separated({"x": X, "y": LABELS}, header=False).encode(),
        error="The first row looks like data",
    ),
    Messy(
        "codes with underscores",
        "t.csv",
        separated({"code": ["2023_01", "2023_02", "2023_03"] * 4, "x": X, "y": LABELS}).encode(),
        {"code": Kind.CATEGORY, "x": Kind.NUMBER},
    ),
    Messy(
        "a wrong label column",
        "t.csv",
        PLAIN.encode(),
        error="there is no column 'Label'. The columns are: x, y",
        label="Label",
    ),
    Messy("a label column in another case", "t.csv", PLAIN.encode(), error="did you mean 'y'", label="Y"),
]
