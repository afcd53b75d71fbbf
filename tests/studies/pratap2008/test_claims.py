"""pratap2008: every claim names cells that exist, and the page quotes every claim by its name."""

import re
from pathlib import Path

from weaklearn.lab import discover
from weaklearn.lab._discover import discover_claims
from weaklearn.lab._record import Record, load_record
from weaklearn.lab._reproduce import judge_claims, live_plan

CLAIMS = discover_claims()["pratap2008"]
EXPERIMENTS = [one for one in discover().values() if one.source == "pratap2008"]
PAGE = Path(__file__).parents[3] / "docs" / "pratap2008.md"


def test_claims_name_cells_that_exist():
    """A row, a column or an item that does not exist raises."""
    judged = judge_claims(EXPERIMENTS, {"pratap2008": CLAIMS}, Record())
    assert {one.verdict for one in judged} == {"open"}


def test_every_claim_has_recorded_trials():
    judged = judge_claims(EXPERIMENTS, {"pratap2008": CLAIMS}, load_record())
    assert [one.claim.id for one in judged if len(one.found) < len(one.claim.tests)] == []


def test_the_page_names_claims_that_exist():
    quoted = set(re.findall(r"{{ claim:([^}]+?) }}", PAGE.read_text(encoding="utf-8")))
    assert quoted <= {claim.id for claim in CLAIMS}
    assert len(quoted) > 40


def test_live_claims_are_few():
    live = [claim for claim in CLAIMS if claim.live]
    assert 4 <= len(live) <= 6
    assert live_plan(EXPERIMENTS, {"pratap2008": live}).trials
