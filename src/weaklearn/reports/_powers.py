"""Labels of logarithmic axes as plain text: 10², not a formula.

matplotlib sets 10² as a formula. Parsing the formulas takes a quarter of the time of a drawing, and plain text is
shorter and can be searched for.
"""

import re
from typing import Any

__all__ = ["plain_powers", "without_formula"]

_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_FORMULA = re.compile(r"\$\\mathdefault\{(.*)\}\$")
_POWER = re.compile(r"\^\{(-?\d+)\}")


def without_formula(label: str) -> str:
    r"""The label of a tick on a logarithmic axis as plain text; other formulas stay as they are.

    Examples
    --------
    >>> from weaklearn.reports._powers import without_formula
    >>> without_formula(r"$\mathdefault{10^{-3}}$"), without_formula(r"$\mathdefault{2\times10^{4}}$")
    ('10⁻³', '2×10⁴')
    """
    formula = _FORMULA.fullmatch(label)
    if formula is None:
        return label
    text = formula[1].replace(r"\times", "×")
    text = _POWER.sub(lambda power: power[1].translate(_SUPERSCRIPT), text)
    return label if re.search(r"[\\^{}_]", text) else text


def plain_powers(figure: Any) -> None:
    """Give the logarithmic axes of a figure, those with matplotlib's own labels, labels of plain text."""
    from matplotlib.ticker import LogFormatterSciNotation

    class PlainPowers(LogFormatterSciNotation):
        def __call__(self, x, pos=None):
            return without_formula(super().__call__(x, pos))

    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            for get, put in (
                (axis.get_major_formatter, axis.set_major_formatter),
                (axis.get_minor_formatter, axis.set_minor_formatter),
            ):
                found = get()
                if axis.get_scale() == "log" and type(found) is LogFormatterSciNotation:
                    put(PlainPowers(axis.get_transform().base, labelOnlyBase=found.labelOnlyBase))
