"""Figures inside a page: no style attribute, no clash of ids, the same picture."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from page_checks import Page
from weaklearn.display import new_panel
from weaklearn.display.palette import BLACK, BLUE, VERMILLION, WHITE
from weaklearn.reports import inline_figure


@pytest.fixture
def figure():
    figure, axes = new_panel("<script>alert(1)</script> & more", xlabel="$x_i^2$", ylabel="error")
    axes.plot([0, 1, 2], [0.0, 0.5, 0.25], "o--", color=BLUE, label='"quoted" <b>')
    axes.scatter([0, 1, 2], [1, 2, 3], color=VERMILLION, s=30)
    axes.fill_between([0, 1], [0, 0], [1, 1], alpha=0.2)
    axes.legend()
    return figure


def test_only_attributes_and_escaped_text(figure):
    svg = inline_figure(figure, "one", 'shows "<things>"')
    root = ElementTree.fromstring(svg)  # well-formed XML as well as HTML
    page = Page(svg)
    assert {tag for tag, _ in page.tags} <= {
        "svg",
        "g",
        "path",
        "use",
        "defs",
        "text",
        "tspan",
        "clippath",
        "rect",
    }
    assert page.values("style") == []
    assert root.attrib["aria-label"] == 'shows "<things>"'
    texts = {element.text for element in root.iter("text")}
    assert {"<script>alert(1)</script> & more", '"quoted" <b>', "error"} <= texts
    assert "xmlns" not in svg


def test_the_same_figure_twice_has_no_common_id(figure):
    one, two = (Page(inline_figure(figure, name)) for name in ("one", "two"))
    ids = [set(page.values("id")) for page in (one, two)]
    assert ids[0]
    assert not ids[0] & ids[1]
    for page, known in zip((one, two), ids, strict=True):
        references = {link[1:] for link in page.values("href")}
        references |= set(re.findall(r"#([^)]*)\)", " ".join(page.values("clip-path"))))
        assert references <= known  # all lead somewhere


def test_the_same_every_time(figure):
    assert inline_figure(figure, "one") == inline_figure(figure, "one")


def test_coordinates_are_those_of_matplotlib():
    """A line through known points, in units of the drawing."""
    figure, axes = new_panel(size=(4, 3), grid=False)
    x, y = np.array([0.0, 1.0, 3.0]), np.array([2.0, -1.0, 0.5])
    axes.plot(x, y, color=VERMILLION)
    svg = ElementTree.fromstring(inline_figure(figure, "line"))
    (line,) = [path for path in svg.iter("path") if path.attrib.get("stroke") == VERMILLION]
    numbers = np.array([float(number) for number in re.findall(r"-?[\d.]+", line.attrib["d"])]).reshape(-1, 2)
    pixels = axes.transData.transform(np.column_stack([x, y])) * 72 / figure.dpi
    expected = np.column_stack([pixels[:, 0], 3 * 72 - pixels[:, 1]])
    np.testing.assert_allclose(numbers, expected, atol=0.051)


def test_markers_keep_their_look():
    """Attributes that are written once on a group or a definition still reach every marker."""
    figure, axes = new_panel(grid=False)
    axes.plot([0, 1, 2], [0, 1, 2], "s", color=VERMILLION, markeredgecolor=BLACK)
    svg = ElementTree.fromstring(inline_figure(figure, "markers"))
    shapes = {element.attrib["id"]: element for element in svg.iter("path") if "id" in element.attrib}
    parents = {child: parent for parent in svg.iter() for child in parent}
    found = []
    for use in svg.iter("use"):
        chain = [shapes[use.attrib["href"][1:]], use]
        while chain[-1] in parents:
            chain.append(parents[chain[-1]])
        look = {
            key: next((e.attrib[key] for e in chain if key in e.attrib), None) for key in ("fill", "stroke")
        }
        found.append(look)
    assert found.count({"fill": VERMILLION, "stroke": BLACK}) == 3


@pytest.mark.parametrize("mesh", [True, False])
def test_ink_on_fixed_colours_stays_on_paper(mesh):
    figure, axes = new_panel()
    if mesh:
        axes.pcolormesh(np.eye(3))
    else:
        axes.plot([0, 1], [0, 1])
    root = ElementTree.fromstring(inline_figure(figure, "mesh"))
    assert ("paper" in root.attrib["class"].split()) is mesh


def test_letters_keep_their_size():
    figure, axes = new_panel("title", xlabel="label")
    axes.text(0.5, 0.5, "white", color=WHITE, fontsize=17, fontweight="bold")
    texts = {e.text: e.attrib for e in ElementTree.fromstring(inline_figure(figure, "t")).iter("text")}
    assert texts["title"]["font-size"] == "11"
    assert texts["label"]["font-size"] == "10"
    assert texts["white"]["font-size"] == "17"
    assert texts["white"]["font-weight"] in ("700", "bold")
    assert texts["white"]["fill"] == WHITE
