"""What `weaklearn reproduce` prints: short enough to be read, at every width, with nothing left out."""

import dataclasses
import re

import pytest

from weaklearn.lab import Claim, discover, discover_claims, recorded_report
from weaklearn.lab._claim import Found, Part
from weaklearn.lab._terminal import print_claims, print_sentences, print_tables
from weaklearn.lab._wording import CLAIM_SIGNS, claim_places, part_effect

ORDER = ["does not hold", "holds in part", "open", "holds"]


@pytest.fixture(scope="module")
def reproduction(tmp_path_factory):
    out = tmp_path_factory.mktemp("report")
    return recorded_report(list(discover().values()), discover_claims(), out=out)


@pytest.fixture(params=[80, 100, 140])
def printed(request, reproduction, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", str(request.param))
    print_claims(reproduction)
    print_tables(reproduction.tables)
    print_sentences(reproduction)
    return request.param, capsys.readouterr().out.splitlines()


def test_it_is_short_and_no_line_is_broken_by_the_terminal(printed):
    width, lines = printed
    assert max(map(len, lines)) <= width
    assert len(lines) < (600 if width < 100 else 500)


def test_every_claim_has_its_sign_in_the_order_of_interest(printed, reproduction):
    _, lines = printed
    end = lines.index("tables of means")
    heads = [k for k, line in enumerate(lines[:end]) if re.match(r"\w+: \d+ hold, ", line)]
    documents = list(dict.fromkeys(one.document for one in reproduction.claims))
    assert [lines[k].partition(":")[0] for k in heads] == documents
    marks = {sign.mark: verdict for verdict, sign in CLAIM_SIGNS.items()}
    for document, low, high in zip(documents, heads, [*heads[1:], end], strict=True):
        shown = [marks[line[2]] for line in lines[low:high] if line[2:3] in marks and line[3] == " "]
        own = [one.verdict for one in reproduction.claims if one.document == document]
        assert shown == sorted(own, key=ORDER.index)


def test_what_does_not_hold_is_quoted_in_full(printed, reproduction):
    text = " ".join(" ".join(printed[1]).split())
    for one in reproduction.claims:
        if one.verdict != "holds":
            assert " ".join(one.claim.claim.split()) in text


def test_every_table_has_one_line(printed, reproduction):
    lines = printed[1]
    for whole, _ in reproduction.tables:
        numbers = [f"{value:.2g}" for value in (whole.rms, whole.upper, whole.tolerance, whole.spread)]
        ending = rf" {whole.n_cells} +" + " +".join(map(re.escape, numbers)) + "$"
        assert any(f"{whole.document} {whole.table} (" in line and re.search(ending, line) for line in lines)


def test_a_live_claim_says_whether_it_holds_now(reproduction, capsys):
    holding = [one for one in reproduction.claims if one.claim.live and one.verdict == "holds"]
    first, second = holding[:2]
    live = {
        (first.document, first.claim.id): first,
        (second.document, second.claim.id): dataclasses.replace(second, verdict="open"),
    }
    print_claims(dataclasses.replace(reproduction, claims=(first, second), live=live))
    text = capsys.readouterr().out
    assert text.count("now too") == 1
    assert text.count("now: open") == 1


def test_what_an_open_claim_lacks(reproduction):
    one = next(one for one in reproduction.claims if one.verdict == "open" and one.minutes)
    part = Part("all", 0.0, -1.0, 1.0, 0.5, 0.5, 8)

    def lacks(found=True, missing=0, minutes=None):
        tests = (("open", Found((part,), missing=missing)),) if found else ()
        alone = dataclasses.replace(one.claim, test=one.claim.tests[0])
        return claim_places(dataclasses.replace(one, claim=alone, found=tests, minutes=minutes))

    assert lacks(minutes=457.2) == "about 457 CPU minutes would decide"
    assert lacks(minutes=1.3) == "about 1 CPU minute would decide"
    assert lacks(minutes=0.4) == "less than a CPU minute would decide"
    assert "no number of trials" in lacks()
    part = dataclasses.replace(part, n=1000)
    assert lacks(minutes=1.3) == "not decided by 1,000 trials, the most that are run"
    part = dataclasses.replace(part, n=8)
    assert lacks(missing=2) == "not all of its cells have trials"
    assert lacks(found=False) == "no trials yet"
    untested = Claim("acacia", "6.1", "It is better.", None, note="The set is not public. It was lost.")
    assert (
        claim_places(dataclasses.replace(one, claim=untested, found=(), minutes=None))
        == "the set is not public"
    )


def test_an_effect_has_as_many_digits_as_its_interval_and_rounding_errors_have_few():
    assert part_effect(Part("", 9298.4, 9290.0, 9306.0, 0.0, 1.0, 20)) == "9,298 [9,290, 9,306]"
    assert part_effect(Part("", -0.0421, -0.051, 0.0004, 0.0, 1.0, 20)) == "-0.042 [-0.051, 0.000]"
    assert part_effect(Part("", -1.2e-15, -8.74e-14, -2e-16, 0.0, 1.0, 20)) == "-1.2e-15 [-8.7e-14, -2e-16]"
