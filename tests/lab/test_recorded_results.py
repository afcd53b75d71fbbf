"""Today's code against the record of the package: the cheapest recorded cells, as a regression test of results."""

from collections import Counter
from pathlib import Path

import pytest

from weaklearn.lab import check_record, compare, discover, discover_claims, judge_claims, load_record
from weaklearn.lab._check import unchanged
from weaklearn.lab._claim import FAILS, OPEN
from weaklearn.lab._code import cell_of
from weaklearn.lab._compare import CONTRADICTED
from weaklearn.lab._reproduce import live_plan
from weaklearn.lab._wording import claims_sentence

SECONDS = 1.0
# Trials of the claims that `make reproduce` tests live, in CPU seconds: two idle cores have about a minute for them.
LIVE_SECONDS = 150.0
EXPERIMENTS = list(discover().values())
CLAIMS = discover_claims()


@pytest.fixture(scope="module")
def record():
    return load_record()


@pytest.fixture(scope="module")
def judged(record):
    return judge_claims(EXPERIMENTS, CLAIMS, record)


def test_cheap_recorded_cells_are_still_reproduced(record):
    """If a result has changed on purpose, record it again: reproduce the study, then ``weaklearn lab record STUDY``."""
    checks = check_record(EXPERIMENTS, record, n_trials=1, seconds=SECONDS, engine="inline")
    assert not [found for found in checks if not unchanged([found])]
    outcomes = Counter(found.outcome for found in checks)
    assert outcomes["same"] + outcomes["consistent"] > 20, "the record has no cheap cells"


def test_every_contradicted_cell_says_what_is_known(record):
    cells = [
        cell for experiment in EXPERIMENTS for some in compare(experiment, record).values() for cell in some
    ]
    contradicted = [cell for cell in cells if cell.verdict == CONTRADICTED and cell.kind == "mean"]
    assert contradicted
    assert [(cell.source, cell.table, cell.row, cell.column) for cell in contradicted if not cell.note] == []


def test_every_document_states_its_claims(judged):
    counts = Counter(result.document for result in judged)
    assert set(counts) >= {"li2005", "li2006", "barnes1999", "pratap2008", "may2020"}
    assert sum(counts.values()) >= 109


def test_the_tally_in_the_readme_is_that_of_the_record(judged):
    """If this fails: copy the last sentences of ``weaklearn reproduce --recorded``."""
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    sentence = claims_sentence(judged)
    assert f"{sentence[:1].upper()}{sentence[1:]}." in " ".join(readme.split())


def test_every_claim_is_tested_or_says_why_not(judged):
    untested = [result.claim.id for result in judged if not result.claim.tests and not result.claim.note]
    assert not untested
    without_trials = [result.claim.id for result in judged if result.claim.tests and not result.found]
    assert not without_trials


def test_every_claim_that_does_not_hold_has_a_note(judged):
    failing = [result for result in judged if result.verdict == FAILS]
    assert [(result.document, result.claim.id) for result in failing if not result.claim.note] == []


def test_live_claims_are_decided_by_their_own_trials_and_fit_into_three_minutes(record, judged):
    live = [result for result in judged if result.claim.live]
    assert len(live) >= 20
    assert min(Counter(result.document for result in live).values()) >= 3
    assert all(result.verdict != OPEN for result in live)
    seconds = 0.0
    for trial in live_plan(EXPERIMENTS, CLAIMS).trials:
        cell = record.cells.get(cell_of(trial.description))
        assert cell is not None, trial.description
        seconds += cell.seconds
    assert seconds <= LIVE_SECONDS
