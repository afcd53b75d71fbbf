import pytest

from weaklearn.adaptive import SAMPLERS, Budget, IntervalWidth, OutsideLevels, Session
from weaklearn.thresholds._options import TEMPLATES, FieldErrors
from weaklearn.thresholds._plan import preview
from weaklearn.thresholds._setup import read_setup


def wrong(**typed):
    with pytest.raises(FieldErrors) as caught:
        read_setup({"levels": "1,2", **typed})
    return caught.value.errors


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("1,2,4,8", [1, 2, 4, 8]),
        (" 8; 4 2,1 4", [1, 2, 4, 8]),
        ("0:1:11", [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]),
        ("1:-1:3", [-1, 0, 1]),
        ("-1e-3 1e3", [-0.001, 1000]),
        ("20 to 80 by 20", [20, 40, 60, 80]),
        ("0.3 TO 0 by 0.1", [0, 0.1, 0.2, 0.3]),
        ("1 to 10 by 4", [1, 5, 9]),
        ("0 to 2", [round(0.1 * i, 1) for i in range(21)]),
    ],
)
def test_levels(text, levels):
    assert read_setup({"levels": text}).levels == levels


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "give the levels"),
        ("7", "at least two different levels"),
        ("7,7", "at least two different levels"),
        ("1,two", "'two' is not a number"),
        ("1,nan", "not a finite number"),
        ("1,inf", "not a finite number"),
        ("0:1", "write start:stop:count"),
        ("0 to x", "'x' is not a number"),
        ("3 to 3", "start and stop are both 3"),
        ("0 to 1 by 2", "the step must be positive and at most 1"),
        ("0 to 1 by 0", "the step must be positive"),
        ("0 to 200 by 1", "at most 200 levels: the step 1 is too small"),
        ("0 to 1 by 1e-300", "at most 200 levels"),
        ("0:1:2:3", "write start:stop:count"),
        ("0:1:x", "must be a whole number, got 'x'"),
        ("0:1:1", "must be from 2 to 200, got 1"),
        ("0:1:201", "must be from 2 to 200, got 201"),
        ("3:3:5", "start and stop are both 3"),
        (" ".join(map(str, range(201))), "at most 200 levels, got 201"),
        ("1 " * 100_000, "at most 200 levels"),
        ("-1.7e308 1.7e308", "between -1e+100 and 1e+100"),
        ("0 1e308", "between -1e+100 and 1e+100"),
        ("0 5e-324", "too little to be told apart"),
        ("1 1.0000000000000002", "too little to be told apart"),
    ],
)
def test_bad_levels(text, complaint):
    assert complaint in wrong(levels=text)["levels"]


@pytest.mark.parametrize(
    ("field", "text", "complaint"),
    [
        ("target", "0", "between 0 and 1"),
        ("target", "1", "between 0 and 1"),
        ("target", "half", "'half' is not a number"),
        ("target", "0.5 0.5", "given twice"),
        ("target", ".1 .2 .3 .4", "at most 3 targets"),
        ("direction", "sideways", "must be rising or falling"),
        ("sampler", "Guess", "must be one of PosteriorMinEnt"),
        ("budget", "0", "must be from 1"),
        ("budget", "1.5", "must be a whole number"),
        ("width", "0", "must be positive"),
        ("width", "-1", "must be positive"),
        ("width", "wide", "not a number"),
        ("width", "1", "the levels span 1"),
        ("question", "?" * 501, "at most 500 characters"),
        ("task", "1AFC", "'yes/no' or 'nAFC'"),
        ("scale", "square", "must be linear or log"),
        ("lapse", "1", "from 0 up to 1"),
        ("cohort", "0", "from 1 to 100"),
        ("cohort", "3", "PosteriorMinEnt has none; use DoseEscalation"),
        ("overdose_limit", "2", "from 0 up to 1"),
        ("subject", "x" * 61, "at most 60"),
        ("yes_key", "u", "which undoes"),
        ("no_key", "y", "different keys"),
        ("blind", "maybe", "yes or no"),
    ],
)
def test_other_bad_fields(field, text, complaint):
    assert complaint in wrong(**{field: text})[field]


def test_all_wrong_fields_are_named_at_once():
    assert set(wrong(levels="x", target="2", budget="none")) == {"levels", "target", "budget"}


def test_stopping_rules():
    assert read_setup({"levels": "1,2,3"}).stop == Budget(9)
    assert read_setup({"levels": "1,2,3", "budget": "5"}).stop == Budget(5)
    assert read_setup({"levels": "1,2,3", "width": "0.5"}).stop == IntervalWidth(0.5) | OutsideLevels()
    both = read_setup({"levels": "1,2,3", "budget": "5", "width": "0.5"}).stop
    assert both == Budget(5) | (IntervalWidth(0.5) | OutsideLevels())


@pytest.mark.parametrize("name", SAMPLERS)
def test_every_sampler_starts(name, tmp_path):
    session = read_setup({"levels": "1:5:5", "sampler": name.lower()}).start(tmp_path / "s.json", seed=1)
    assert type(session.sampler).__name__ == name


def test_targets_follow_the_kind_of_task():
    def targets(**typed):
        return [one.level for one in read_setup({"levels": "1,2,3", **typed}).targets]

    assert targets() == [0.5]
    assert targets(task="yes/no") == [0.5]
    assert targets(task="2afc") == [0.75]
    assert targets(task="4AFC") == [0.625]
    assert targets(sampler="DoseEscalation") == [0.3]
    assert "guessing alone gives 0.5" in wrong(task="2AFC", target="0.5")["target"]


@pytest.mark.parametrize("name", TEMPLATES)
def test_templates_start_and_yield(name, tmp_path):
    session = read_setup({"template": name}).start(tmp_path / "s.json", seed=1)
    assert "{level}" in session.question
    assert preview(read_setup({"template": name}))
    other = read_setup({"template": name, "levels": "1,2,3", "budget": "7", "target": ""})
    assert (other.levels, other.stop, other.question) == ([1, 2, 3], Budget(7), session.question)


def test_options_reach_the_sampler_and_the_file(tmp_path):
    typed = {
        "levels": "1:4:4",
        "task": "2AFC",
        "scale": "log",
        "lapse": "0.01",
        "subject": "anna",
        "blind": "yes",
    }
    session = read_setup(typed).start(tmp_path / "s.json", seed=1)
    sampler = Session.open(session.path).sampler
    assert (sampler.guess_rate, sampler.scale, sampler.lapse_rate) == (0.5, "log", 0.01)
    assert Session.open(session.path).about == {"task": "2AFC", "subject": "anna", "blind": "yes"}
    typed = {"levels": "1:4:4", "sampler": "DoseEscalation", "cohort": "3", "overdose_limit": "0.2"}
    sampler = read_setup(typed).start(tmp_path / "d.json", seed=1).sampler
    assert (sampler.cohort, sampler.overdose_limit) == (3, 0.2)


def test_a_blind_question_names_no_level():
    assert "must not show {level}" in wrong(question="Is {level} loud?", blind="yes")["question"]
