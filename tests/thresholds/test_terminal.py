import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from weaklearn import cli
from weaklearn.adaptive import Session

LEVELS = ("--levels", "1,2,4,8", "--seed", "1")


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(*arguments, typed=""):
    return CliRunner().invoke(cli.app, ["threshold", *map(str, arguments)], input=typed)


def complaint(result, code=1):
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.stderr
    last = result.stderr.strip().splitlines()[-1]
    assert last.startswith("weaklearn: ")
    return last


def test_a_whole_session_from_a_pipe():
    result = call(*LEVELS, "--budget", 4, "--question", "Is {level} enough?", typed="y\nno\nYES\nn\n")
    assert result.exit_code == 0, result.output
    assert "Ends after 4 answers" in result.stdout
    assert "Is 2 enough?" in result.stdout
    assert result.stdout.count("90% interval") == 4
    assert "Finished: 4 answers." in result.stdout
    assert [answer["outcome"] for answer in Session.open("threshold.json").history] == [
        True,
        False,
        True,
        False,
    ]


def test_the_same_command_or_the_file_alone_goes_on():
    command = (*LEVELS, "--budget", 5, "--target", "0.612", "--set", "sampler=bestpest", "--question", "Q?")
    left = call(*command, typed="y\ny\n")
    assert "not finished: every answer is in threshold.json" in complaint(left)
    assert "2 answers so far" in call(*command, typed="n\n").stdout
    assert "3 answers so far" in call(typed="q\n").stdout
    last = call("--session", "threshold.json", typed="n\ny\n")
    assert last.exit_code == 0
    assert len(Session.open("threshold.json").history) == 5
    # Finished is finished: nothing more is asked, and the job is done.
    again = call(typed="y\n")
    assert again.exit_code == 0
    assert len(Session.open("threshold.json").history) == 5


def test_undo_notes_and_other_levels():
    call(*LEVELS, typed="y\nu\nn\nnote a dog barked\n@3.5 y\n")
    session = Session.open("threshold.json")
    assert [answer["outcome"] for answer in session.history] == [False, True]
    assert session.history[1]["level"] == 3.5
    assert session.history[0]["level"] == session.replay()[0]["asked"]  # after an undo the same question
    assert [note["text"] for note in session.notes] == ["a dog barked"]


@pytest.mark.parametrize(
    "line",
    ["maybe", "", "y n", "u 3", "note", "@", "@x y", "@3", "@3 perhaps", "@99 y", "@nan y", "yesno", "u"],
)
def test_a_line_from_a_pipe_that_means_nothing_ends_the_run(line):
    result = call(*LEVELS, typed=f"{line}\ny\ny\n")
    assert "line 1 of the input" in complaint(result)
    assert Session.open("threshold.json").history == []


def test_by_hand_such_a_line_is_asked_again(monkeypatch):
    from weaklearn.thresholds import _terminal

    class Hand:
        def __init__(self, lines):
            self.lines = iter(lines)

        def isatty(self):
            return True

        def readline(self):
            return next(self.lines, "")

    import io

    session = _terminal.open_or_start(_path(), {"levels": "1,2,4", "budget": "2"}, 0)
    out = io.StringIO()
    typed = ["maybe\n", "?\n", "u\n", "note\n", "@9 y\n", "@x y\n", "@2\n", "y\n", "n\n"]
    assert _terminal.run(session, source=Hand(typed), out=out)
    assert "'maybe' is not an answer. Type y or n, or ? for help." in out.getvalue()
    assert "there is no answer to undo" in out.getvalue()
    assert "the level must be from 1 to 4" in out.getvalue()
    assert len(session.history) == 2


def test_three_questions_begin_a_session(monkeypatch, capsys):
    from weaklearn.thresholds import _terminal

    typed = iter(["many", "20 to 80", "Do you hear {level} dB?", "40"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(typed))
    assert _terminal.asked_for({}, _path()) == {}  # a pipe is asked nothing
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    given = _terminal.asked_for({}, _path())
    assert given == {"levels": "20 to 80", "question": "Do you hear {level} dB?", "budget": "40"}
    said = capsys.readouterr().out
    assert "'many' is not a number" in said
    assert "30 answers give a 90% interval at most" in said
    for enough in ({"levels": "1,2"}, {"template": "price"}):
        assert _terminal.asked_for(enough, _path()) == enough
    _terminal.open_or_start(_path(), given)
    assert _terminal.asked_for({}, _path()) == {}  # there is a session to resume


def test_several_observers_are_summarised():
    for subject, place in (("anna", 2), ("ben", 3)):
        session = Session.create(f"{subject}.json", [1, 2, 3, 4, 5], about={"subject": subject}, seed=0)
        for level in (1, 2, 3, 4, 5):
            session.answer(level, level > place)
    Session.create("new.json", [1, 2, 3, 4, 5])
    result = call("summary", "anna.json", "ben.json", "new.json", "--csv", "all.csv")
    assert result.exit_code == 0, result.output
    assert "Mean threshold of the population: 3." in " ".join(result.stdout.split())
    assert "no answers yet" in result.stdout
    assert len(Path("all.csv").read_text().splitlines()) == 11
    found = json.loads(call("summary", "anna.json", "ben.json", "--json").stdout)
    assert found["population"]["observers"][0]["n_answers"] == 5
    assert "absent.json" in complaint(call("summary", "absent.json", "ben.json"), 1)


@pytest.mark.parametrize("width", [30, 80])
def test_words_are_not_broken(monkeypatch, width):
    import io

    from weaklearn.console import print_wrapped

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setenv("COLUMNS", str(width))
    for text in (
        "    threshold for 50% yes: 45 (90% interval below the lowest level to 75) and so on",
        "word " * 50,
    ):
        out, pipe = Terminal(), io.StringIO()
        print_wrapped(text, out)
        print_wrapped(text, pipe)
        assert max(map(len, out.getvalue().split("\n"))) <= width
        assert out.getvalue().split() == text.split()
        assert pipe.getvalue() == text + "\n"


def _path():
    from pathlib import Path

    return Path("hand.json")


def test_another_window_answers_first():
    import io

    from weaklearn.thresholds import _terminal

    class Hand(io.StringIO):
        def isatty(self):
            return True

        def readline(self):
            if not self.done:
                self.done = True
                Session.open("hand.json").answer(1, True)
                return "n\n"
            return ""

    hand = Hand()
    hand.done = False
    session = _terminal.open_or_start(_path(), {"levels": "1,2,4"}, 0)
    out = io.StringIO()
    assert not _terminal.run(session, source=hand, out=out)
    assert "changed in another window. Nothing was recorded" in out.getvalue()
    assert [answer["outcome"] for answer in Session.open("hand.json").history] == [True]


def test_json_is_all_there_is_on_standard_output():
    result = call(*LEVELS, "--budget", 2, "--json", typed="y\ny\n")
    assert result.exit_code == 0
    data = json.loads(result.stdout)
    assert data["done"] is True
    assert data["n_answers"] == 2
    assert data["session"] == "threshold.json"
    assert {"value", "low", "high"} <= set(data["estimates"][0])
    assert "Question 1" in result.stderr
    empty = call("--json", "--session", "b.json", "--levels", "1,2", typed="")
    assert empty.exit_code == 1
    assert json.loads(empty.stdout)["n_answers"] == 0


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "there is no session threshold.json yet: give --levels to start one"),
        (
            ["--levels", "1,x"],
            "--levels: write 20 to 80, 20 to 80 by 5, or a list such as 5, 10, 20: 'x' is not a number",
        ),
        (["--levels", "5"], "--levels: give at least two"),
        (["--levels", "1,2", "--target", "1.5"], "--target: a target is a probability"),
        (["--levels", "1,2", "--set", "sampler=Oracle"], "--set sampler: must be one of"),
        (["--levels", "1,2", "--set", "colour=red"], "--set colour: colour is unknown; known are levels"),
        (["--levels", "1,2", "--set", "truth=1"], "--set truth: truth is for simulations"),
        (["--levels", "1,2", "--set", "task"], "--set: write NAME=VALUE"),
        (["--levels", "1,2", "--set", "levels=1,2"], "levels is given twice"),
        (["--levels", "1,2", "--budget", "0"], "--budget: the number of answers must be from 1"),
        (["--levels", "1,2", "--width", "-1"], "--width: the width must be positive"),
        (["--levels", "1,2", "--session", "no/such/s.json"], "there is no folder no/such for s.json"),
        (["--levels", "1,2", "--session", "other.json"], "other.json is not a valid session file"),
        (["--session", "other.json"], "other.json is not a valid session file"),
        (["--session", "text.json"], "text.json is damaged or not a session file"),
        (["--session", "."], "cannot be read as a session"),
        (["--session", "mine.json", "--levels", "1,2,3"], "mine.json was started with a different --levels"),
        (["--session", "mine.json", "--target", "0.4"], "a different --target"),
        (["--session", "mine.json", "--question", "x"], "a different --question"),
        (["--session", "mine.json", "--set", "sampler=BestPEST"], "a different --set sampler"),
        (["--session", "mine.json", "--budget", "9"], "a different --budget"),
        (["--session", "mine.json", "--width", "0.5"], "a different --width"),
        (["--session", "mine.json", "--set", "direction=falling"], "a different --set direction"),
        (["--session", "mine.json", "--seed", "9"], "a different --seed (3)"),
    ],
)
def test_bad_calls_get_one_clear_sentence(tmp_path, arguments, expected):
    (tmp_path / "other.json").write_text('{"some": "settings"}')
    (tmp_path / "text.json").write_text("not JSON")
    Session.create("mine.json", [1, 2], "?", seed=3)
    before = {path.name: path.read_bytes() for path in tmp_path.glob("*.json")}
    result = call(*arguments, typed="y\n")
    # A file that is no session may have been one: everything else is a wrong call.
    assert expected in complaint(result, 1 if "session file" in expected or "as a session" in expected else 2)
    assert {path.name: path.read_bytes() for path in tmp_path.glob("*.json")} == before


def test_wrong_options_are_usage_errors():
    assert call("--seed", "-1").exit_code == 2
    assert call("--no-such-option").exit_code == 2


def test_read_only_is_said_before_anything_is_asked(monkeypatch):
    Session.create("mine.json", [1, 2], seed=3)
    # Whoever runs the tests may write anywhere; so say that nothing may be written.
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    result = call("--session", "mine.json", typed="y\n")
    assert "mine.json is read-only: answers could not be saved" in complaint(result)
    assert "Question" not in result.stdout
    assert "new.json is read-only" in complaint(call("--session", "new.json", "--levels", "1,2"))


def test_a_disk_that_fails_midway(monkeypatch):
    from weaklearn.adaptive.sessions import _session

    session = Session.create("mine.json", [1, 2], seed=3)

    def full(path, record):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(_session, "write_record", full)
    result = call("--session", "mine.json", typed="y\n")
    assert "No space left on device" in complaint(result)
    assert Session.open("mine.json").history == session.history == []


def test_ctrl_c(monkeypatch):
    from weaklearn.thresholds import _terminal

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(_terminal._Dialogue, "step", interrupted)
    assert "rerun the same command to resume" in complaint(call(*LEVELS), code=130)


def test_two_targets_and_a_falling_curve():
    result = call(
        "--levels",
        "1:9:9",
        "--target",
        "0.25,0.75",
        "--set",
        "direction=falling",
        "--budget",
        3,
        typed="y\nn\ny\n",
    )
    assert result.exit_code == 0
    assert "threshold for 25% yes" in result.stdout
    assert "threshold for 75% yes" in result.stdout
    assert Session.open("threshold.json").increasing is False


def test_a_forced_choice_has_its_own_words_and_target():
    result = call(
        "--levels", "1,2,4,8,16", "--set", "task=2AFC", "--set", "subject=anna", "--budget", 1, typed="y\n"
    )
    assert result.exit_code == 0, result.output
    assert "Correct or incorrect at level" in result.stdout
    assert "[c/i/u/note/q/?]" in result.stdout
    assert "threshold for 75% correct" in result.stdout
    assert Session.open("threshold.json").about == {"task": "2AFC", "subject": "anna"}
    assert "a different --set subject" in complaint(call("--set", "subject=bert"), 2)
    assert call("--set", "task=2AFC", "--set", "subject=anna").exit_code == 0
    refused = call("--levels", "1,2,4", "--set", "task=2AFC", "--target", 0.5, "--session", "other.json")
    assert "--target: in a 2AFC task guessing alone gives 0.5" in complaint(refused, 2)


def test_blind_shows_neither_levels_nor_estimates():
    result = call(*LEVELS, "--set", "blind=yes", "--question", "Louder?", "--budget", 2, typed="y\nu\ny\nn\n")
    assert result.exit_code == 0, result.output
    assert "level" not in result.stdout
    assert "interval" not in result.stdout


def test_a_threshold_above_every_level_is_said():
    result = call(*LEVELS, "--budget", 14, typed="n\n" * 14)
    assert "above every level (p = " in result.stdout
    assert "add levels beyond 8" in result.stdout


def test_demo_needs_no_option(in_an_empty_folder):
    result = call("--demo", "--seed", 0)
    assert result.exit_code == 0, result.output
    assert "0.43" in result.stdout  # the observer's threshold: 43% of the range


def test_demo_tells_the_truth_and_leaves_no_file(in_an_empty_folder):
    result = call(
        "--levels", "0:1:11", "--demo", "--budget", 40, "--seed", 2, "--json", "--set", "truth=0.37"
    )
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["n_answers"] == 40
    # Halfway between 0 and 0.98 is 0.49, so 50% lies a little above.
    assert found["truth"] == [pytest.approx(0.37 + 0.05 * 0.040822, abs=1e-5)]
    assert found["estimates"][0]["low"] < 0.37 < found["estimates"][0]["high"]
    assert list(in_an_empty_folder.iterdir()) == []


def test_plan(in_an_empty_folder):
    options = ("plan", "--levels", "0:1:11", "--width", 0.4, "--runs", 10, "--max-answers", 40)
    result = call(*options, "--json", "--plot", "plan.svg")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert 5 <= document["needed"] <= 40
    assert document["rows"][-1]["answers"] == 40
    assert document["rows"][-1]["width"] <= 0.4
    assert "<svg" in (in_an_empty_folder / "plan.svg").read_text()
    assert document["sentence"] in " ".join(call(*options).stdout.split())
    assert "--width: to plan, say how narrow" in complaint(call("plan", "--levels", "0:1:11"), 2)
    complaint(call(*options, "--plot", "plan.txt"), code=2)


def test_trials_made_elsewhere_and_more_answers(tmp_path):
    (tmp_path / "trials.csv").write_text("level,outcome\n2,no\n4,yes\n")
    done = call("import", "trials.csv", "--levels", "1,2,4,8", "--set", "budget=2")
    assert done.exit_code == 0, done.output
    assert "Imported 2 answers from trials.csv." in done.stdout
    assert call().exit_code == 0  # finished
    assert "now ends after 3 answers" in call("extend", 1).stdout
    assert call(typed="y\n").exit_code == 0
    assert len(Session.open("threshold.json").history) == 3
    (tmp_path / "trials.csv").write_text("level,outcome\n2,no\n99,yes\n")
    assert "trials.csv: line 3: the level 99 lies outside" in complaint(call("import", "trials.csv"))
    assert "no.csv cannot be read" in complaint(call("import", "no.csv"))
    assert "there is no session new.json yet" in complaint(call("extend", 1, "--session", "new.json"), 2)
    assert len(Session.open("threshold.json").history) == 3


def test_every_setting_is_in_the_help():
    from weaklearn.thresholds._options import OPTIONS

    shown = call("--help").stdout
    assert all(f"--{name} " in shown or f"\n    {name} " in shown for name in OPTIONS)
