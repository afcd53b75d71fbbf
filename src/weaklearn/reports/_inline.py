"""From a matplotlib figure to SVG inside a page.

The SVG has no ``style`` attribute and no ``<style>`` element, so a strict content policy lets it through, and its
colours are plain attributes, which the style sheet replaces in dark mode. It is also about a third of matplotlib's own:
coordinates are rounded, attributes that all parts of a group share are written once, ids that nobody refers to go.
"""

import hashlib
import io
import re
from typing import Any
from xml.etree import ElementTree

from markupsafe import Markup, escape

from weaklearn.reports._powers import plain_powers

__all__ = ["inline_figure"]

_REFERENCE = re.compile(r"url\(#([^)]*)\)")
_NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
_PATH_STEP = re.compile(r"([A-Za-z])([^A-Za-z]*)")
# Passed on from a group to its parts, so it can be written on the group.
_INHERITED = [
    "fill",
    "fill-opacity",
    *("stroke", "stroke-width", "stroke-opacity", "stroke-linejoin", "stroke-linecap"),
    *("stroke-dasharray", "stroke-dashoffset"),
    *("font-size", "font-style", "font-weight", "text-anchor"),
]
# What is so anyway; the size of letters is written on the root.
_FONT_SIZE = "10"
_DEFAULTS = {
    "stroke-dashoffset": "0",
    "text-anchor": "start",
    "font-style": "normal",
    "font-weight": "400",
    "font-size": _FONT_SIZE,
}
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
    kind = "plot paper" if _needs_paper(figure) else "plot"
    attributes = {
        "class": kind,
        "viewBox": f"0 0 {width:g} {height:g}",
        "width": f"{width:g}",
        "height": f"{height:g}",
        "role": "img",
        "stroke-linejoin": "round",
        "stroke-linecap": "butt",
        "font-size": _FONT_SIZE,
    }
    if description:
        attributes["aria-label"] = description
    _tidy(root, _defined(root))
    _rename(root, prefix)
    root.attrib.clear()
    root.attrib.update(attributes)
    parts: list[str] = []
    _write(root, parts)
    return Markup("".join(parts))


def _drawn(figure: Any, name: str) -> str:
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    plain_powers(figure)
    buffer = io.StringIO()
    # A fixed salt makes ids, and so the page, the same every time.
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": name, "font.family": "sans-serif"}):
        FigureCanvasSVG(figure).print_svg(buffer, metadata={"Date": None})
    return buffer.getvalue()


def _needs_paper(figure: Any) -> bool:
    """Whether ink lies on areas of fixed light colours, so that it must stay dark."""
    from matplotlib.collections import QuadMesh
    from matplotlib.contour import ContourSet

    for axes in figure.axes:
        if axes.images and axes.texts:
            return True
        for part in axes.collections:
            if isinstance(part, QuadMesh) or (isinstance(part, ContourSet) and part.filled):
                return True
    return False


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _defined(root: ElementTree.Element) -> dict[str, set[str]]:
    """The properties that shapes with an id set themselves; a ``use`` of the shape cannot change them."""
    return {
        element.attrib["id"]: set(_properties(element.attrib.get("style", "")))
        for element in root.iter()
        if _local(element.tag) == "path" and "id" in element.attrib
    }


def _properties(style: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for declaration in style.split(";"):
        key, colon, value = declaration.partition(":")
        key, value = key.strip(), value.strip()
        if not colon or key in _DROPPED:
            continue
        if key == "font":  # mathtext: style, weight and size before the family
            size = re.search(r"([\d.]+)px", value)
            if size:
                found["font-size"] = f"{float(size[1]):g}"
            for word, part in (("italic", "font-style"), ("oblique", "font-style"), ("bold", "font-weight")):
                if re.search(rf"\b{word}\b", value):
                    found[part] = word
            continue
        found[key] = f"{float(value.removesuffix('px')):g}" if key == "font-size" else value
    return {key: value for key, value in found.items() if _DEFAULTS.get(key) != value}


def _tidy(element: ElementTree.Element, defined: dict[str, set[str]], inside_defs: bool = False) -> None:
    element.tag = _local(element.tag)
    attributes = {_local(key): value for key, value in element.attrib.items()}
    properties = _properties(attributes.pop("style", ""))
    if element.tag == "use":
        own = defined.get(attributes.get("href", "")[1:], set())
        properties = {key: value for key, value in properties.items() if key not in own}
    attributes.update(properties)
    decimals = 2 if inside_defs else 1
    for key in ("d", "x", "y", "width", "height", "cx", "cy", "r", "transform", "points"):
        if key in attributes and not attributes[key].startswith("data:"):
            attributes[key] = _rounded(attributes[key], 4 if key == "transform" else decimals)
    if "d" in attributes:
        attributes["d"] = _short_path(attributes["d"])
    if re.fullmatch(r"rotate\(-?0(\.0)? .*\)", attributes.get("transform", "")):
        del attributes["transform"]
    element.attrib.clear()
    element.attrib.update(attributes)
    element.tail = None
    if element.tag not in ("text", "tspan") or not (element.text or "").strip():
        element.text = None
    for child in list(element):
        if _local(child.tag) in ("metadata", "style"):
            element.remove(child)
        else:
            _tidy(child, defined, inside_defs or element.tag in ("defs", "clipPath"))


def _rounded(text: str, decimals: int) -> str:
    def shorter(found: re.Match[str]) -> str:
        # Adding zero turns -0 into 0.
        return f"{round(float(found[0]), decimals) + 0.0:.{decimals}f}".rstrip("0").rstrip(".")

    return _NUMBER.sub(shorter, text)


def _short_path(path: str) -> str:
    """Without line breaks, and without repeating the letter of consecutive lines."""
    parts, last = [], ""
    for letter, numbers in _PATH_STEP.findall(path):
        shown = " ".join(numbers.split())
        if letter == last and letter in "LC":
            parts.append(f" {shown}")
        else:
            parts.append(f"{letter}{shown}")
        last = letter
    return "".join(parts)


def _rename(root: ElementTree.Element, prefix: str) -> None:
    used: dict[str, str] = {}
    for element in root.iter():
        for key, value in element.attrib.items():
            names = _REFERENCE.findall(value)
            if key == "href" and value.startswith("#"):
                names.append(value[1:])
            for name in names:
                used.setdefault(name, f"{prefix}-{len(used)}")
    for element in root.iter():
        for key, value in list(element.attrib.items()):
            if key == "id":
                if value in used:
                    element.attrib["id"] = used[value]
                else:
                    del element.attrib["id"]
            elif key == "href" and value.startswith("#"):
                element.attrib[key] = f"#{used[value[1:]]}"
            elif "url(#" in value:
                element.attrib[key] = _REFERENCE.sub(lambda found: f"url(#{used[found[1]]})", value)
    _flatten(root)


def _flatten(element: ElementTree.Element) -> None:
    """Groups that say nothing are replaced by their parts; what all parts of a group say is said once."""
    for child in list(element):
        _flatten(child)
    parts: list[ElementTree.Element] = []
    for child in element:
        if child.tag in ("g", "defs") and len(child) == 0:
            continue
        parts += list(child) if child.tag == "g" and not child.attrib else [child]
    element[:] = parts
    if (
        element.tag == "g"
        and len(element) > 1
        and all(part.tag not in ("defs", "clipPath") for part in element)
    ):
        for key in _INHERITED:
            values = {part.attrib.get(key) for part in element}
            if len(values) == 1 and None not in values and key not in element.attrib:
                element.attrib[key] = element[0].attrib[key]
                for part in element:
                    del part.attrib[key]


def _write(element: ElementTree.Element, parts: list[str]) -> None:
    pairs = "".join(f' {key}="{escape(value)}"' for key, value in element.attrib.items())
    inside = bool(element.text) or len(element) > 0
    parts.append(f"<{element.tag}{pairs}{'' if inside else '/'}>")
    if not inside:
        return
    if element.text:
        parts.append(str(escape(element.text)))
    for child in element:
        _write(child, parts)
    parts.append(f"</{element.tag}>")
