"""The answers of CONTRIBUTING.md name files and names that exist."""

import re
from pathlib import Path

import pytest

import weaklearn

SOURCE = Path(weaklearn.__file__).parent
GUIDE = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
ANSWERS = [line for line in GUIDE.splitlines() if line.startswith(("| W", "| How"))]


@pytest.mark.parametrize("line", ANSWERS)
def test_the_file_exists_and_holds_what_is_named(line):
    answer = line.split("|")[2]
    files = re.findall(r"`([\w/]+\.(?:py|html))`", answer)
    assert files
    texts = [(SOURCE / file).read_text(encoding="utf-8") for file in files]
    for name in re.findall(r"`(\w+)`", answer):
        assert name in texts[0]


def test_there_are_ten_answers():
    assert len(ANSWERS) == 10
