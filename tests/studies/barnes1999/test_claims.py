"""Every claim of barnes1999 names cells that exist, and its page names claims that exist."""

import re
from pathlib import Path

import pytest

from weaklearn.lab import discover_claims
from weaklearn.lab._claim import Reader, judge_claim
from weaklearn.lab._record import Record
from weaklearn.studies.barnes1999 import pboost

CLAIMS = discover_claims()["barnes1999"]
PAGE = Path(__file__).parents[3] / "docs" / "barnes1999.md"


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_a_claim_asks_for_cells_that_exist(claim):
    read = Reader([pboost.EXPERIMENT], lambda _: Record())
    assert judge_claim(claim, "barnes1999", read).verdict == "open"  # nothing is recorded here
    assert read.asked or claim.note  # untested claims say why


def test_the_page_names_every_tested_claim_and_no_other():
    named = set(re.findall(r"{{ claim:(.*?) }}", PAGE.read_text()))
    assert named == {claim.id for claim in CLAIMS if claim.tests}
