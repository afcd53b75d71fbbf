import dataclasses
import json

import pytest

from weaklearn.lab import (
    Algorithm,
    Column,
    DataSource,
    Experiment,
    Figure,
    LabError,
    Profile,
    Protocol,
    Row,
    Split,
    Table,
    Trial,
    make_plan,
)
from weaklearn.lab._canonical import canonical, seed_from

HOLDOUT = Protocol("holdout")
DATA = DataSource("pima", Split(test_share=0.2))


def algorithm(**params):
    return Algorithm("A", "module:A", params)


PLAIN = algorithm()


def trial(data=DATA, algorithm=PLAIN, index=0, protocol=HOLDOUT):
    return Trial.series(protocol, data, algorithm, index + 1)[index]


def test_canonical_text_is_sorted_exact_and_typed():
    assert canonical({"b": [1, 1.0, 0.1], "a": None}) == '{"a":null,"b":[1,1.0,0.1]}'
    assert canonical({"x": float("inf")}) == '{"x":Infinity}'
    assert json.loads(canonical(0.1 + 0.2)) == 0.1 + 0.2


@pytest.mark.parametrize("value", [{"a": float("nan")}, {"a": object()}, {1: 2}, {"a": {1, 2}}])
def test_what_is_not_data_is_refused_where_it_is_written(value):
    with pytest.raises((TypeError, ValueError), match="algorithm 'A'"):
        Algorithm("A", "module:A", value)


def test_the_description_of_a_trial_is_canonical_and_complete():
    some = trial(algorithm=algorithm(inner=algorithm(C=1.0), size=(3, 4)), index=7)
    assert some.description == canonical(some.parts)
    assert some.index == 7
    assert some.parts["algorithm"]["params"]["inner"]["params"] == {"C": 1.0}
    assert len(some.key) == 64
    assert some.builders == {"module:A"}


def test_keys_ignore_display_names_and_see_everything_else():
    same = [trial(), trial(algorithm=Algorithm("B", "module:A")), trial(Row("x", DATA))]
    assert len({some.key for some in same}) == 1
    different = [
        trial(),
        trial(index=1),
        trial(algorithm=algorithm(C=1)),
        trial(algorithm=algorithm(C=1.0)),
        trial(algorithm=Algorithm("A", "module:A", version=2)),
        trial(DataSource("pima", Split(test_share=0.25))),
        trial(DataSource("pima", Split(test_share=0.2, features="minmax"))),
        trial(DataSource("sonar", Split(test_share=0.2))),
        trial(protocol=Protocol("curve", {"epochs": [1]})),
        trial(Row("pima", DATA, {"C": 1})),
        trial(Row("pima")),
    ]
    assert len({some.key for some in different}) == len(different)


def test_seeds():
    a, b = trial(algorithm=algorithm(C=1)), trial(algorithm=algorithm(C=2))
    assert a.data_seed == b.data_seed
    assert a.algorithm_seed != b.algorithm_seed
    assert trial(index=1).data_seed != trial(index=0).data_seed
    curve = trial(protocol=Protocol("curve", {"epochs": [1]}))
    assert (curve.data_seed, curve.algorithm_seed) == (trial().data_seed, trial().algorithm_seed)
    assert all(0 <= seed < 2**32 for seed in (a.data_seed, a.algorithm_seed))


def test_seeds_are_the_same_for_ever():
    # A change here changes every published result of the lab.
    assert seed_from(purpose="data", index=3) == 2642171617
    assert trial().data_seed == 241041542


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Split(), "either test_share or train_size"),
        (lambda: Split(test_share=0.2, train_size=5), "either test_share or train_size"),
        (lambda: Split(test_share=1.2), "between 0 and 1"),
        (lambda: Split(train_size=0), "at least 1"),
        (lambda: Split(test_share=0.2, features="other"), "'raw' or 'minmax'"),
        (lambda: Algorithm("A", "sklearn.svm.SVC"), "module:name"),
        (lambda: DataSource("a:b", Split(train_size=5)), "kind='artificial'"),
        (lambda: DataSource("a", Split(train_size=5), params={"n": 1}), "takes no params"),
        (lambda: DataSource("a", Split(train_size=5), kind="odd"), "'real' or 'artificial'"),
        (lambda: Profile(-1), "negative"),
        (lambda: Table("s", "1", "t", "m", (DATA, DATA), (), HOLDOUT), "found twice: pima"),
        (
            lambda: Table("s", "1", "t", "m", (DATA,), (), HOLDOUT, reference_column="x"),
            "is not one of its columns",
        ),
        (
            lambda: Table("s", "1", "t", "m", (DATA,), (), HOLDOUT, notes={("x", "*"): "n"}),
            "refers to an unknown cell",
        ),
        (lambda: Experiment("e", "s", "t"), "no profiles"),
        (
            lambda: Experiment("e", "s", "t", profiles={"q": Profile(1, items={"table 9": Profile(1)})}),
            "table 9",
        ),
        (lambda: Profile(1, cells={("r", "c"): -2}), "negative, got -2"),
        (
            lambda: Experiment(
                "e",
                "s",
                "t",
                figures=(Figure("s", "1", "t"),),
                profiles={"q": Profile(1, items={"figure 1": Profile(1, cells={("r", "*"): 0})})},
            ),
            r"profile 'q' of 'e': cells names \('r', '\*'\), no cell of figure 1",
        ),
        (lambda: Figure("s", "1", "t", rows=(DATA,)), "give all, or none"),
        (lambda: Protocol("__main__:rounds"), "defined in a script"),
        (lambda: Protocol("module:"), "module:name"),
        (lambda: Row("r", setting={"C": float("nan")}), "setting of row 'r'"),
    ],
)
def test_bad_specifications_say_what_is_wrong(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_plan_fills_cells_evenly_and_shares_trials(toy):
    plan = make_plan([toy], "quick")
    # Two rows, three algorithms, three splits; both tables and the #ite column share them.
    assert len(plan.trials) == 18
    indices = [some.index for some in plan.trials]
    assert indices == sorted(indices)
    assert len({some.key for some in plan.trials}) == 18


def test_profiles_restrict_rows_and_leave_items_out(toy):
    plan = make_plan([toy], "restricted")
    assert {some.parts["data"]["params"]["n_features"] for some in plan.trials} == {5}
    assert len(plan.trials) == 9


def test_single_cells_have_their_own_number_of_trials(toy):
    (first, *_), (row, other) = toy.tables[0].columns, (row.label for row in toy.tables[0].rows)
    cells = {("*", first.name): 1, (row, first.name): 0}
    profile = Profile(3, cells=cells)
    assert profile.trials_of(row, first.name) == 0  # the most specific entry counts
    assert not profile.includes(row, first.name)
    assert profile.trials_of(other, first.name) == 1
    assert profile.trials_of(row, "another") == 3
    assert Profile(0, cells=cells).trials_of(other, first.name) == 0
    assert Profile(3, rows=(row,), cells=cells).trials_of(other, first.name) == 0
    assert profile.narrowed(None, (other,)).trials_of(other, first.name) == 1
    assert profile.narrowed(7, None).trials_of(row, first.name) == 7  # who names a number means all cells
    plan = make_plan([dataclasses.replace(toy, profiles={"q": profile})], "q")
    # Two rows, three algorithms, three splits, without three of one cell and two of another.
    assert len(plan.trials) == 18 - 3 - 2
    # Cells of the whole profile hold for the items that have them.
    elsewhere = dataclasses.replace(toy, profiles={"q": Profile(3, cells={**cells, ("nowhere", "*"): 0})})
    assert len(make_plan([elsewhere.narrowed(["table 1"])], "q").trials) == 18 - 3 - 2


@pytest.mark.parametrize(
    ("name", "message"),
    [("unheard", "cannot be imported"), ("weaklearn.lab.protocols:percent_wrong", "is not a protocol")],
)
def test_a_protocol_is_found_or_named(name, message):
    with pytest.raises(LabError, match=message):
        trial(protocol=Protocol(name))


def test_a_setting_reaches_the_algorithm_s_seed_and_not_the_split():
    plain, one, two = (trial(Row("r", DATA, setting)) for setting in ({}, {"C": 1}, {"C": 2}))
    assert plain.key == trial().key
    assert one.setting == {"C": 1}
    assert one.data == plain.data == DATA.describe()
    assert one.data_seed == two.data_seed == plain.data_seed
    assert len({some.algorithm_seed for some in (plain, one, two)}) == 3


def test_data_and_algorithm_are_optional():
    some = trial(Row("r", setting={"n": 3}), algorithm=None)
    assert (some.data, some.data_name, some.setting, some.builders) == (None, "", {"n": 3}, frozenset())
    with pytest.raises(LabError, match="the row has none"):
        some.split()
    with pytest.raises(LabError, match="the column has none"):
        some.build()
    table = Table("s", "1", "t", "m", (Row("r"),), (Column("c"),), HOLDOUT)
    plan = make_plan([Experiment("e", "s", "t", tables=(table,), profiles={"q": Profile(2)})], "q")
    assert len(plan.trials) == 2
    assert plan.sources == ()


def test_an_illustration_needs_no_trials():
    figure = Figure("s", "1", "t")
    assert not figure.needs_trials
    assert (
        make_plan([Experiment("e", "s", "t", figures=(figure,), profiles={"q": Profile(2)})], "q").trials
        == ()
    )


def test_columns_may_be_algorithms():
    table = Table("s", "1", "t", "m", (DATA,), (algorithm(), Column("B", algorithm(), "n")), HOLDOUT)
    assert [(column.name, table.metric_of(column)) for column in table.columns] == [("A", "m"), ("B", "n")]
