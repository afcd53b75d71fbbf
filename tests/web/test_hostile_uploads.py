"""Thirty hostile files: each is refused with a reason or kept as harmless text, and the server stays alive."""

import bz2
import gzip
import io
import json
import lzma
import zipfile
from urllib.parse import quote

import pytest

from page_checks import check_page

JSON = {"Accept": "application/json"}
PLAIN = "x,y\n" + "".join(f"{k},{'ab'[k % 2]}\n" for k in range(40))


@pytest.fixture(scope="module")
def server(shared_server):
    return shared_server


def zipped(*entries):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return buffer.getvalue()


def bomb():
    """A small archive that says it holds three gigabytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("table.csv", bytes(1 << 20))
        archive.filelist[0].file_size = 3 << 30
    return buffer.getvalue()


def sheet(cells, dimension="A1:B2"):
    """An Excel file made by hand, with any cells."""
    rows = "".join(
        f'<row r="{row}">'
        + "".join(f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>' for place, text in entries)
        + "</row>"
        for row, entries in cells.items()
    )
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    relations = "http://schemas.openxmlformats.org/package/2006/relationships"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    types = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    return zipped(
        (
            "[Content_Types].xml",
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{types}.sheet.main+xml"/>'
            f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{types}.worksheet+xml"/></Types>',
        ),
        (
            "_rels/.rels",
            f'<Relationships xmlns="{relations}"><Relationship Id="r1" Type="{office}/officeDocument" '
            'Target="xl/workbook.xml"/></Relationships>',
        ),
        (
            "xl/workbook.xml",
            f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets><sheet name="s" sheetId="1" r:id="r1"/></sheets>'
            "</workbook>",
        ),
        (
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{relations}"><Relationship Id="r1" Type="{office}/worksheet" '
            'Target="worksheets/sheet1.xml"/></Relationships>',
        ),
        (
            "xl/worksheets/sheet1.xml",
            f'<worksheet xmlns="{main}"><dimension ref="{dimension}"/><sheetData>{rows}</sheetData></worksheet>',
        ),
    )


LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a0 "ha">'
    + "".join(f'<!ENTITY a{k} "{f"&a{k - 1};" * 10}">' for k in range(1, 10))
    + "]><worksheet><x>&a9;</x></worksheet>"
)

# name, content, what the refusal says (None: it is kept as a table of plain text)
REFUSED = {
    "zip bomb": ("bomb.zip", bomb, "more than 1024 MB"),
    "gzip bomb": ("bomb.csv.gz", lambda: gzip.compress(bytes(1 << 28), 1) * 5, "more than 1024 MB"),
    "xz bomb": ("bomb.csv.xz", lambda: lzma.compress(bytes(1 << 27), preset=0) * 9, "more than 1024 MB"),
    "zip of many files": (
        "many.zip",
        lambda: zipped(*((f"{k}.csv", PLAIN) for k in range(50))),
        "must hold one",
    ),
    "zip in a zip": ("nested.zip", lambda: zipped(("inner.zip", zipped(("a.csv", PLAIN)))), "is an archive"),
    "empty zip": ("empty.zip", zipped, "must hold one file"),
    "zip cut in half": ("half.zip", lambda: zipped(("a.csv", PLAIN))[:60], "cannot be read"),
    "gzip cut in half": (
        "half.csv.gz",
        lambda: gzip.compress(PLAIN.encode() * 500)[:80],
        "cannot be unpacked",
    ),
    "not gzip at all": ("fake.csv.gz", lambda: PLAIN.encode(), "cannot be unpacked"),
    "not xz at all": ("fake.csv.xz", lambda: PLAIN.encode(), "cannot be unpacked"),
    "not Parquet at all": (
        "fake.parquet",
        lambda: b"PAR1" + bytes(range(256)) * 4 + b"PAR1",
        "cannot be read",
    ),
    "not Excel at all": ("fake.xlsx", lambda: PLAIN.encode(), "cannot be read as Excel"),
    "zip called Excel": ("fake.xlsx", lambda: zipped(("a.csv", PLAIN)), "cannot be read as Excel"),
    "Excel with laughs": (
        "laughs.xlsx",
        lambda: zipped(("[Content_Types].xml", LAUGHS), ("xl/workbook.xml", LAUGHS)),
        "cannot be read as Excel",
    ),
    "Excel with one far cell": (
        "far.xlsx",
        lambda: sheet({1: [("A1", "x")], 1048576: [("XFD1048576", "y")]}, "A1:XFD1048576"),
        "The table cannot be used",
    ),
    "old Excel": ("old.xls", lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), "old Excel format"),
    "binary as CSV": ("program.csv", lambda: b"\x7fELF" + bytes(range(256)) * 40, "not a text table"),
    "a million columns": (
        "wide.csv",
        lambda: b",".join(b"c%d" % k for k in range(10**6)) + b"\n1",
        "1,000,000 columns; here it may have 1,000",
    ),
    "names that are equal": ("same.csv", lambda: b",".join([b"c"] * 5000) + b"\n", "the same name"),
    "two thousand columns": (
        "wide.csv",
        lambda: b"\n".join([b",".join(b"c%d" % k for k in range(2000)), b",".join([b"1"] * 2000)]),
        "2,000 columns; here it may have 1,000",
    ),
    "a name without end": ("long.csv", lambda: b"a" * 10**5 + b",b\n1,2\n", "100,000 characters"),
    "header only": ("header.csv", lambda: b"a,b\n", "no rows"),
    "nothing": ("nothing.csv", bytes, "The file is empty."),
    "blank lines": ("blank.csv", lambda: b"\n" * 1000, "is empty"),
    "a web page": ("page.csv", lambda: b"<html><script>alert(1)</script></html>", "is a web page"),
    "deep JSON": ("deep.jsonl", lambda: b"[" * 10**5, "JSON"),
    "JSON that is no table": ("list.json", lambda: b"[1, 2, 3]", "must hold one JSON object per row"),
    "half of UTF-16": ("half.csv", lambda: b"\xff\xfea", "starts like UTF-16"),
    "rows of different lengths": ("ragged.csv", lambda: b"a,b\n1,2\n1,2,3\n", "Row 2"),
}
KEPT = {
    "path as name": ("../../../etc/passwd.csv", PLAIN.encode()),
    "Windows path as name": ("C:\\Windows\\system32\\x.csv", PLAIN.encode()),
    "path in a zip": ("slip.zip", zipped(("../../outside.csv", PLAIN))),
    "nothing as name": ("", PLAIN.encode()),
    "control characters as name": ("a\0b\r\nSet-Cookie: x\u202e.csv", PLAIN.encode()),
    "markup as name": ("<img src=x onerror=alert(1)>.csv", PLAIN.encode()),
    "markup in cells": (
        "markup.csv",
        b'<b>x</b>,"</script><script>alert(1)</script>"\n' + b'"<img src=x onerror=alert(1)>",a\n' * 20,
    ),
    "formulas": ("formulas.csv", b"=1+1,y\n" + b'"=HYPERLINK(""http://x"",""y"")",a\n@SUM(A1),b\n' * 20),
    "another encoding": ("latin.csv", "größe,ja\n1,ä\n2,ö\n".encode("cp1252")),
    "UTF-16": ("wide.csv", PLAIN.encode("utf-16")),
    "template syntax": ("{{7*7}}.csv", b"{{7*7}},{% raw %}\n1,2\n"),
    "bzip2": ("packed.csv.bz2", bz2.compress(PLAIN.encode())),
}


def bring(client, name, content):
    return client.post(f"/tables?name={quote(name)}", content, headers=JSON)


def files(server):
    return {path.relative_to(server.folder.parent).parts[:3] for path in server.folder.parent.rglob("*")}


def test_there_are_at_least_thirty():
    assert len(REFUSED) + len(KEPT) >= 30


LONG = ("xz bomb", "Excel with one far cell")  # to unpack, and until the limit of memory is reached


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=pytest.mark.slow if case in LONG else ()) for case in REFUSED]
)
def test_refused_with_a_reason(server, client, case):
    name, make, said = REFUSED[case]
    before = files(server)
    reply = bring(client, name, make())
    assert reply.status == 422, reply.text
    message = json.loads(reply.text)["error"]
    assert said in message, message
    assert str(server.folder) not in message
    assert "weaklearn-work" not in message
    assert len(message) < 1000
    made = files(server) - before
    assert made <= {
        (server.folder.name, "weaklearn-work"),
        (server.folder.name, "weaklearn-work", "tables"),
    }
    assert client.get("/audits").status == 200


@pytest.mark.parametrize("case", KEPT)
def test_kept_as_text(server, client, case):
    name, content = KEPT[case]
    before = {path for path in server.folder.parent.iterdir() if path != server.folder}
    reply = bring(client, name, content)
    assert reply.status == 201, reply.text
    place = json.loads(reply.text)["place"]
    shown = client.get(place)
    page = check_page(shown.text, served=True)
    assert not [tag for tag, attributes in page.tags if tag == "img"]
    assert "alert(1)" not in "".join(page.contents["script"])
    assert "49" not in page.text or "{{7*7}}" in page.text
    folder = server.folder / "weaklearn-work" / "tables" / place.split("/")[2]
    stored = sorted(path.name for path in folder.iterdir())
    assert stored[:2] == ["about.json", "preview.json"]
    assert stored[2].startswith("table.")
    assert {path for path in server.folder.parent.iterdir() if path != server.folder} == before
    home = client.get("/audits")
    check_page(home.text, served=True)
    assert client.post(f"{place}/remove").status == 303
    assert not folder.exists()


def test_no_header_and_sheets(server, client):
    openpyxl = pytest.importorskip("openpyxl", reason="Excel needs the package openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["a", "b"])
    book.active.append([1, "x"])
    second = book.create_sheet("Zweites <b>")
    for k in range(12):
        second.append([k, "xy"[k % 2]])
    buffer = io.BytesIO()
    book.save(buffer)
    place = json.loads(bring(client, "book.xlsx", buffer.getvalue()).text)["place"]
    assert "1 rows" in client.get(place).text
    reply = client.post(f"{place}/reading", {"sheet": "Zweites <b>"})
    assert reply.status == 303
    shown = client.get(place).text
    check_page(shown, served=True)
    assert "12 rows, 2 columns" in shown
    assert "column 1" in shown


def test_too_large_is_refused_by_length_and_by_count(server, client):
    import http.client

    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.putrequest("POST", "/tables?name=large.csv", skip_host=True)
    for name, value in {
        "Host": f"127.0.0.1:{server.port}",
        "Origin": f"http://127.0.0.1:{server.port}",
        "Cookie": client.cookie,
        "Accept": "application/json",
        "Content-Length": str(201 * 1024**2),
    }.items():
        connection.putheader(name, value)
    connection.endheaders()
    reply = connection.getresponse()
    assert reply.status == 413
    assert json.loads(reply.read()) == {"error": "A request may have 200 MB at most."}
    connection.close()


def test_uploads_are_guarded_like_everything_else(server, client):
    body = PLAIN.encode()
    path = "/tables?name=a.csv"
    assert client.post(path, body, cookie=None).status == 403
    assert client.post(path, body, origin="http://evil.example").status == 403
    assert client.post(path, body, origin=None).status == 403
    assert client.post(path, body, host="evil.example").status == 421
    assert client.request("PUT", path, body).status in (403, 405)
    assert "a.csv" not in client.get("/audits").text
