"""Figures are drawn in processes, and are the same as those drawn in this one."""

import sys

import pytest

from weaklearn.lab import Figure, LabError
from weaklearn.lab._build import KnownCode, use_code
from weaklearn.lab._figures import _FEW, Asked, draw_figures
from weaklearn.lab._record import Record

DRAWINGS = """
from weaklearn.display import new_panel

def titled(figure, data):
    if figure.title == "bad":
        raise ValueError("no such colour")
    return [new_panel(f"{figure.title} {part}")[0] for part in "ab"]
"""


@pytest.fixture
def asked(tmp_path, monkeypatch):
    (tmp_path / "drawings_of_a_user.py").write_text(DRAWINGS)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr("weaklearn.lab._build._KNOWN", KnownCode({}, []))
    use_code(KnownCode({}, [str(tmp_path)]))

    def figures(*titles):
        return [
            Asked("mine", Figure("s", str(k), title, draw="drawings_of_a_user:titled"), Record())
            for k, title in enumerate(titles)
        ]

    return figures


def test_processes_draw_the_same_figures_in_the_same_order(asked):
    titles = [f"figure {k}" for k in range(_FEW + 2)]
    here = draw_figures(asked(*titles), "inline")
    elsewhere = draw_figures(asked(*titles), "local", 2)
    assert elsewhere == here
    assert all(f"{title} a" in figure.panels[0] for figure, title in zip(here, titles, strict=True))
    assert {len(figure.panels) for figure in here} == {2}


def test_a_figure_that_cannot_be_drawn_is_named(asked):
    with pytest.raises(LabError, match=r"figure 1 of mine cannot be drawn: (?s:.)*no such colour"):
        draw_figures(asked("good", "bad"), "inline")
