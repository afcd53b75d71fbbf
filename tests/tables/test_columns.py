"""What columns hold: kinds, treatments, codes for missing, decimal marks, dates."""

from datetime import timedelta

import numpy as np
import pandas as pd
import polars as pl
import pytest

from weaklearn.tables import Kind, Reason, TableError, Treatment, describe, read_table
from weaklearn.tables._parse import (
    SEASON_DAYS,
    is_code,
    parse_date,
    parse_number,
    season_angle,
    sentinel_codes,
)


def only(values, name="v", **options):
    return read_table({name: values}, **options).columns[0]


@pytest.mark.parametrize(
    ("text", "decimal", "value"),
    [
        ("3.5", ".", 3.5),
        ("3,5", ",", 3.5),
        ("3,5", ".", np.nan),
        ("1,234.5", ".", 1234.5),
        ("1.234,5", ",", 1234.5),
        ("1,234", ".", 1234),
        ("1,234", ",", 1.234),
        ("12,34", ".", np.nan),
        ("1 234 567,8", ",", 1234567.8),
        ("1'234.5", ".", 1234.5),
        ("1 2", ".", np.nan),
        ("12%", ".", 0.12),
        ("$1,200", ".", 1200),
        ("15 €", ".", 15),
        ("(7)", ".", -7),
        ("\N{MINUS SIGN}7", ".", -7),
        ("1e-3", ".", 1e-3),
        ("1e999", ".", np.nan),
        ("inf", ".", np.nan),
        ("5 kg", ".", np.nan),
        ("0x10", ".", np.nan),
    ],
)
def test_numbers(text, decimal, value):
    np.testing.assert_allclose(parse_number(text, decimal), value, rtol=1e-15)


@pytest.mark.parametrize(
    ("text", "day_first", "iso"),
    [
        ("2024-02-29", True, "2024-02-29"),
        ("2024-02-29T12:00:00", True, "2024-02-29T12:00"),
        ("2024-02-29 12:00+02:00", True, "2024-02-29T10:00"),
        ("2024/2/9", True, "2024-02-09"),
        ("29.02.2024", False, "2024-02-29"),
        ("03/04/2024", True, "2024-04-03"),
        ("03/04/2024", False, "2024-03-04"),
        ("3/4/24 1:30 PM", False, "2024-03-04T13:30"),
        ("9 March 2023", True, "2023-03-09"),
        ("Mar 9, 2023", True, "2023-03-09"),
        ("12-Jan-1999", True, "1999-01-12"),
    ],
)
def test_dates(text, day_first, iso):
    days = (np.datetime64(iso, "s") - np.datetime64("1970-01-01T00:00:00")).astype(float) / 86400
    assert parse_date(text, day_first) == pytest.approx(days, abs=1e-9)


@pytest.mark.parametrize(
    "text", ["2023-02-29", "31/04/2024", "12.5", "May", "1/2", "2024", "13/13/2024", "20240229"]
)
def test_no_dates(text):
    assert np.isnan(parse_date(text))


def test_the_order_of_day_and_month_is_found_or_said():
    day = only(["13/01/2024", "02/03/2024"] * 5)
    month = only(["01/13/2024", "02/03/2024"] * 5)
    guess = only(["01/02/2024", "02/03/2024"] * 5)
    assert (day.day_first, day.ambiguous) == (True, False)
    assert (month.day_first, month.ambiguous) == (False, False)
    assert (guess.day_first, guess.ambiguous) == (True, True)
    assert "day first" in describe(guess)


def test_compact_dates_need_a_name_that_says_so():
    values = [20240101 + k for k in range(20)]
    assert only(values, "visit_date").kind is Kind.DATE
    assert only([str(v) for v in values], "visit_date").kind is Kind.DATE
    assert only([v * 3 for v in values], "visit_date").kind is Kind.NUMBER


def test_decimal_marks_are_found_from_the_file(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a;b;c\n" + "\n".join(f"{k},5;1.{200 + k};{k}.5" for k in range(1, 13)))
    a, b, c = read_table(path).columns
    assert (a.decimal, b.decimal, c.decimal) == (",", ",", ".")
    np.testing.assert_array_equal(read_table(path).values("b"), np.arange(1201, 1213))
    ambiguous = only(["1,234", "5,678", "9,012"] * 4)
    assert (ambiguous.decimal, ambiguous.ambiguous) == (".", True)
    assert "thousands" in describe(ambiguous)


@pytest.mark.parametrize(
    ("values", "certain", "suspected"),
    [
        ([1, 2, 3, 4, -999, -999], (-999,), ()),
        ([1, 2, 3, 4, -999], (), ()),  # once is no code
        ([20, 35, 60, 41, 99, 99], (), (99,)),
        ([1, 2, 3, 2, 99, 99], (99,), ()),
        ([95, 96, 97, 98, 99, 99], (), ()),
        ([0, 500, 1000, 3000, -99, -99, -99], (-99,), ()),
        ([0, 500, 1000, 3000, -9, -9, -9], (), ()),
        ([-120, 500, 1000, 3000, -99, -99, -99], (), ()),
        ([1, 2, 3, 4, -999, -999, 9999, 9999], (-999, 9999), ()),
        ([5, 9, 5, 9], (), ()),
        ([1, 2, -888, -888], (-888,), ()),
        ([1, 2, 3, 4, 888, 888], (), ()),
        ([1, -888, -888], (), ()),
    ],
)
def test_codes_for_missing(values, certain, suspected):
    found = sentinel_codes(np.array(values, dtype=float))
    assert (sorted(found[0]), found[1]) == (sorted(certain), suspected)


def test_codes_are_said_and_read_as_missing():
    column = only([1.5, 2, 3, 4, -999, -999])
    assert (column.n_missing, column.sentinels) == (2, (-999,))
    assert "-999 read as missing" in describe(column)
    kept = only([20, 35, 60, 41, 99, 99])
    assert (kept.n_missing, kept.suspected) == (0, (99,))
    assert "99 may stand for missing" in describe(kept)


def test_categories_by_number():
    few = only([f"c{k % 30}" for k in range(90)])
    many = only([f"c{k % 60}" for k in range(180)])
    text = only([f"c{k % 60}" for k in range(100)])
    names = only([f"person {k}" for k in range(100)])
    comment = only(
        [f"{k} is the number of this long comment, which nobody will ever read" for k in range(100)]
    )
    assert (few.kind, few.treatment) == (Kind.CATEGORY, Treatment.ONE_HOT)
    assert (many.kind, many.treatment) == (Kind.CATEGORY, Treatment.TARGET_ENCODED)
    assert (text.kind, text.treatment) == (Kind.TEXT, Treatment.DROPPED)
    assert (names.kind, comment.kind) == (Kind.IDENTIFIER, Kind.TEXT)


def test_whole_numbers_that_differ_are_identifiers_only_if_they_count_or_are_called_so():
    rng = np.random.default_rng(0)
    values = rng.permutation(1000)[:50]
    assert only(values, "income").kind is Kind.NUMBER
    assert only(values, "customer_id").kind is Kind.IDENTIFIER
    assert only(range(7, 57), "income").kind is Kind.IDENTIFIER


def test_overrides():
    assert only(range(50), numeric="v").kind is Kind.NUMBER
    column = only([1, 2, 3] * 20, categorical=["v"])
    assert (column.kind, column.reason, column.n_distinct) == (Kind.CATEGORY, Reason.ASKED_FOR, 3)
    assert only([1, 2, 3] * 20, drop="v").treatment is Treatment.DROPPED
    assert only([*"123456789", "x"] * 3 + ["y"] * 9, numeric="v").n_unreadable == 12
    with pytest.raises(TableError, match="column 'v' cannot be read as numbers: it holds 'a'"):
        _ = only(["a", "b"] * 9, numeric="v")


def test_constant_but_for_missing():
    column = only(["k", None, "k", "?"])
    assert (column.kind, column.treatment, column.n_missing) == (Kind.CONSTANT, Treatment.PRESENCE, 2)
    assert read_table({"v": ["k", None, "k", "?"]}).values("v").tolist() == [1, 0, 1, 0]


def test_booleans():
    table = read_table({"v": ["Yes", "no", "NO", None, "yes"]})
    assert table.columns[0].kind is Kind.BOOLEAN
    np.testing.assert_array_equal(table.values("v"), [1, 0, 0, np.nan, 1])
    assert only(["yes", "no", "maybe"] * 4).kind is Kind.CATEGORY
    assert only([True, False, None, True]).kind is Kind.BOOLEAN
    assert only([0, 1, 1, 0]).kind is Kind.BOOLEAN
    assert only([0, 2, 2, 0]).kind is Kind.NUMBER


def test_every_reason_has_a_sentence():
    from weaklearn.tables import Column

    for reason in Reason:
        for treatment in Treatment:
            column = Column("c", Kind.NUMBER, treatment, reason)
            if treatment is Treatment.DROPPED and reason in (
                Reason.NUMBERS,
                Reason.TWO_VALUES,
                Reason.FEW_CATEGORIES,
                Reason.MANY_CATEGORIES,
                Reason.DATES,
            ):
                continue  # never dropped for these
            assert describe(column)


def test_a_few_numbers_in_order_are_no_identifier():
    assert only([1, 2, 3, 4]).kind is Kind.NUMBER
    assert only([1, 2, 3, 4], "id").kind is Kind.IDENTIFIER


def test_long_codes_are_not_rounded():
    values = [2**60 + k for k in range(20)]
    sources = [
        values,
        np.array(values),
        pd.Series(values),
        pl.Series(values),
        [str(v) for v in values],
        pl.Series(list(map(str, values))),
    ]
    for source in sources:
        column = only(source)
        assert (column.kind, column.n_distinct) == (Kind.IDENTIFIER, 20)
    assert only(["0000000000000000012", "13"] * 5).kind is Kind.NUMBER
    assert only([1.5e18, 2.5e18, 3e18, -1e20]).kind is Kind.NUMBER


def test_spans_of_time_are_numbers():
    spans = [timedelta(hours=12 * k * k) for k in range(12)]
    for source in (spans, pd.Series(spans), pl.Series(spans), np.array(spans, dtype="timedelta64[s]")):
        table = read_table({"v": source})
        assert table.columns[0].kind is Kind.NUMBER
        np.testing.assert_array_equal(table.values("v"), [0.5 * k * k for k in range(12)])


def test_numbers_as_texts_lose_no_digit():
    fractions = read_table({"v": [1.5, 2.0, np.nan]}).cells["v"]
    assert [fractions[k] for k in range(3)] == ["1.5", "2.0", ""]
    whole = read_table({"v": [1.0, 2.0, np.inf]}).cells["v"]
    assert [whole[k] for k in range(3)] == ["1", "2", "inf"]
    # Whole numbers of sixteen digits are identifiers more often than not; floats would round longer ones.
    long = read_table({"v": [10**15, 10**18 + 1]}).cells["v"]
    assert [long[k] for k in range(2)] == ["1000000000000000", "1000000000000000001"]


def test_dates_before_1970_are_dates():
    assert only(["1950-03-01", "1961-11-30", "1944-06-06", "1938-01-02"], "born").kind is Kind.DATE


def test_two_values_are_counted_as_two():
    column = only(["yes", "no", "yes", "no", "yes", ""])
    assert (column.kind, column.n_distinct, column.n_missing) == (Kind.BOOLEAN, 2, 1)


def test_more_digits_than_a_float_holds_are_a_code():
    assert is_code("1234567890123456")
    assert is_code("-1234567890123456")
    assert not is_code("123456789012345")
    assert not is_code("0000000000000012")
    assert not is_code("1234567890.12345")


def test_categories_by_their_number():
    few, many = [f"c{k % 5}" for k in range(60)], [f"c{k % 40}" for k in range(120)]
    assert (only(few).treatment, only(few).reason) == (Treatment.ONE_HOT, Reason.FEW_CATEGORIES)
    assert (only(many).treatment, only(many).reason) == (Treatment.TARGET_ENCODED, Reason.MANY_CATEGORIES)
    names = only([f"c{k}" for k in range(60)])
    assert (names.kind, names.reason) == (Kind.IDENTIFIER, Reason.ALL_DIFFERENT)
    prose = only([f"{k} " + 50 * "x" for k in range(60)])
    assert (prose.kind, prose.reason) == (Kind.TEXT, Reason.TOO_MANY_VALUES)


def test_a_year_is_a_full_turn():
    days = (np.array(["2023-01-01", "2023-07-02", "2023-12-31"], dtype="datetime64[D]")).astype(float)
    np.testing.assert_allclose(season_angle(days), 2 * np.pi * np.array([0, 182, 364]) / SEASON_DAYS)
    assert np.isnan(season_angle(np.array([np.nan]))[0])
