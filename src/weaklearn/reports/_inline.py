"""From a matplotlib figure to SVG inside a page.

The SVG has no ``style`` attribute and no ``<style>`` element, so a strict content policy lets it through, and its
colours are plain attributes, which the style sheet replaces in dark mode. Letters have the font of the page. Labels of
logarithmic axes are plain text, 10² and not a formula: parsing formulas takes a quarter of the time of a drawing, and
text can be searched for.
"""

import hashlib
import io
import re
from typing import Any
from xml.etree import ElementTree

from markupsafe import Markup

_REFERENCE = re.compile(r"(?<=url\(#)[^)]*|(?<=^#).*")
_NUMBER = re.compile(r"-?\d+\.\d\d\d+")
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_FORMULA = re.compile(r"\$\\mathdefault\{(.*)\}\$")
_POWER = re.compile(r"\^\{(-?\d+)\}")
_DROPPED = {"font-family", "font-stretch", "font-variant", "white-space"}


def inline_figure(figure: Any, name: str, description: str = "") -> Markup:
    """Draw a matplotlib figure as SVG for a page.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    name : str
        Ids are made from it: give every figure of a page its own. The same figure and name give the same text.
    description : str, optional
        What the figure shows, for people who do not see it.

    Returns
    -------
    markupsafe.Markup

    Examples
    --------
    >>> from weaklearn.display import new_panel
    >>> from weaklearn.reports import inline_figure
    >>> figure, axes = new_panel(xlabel="<level>")
    >>> "&lt;level&gt;" in inline_figure(figure, "levels")
    True
    """
    root = ElementTree.fromstring(_drawn(figure, name))
    prefix = "f" + hashlib.sha256(name.encode()).hexdigest()[:6]
    width, height = (float(part) for part in root.attrib["viewBox"].split()[2:])
    _rewrite(root, prefix)
    root.attrib.clear()
    root.attrib |= {
        "class": "plot paper" if _needs_paper(figure) else "plot",
        "viewBox": f"0 0 {width:g} {height:g}",
        "width": f"{width:g}",
        "height": f"{height:g}",
        "role": "img",
        "stroke-linejoin": "round",
        "stroke-linecap": "butt",
        "font-size": "10",
    }
    if description:
        root.attrib["aria-label"] = description
    return Markup(ElementTree.tostring(root, encoding="unicode"))


def _drawn(figure: Any, name: str) -> str:
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    _plain_powers(figure)
    buffer = io.StringIO()
    # A fixed salt makes ids, and so the page, the same every time.
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": name, "font.family": "sans-serif"}):
        FigureCanvasSVG(figure).print_svg(buffer, metadata={"Date": None})
    return buffer.getvalue()


def _needs_paper(figure: Any) -> bool:
    """Whether ink lies on areas of fixed light colours, so that it must stay dark."""
    from matplotlib.collections import QuadMesh
    from matplotlib.contour import ContourSet

    def is_area(part: Any) -> bool:
        return isinstance(part, QuadMesh) or (isinstance(part, ContourSet) and part.filled)

    return any((axes.images and axes.texts) or any(map(is_area, axes.collections)) for axes in figure.axes)


def _rewrite(element: ElementTree.Element, prefix: str) -> None:
    """Plain names, styles as attributes, ids of this figure alone, short numbers."""
    element.tag = _local(element.tag)
    attributes = {_local(key): value for key, value in element.attrib.items()}
    attributes |= _properties(attributes.pop("style", ""))
    for key, value in attributes.items():
        if key == "id":
            attributes[key] = f"{prefix}-{value}"
        elif (key == "href" and value.startswith("#")) or "url(#" in value:
            attributes[key] = _REFERENCE.sub(lambda found: f"{prefix}-{found[0]}", value)
        elif not value.startswith("data:"):
            attributes[key] = _NUMBER.sub(lambda found: f"{float(found[0]):.2f}", value)
    element.attrib.clear()
    element.attrib.update(attributes)
    element.tail = None
    if not (element.text or "").strip():
        element.text = None
    for child in list(element):
        if _local(child.tag) in ("metadata", "style"):
            element.remove(child)
        else:
            _rewrite(child, prefix)


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _properties(style: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for declaration in filter(str.strip, style.split(";")):
        key, value = (part.strip() for part in declaration.split(":", 1))
        if key == "font":  # mathtext: style, weight and size before the family
            size = re.search(r"([\d.]+)px", value)
            found |= {"font-size": size[1]} if size else {}
            found |= {"font-style": "italic"} if re.search("italic|oblique", value) else {}
            found |= {"font-weight": "bold"} if "bold" in value else {}
        elif key not in _DROPPED:
            found[key] = value.removesuffix("px")
    return found


def _without_formula(label: str) -> str:
    """The label of a tick on a logarithmic axis as plain text; other formulas stay as they are."""
    formula = _FORMULA.fullmatch(label)
    if formula is None:
        return label
    text = formula[1].replace(r"\times", "×")
    text = _POWER.sub(lambda power: power[1].translate(_SUPERSCRIPT), text)
    return label if re.search(r"[\\^{}_]", text) else text


def _plain_powers(figure: Any) -> None:
    """Give the logarithmic axes of a figure, those with matplotlib's own labels, labels of plain text."""
    from matplotlib.ticker import LogFormatterSciNotation

    class PlainPowers(LogFormatterSciNotation):
        def __call__(self, x, pos=None):
            return _without_formula(super().__call__(x, pos))

    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            for get, put in (
                (axis.get_major_formatter, axis.set_major_formatter),
                (axis.get_minor_formatter, axis.set_minor_formatter),
            ):
                found = get()
                if axis.get_scale() == "log" and type(found) is LogFormatterSciNotation:
                    put(PlainPowers(axis.get_transform().base, labelOnlyBase=found.labelOnlyBase))
