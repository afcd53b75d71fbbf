"""The page shell: escaping, content policy, templates and style sheet."""

import re
from importlib.resources import files
from pathlib import Path

import jinja2
import pytest

from page_checks import check_page
from weaklearn.display import palette
from weaklearn.reports import render, style_sheet

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'&{{ 7 * 7 }}"


def test_text_is_text():
    page = check_page(render("reports/message.html", title=HOSTILE, message=HOSTILE))
    assert page.text.count(HOSTILE) == 3  # title, heading, message


def test_a_missing_name_is_an_error():
    with pytest.raises(jinja2.UndefinedError, match="message"):
        render("reports/message.html", title="x")


@pytest.mark.parametrize(
    "name", ["page.html", "reports/none.html", "reports/../../cli.py", "no/room.html", "/x"]
)
def test_a_template_that_is_not_there(name):
    with pytest.raises(jinja2.TemplateNotFound):
        render(name)


def templates():
    root = files("weaklearn")
    for file in Path(str(root)).rglob("templates/*.html"):
        yield f"{file.parent.parent.relative_to(str(root)).as_posix()}/{file.name}"


@pytest.mark.parametrize("name", sorted(templates()))
def test_templates_neither_switch_off_escaping_nor_bring_styles(name):
    folder, _, file = name.rpartition("/")
    text = files("weaklearn").joinpath(folder, "templates", file).read_text(encoding="utf-8")
    assert not re.search(r"\|\s*safe|autoescape|\sstyle=|\son\w+=|https?://", text)
    parts = ("reports/page.html", "reports/parts.html", "labels/reasons.html", "thresholds/answers.html")
    if name not in (*parts, "web/damaged.html"):  # shell, macros, pieces
        assert re.match(r'{% extends "(reports/page|web/base|web/progress)\.html" %}', text)


def test_the_style_sheet_needs_nothing_from_elsewhere():
    text = style_sheet()
    assert not re.search(r"@import|url\(|https?:|</", text)
    assert text.count("{") == text.count("}")
    used = set(re.findall(r"var\(--([\w-]+)\)", text))
    made = set(re.findall(r"--([\w-]+):", text))
    assert used <= made


@pytest.mark.parametrize("sheet", ["app.css"])
def test_sheets_of_rooms_use_known_colours(sheet):
    text = files("weaklearn").joinpath("web", "static", sheet).read_text(encoding="utf-8")
    known = set(re.findall(r"--([\w-]+):", style_sheet() + text))
    assert set(re.findall(r"var\(--([\w-]+)\)", text)) <= known


def test_every_colour_of_the_palette_has_its_rules():
    text = style_sheet()
    for name, colour in palette.NAMES.items():
        assert f"--{name}:{colour};" in text
        assert f"--{name}:{palette.DARK[colour]};" in text
        assert f'[fill="{colour}"] {{ fill: var(--{name}); }}' in text
        assert f'[stroke="{colour}"] {{ stroke: var(--{name}); }}' in text


def _parts(source, **data):
    from weaklearn.reports._pages import _environment

    template = _environment().from_string('{% import "reports/parts.html" as parts %}' + source)
    return template.render(data)


def test_macros_escape_what_they_are_given():
    text = _parts(
        "{{ parts.notes([x]) }}{{ parts.notes([x, x]) }}{{ parts.badge(x, 'good', x) }}"
        "{{ parts.bar([('good', 0.5)], x) }}{{ parts.columns([(x, x)]) }}"
        "{% call parts.table(x, [x, (x, 'number')]) %}{% endcall %}",
        x=HOSTILE,
    )
    assert "<script" not in text
    assert "<img" not in text
    assert text.count("&lt;script&gt;") >= 9


def test_a_bar_is_as_long_as_its_parts():
    text = _parts("{{ parts.bar([('good', 0.25), ('bad', 0.5)], 'x') }}")
    found = re.findall(r'data-tone="(\w+)" x="([\d.]+)" y="0" width="([\d.]+)"', text)
    numbers = [(tone, float(x), float(width)) for tone, x, width in found]
    assert numbers == [("good", 0, 250), ("bad", 250, 500)]
