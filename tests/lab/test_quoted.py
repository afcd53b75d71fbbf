"""Pages quote verdicts of the record by name."""

import re
from pathlib import Path

import pytest

from weaklearn.lab import LabError, discover, discover_claims, quoted, recorded_report

DOCS = Path(__file__).parents[2] / "docs"
DOCUMENTS = ("li2005", "li2006", "barnes1999", "pratap2008", "may2020")


@pytest.fixture(scope="module")
def reproduction(tmp_path_factory):
    out = tmp_path_factory.mktemp("report")
    return recorded_report(list(discover().values()), discover_claims(), out=out)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_page_of_a_document_quotes_claims_that_exist(document, reproduction):
    text = (DOCS / f"{document}.md").read_text(encoding="utf-8")
    shown = quoted(text, document, reproduction)
    assert "{{" not in shown
    assert re.search(rf"Of \d+ claims that {document} makes, \d+ hold", shown)


def test_an_unknown_claim_is_an_error(reproduction):
    with pytest.raises(LabError, match="'no such claim', which li2005 does not have"):
        quoted("{{ claim:no such claim }}", "li2005", reproduction)
    (first,) = re.findall(r"\*\*[a-z ]+\*\*", quoted("{{ claim:li2006:cg cost }}", "li2005", reproduction))
    assert first == "**holds**"
    assert "five documents" in quoted("{{ tally }}", "index", reproduction)


def test_verdicts_on_tables_are_quoted_by_number(reproduction):
    (judged,) = [
        whole for whole, _ in reproduction.tables if whole.document == "li2006" and whole.table == "4.5"
    ]
    shown = quoted("{{ table:4.5 }}", "li2006", reproduction)
    assert shown.startswith(f"**{judged.verdict}** (true difference {judged.rms:.2g}")
    n_tables = len({whole.table.split()[0] for whole, _ in reproduction.tables if whole.document == "li2006"})
    assert quoted("{{ tables }}", "li2006", reproduction).startswith(
        f"Of {n_tables} published tables of means"
    )
    with pytest.raises(LabError, match="no judged table of li2006"):
        quoted("{{ table:9.9 }}", "li2006", reproduction)


def test_columns_of_tables_are_quoted_row_by_row(reproduction):
    means = quoted("{{ cells:pratap2008:4.2:CV }}", "differences", reproduction).split(" / ")
    cells = [
        one
        for one in reproduction.all_cells
        if (one.source, one.table, one.column) == ("pratap2008", "4.2", "CV")
    ]
    assert [float(mean) for mean in means] == [round(cell.ours, 1) for cell in cells]
    assert "{{" not in quoted(
        (DOCS / "differences.md").read_text(encoding="utf-8"), "differences", reproduction
    )
    with pytest.raises(LabError, match="a column without trials"):
        quoted("{{ cells:pratap2008:4.2:no column }}", "differences", reproduction)
