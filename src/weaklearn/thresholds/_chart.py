"""A small chart as SVG: a page with three of them is made after every answer, and matplotlib takes 0.2 s for them.

Colours are those of `weaklearn.display.palette`, which the style sheet replaces in the dark.
"""

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from markupsafe import Markup, escape

from weaklearn.display.palette import BLACK, FAINT, GREY
from weaklearn.thresholds._wording import number

_WIDTH, _PLOT = 374, (46.0, 10.0, 320.0, 200.0)  # of the picture; left, top, width and height inside the axes
_LETTER, _LINE = 5.3, 16.0  # the widths of letters vary with the font: an average, and the height of a line
_MOST_TICKS = 6


class Axis(NamedTuple):
    """From ``low`` to ``high``; ticks at round numbers, or at the places ``ticks``."""

    label: str
    low: float
    high: float
    log: bool = False
    ticks: tuple[float, ...] | None = None

    def share(self, values):
        """Where values lie, 0 at the low end and 1 at the high one; what lies beyond is at the end."""
        values = np.clip(np.asarray(values, dtype=float), self.low, self.high)
        if self.log:
            return np.log(values / self.low) / math.log(self.high / self.low)
        return (values - self.low) / (self.high - self.low)

    def marks(self):
        """The places of ticks."""
        if self.ticks is not None:
            return self.ticks
        if self.log and self.high > 5 * self.low:
            first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
            found = [m * 10.0**k for k in range(first, last + 1) for m in (1, 2, 5)]
            found = [x for x in found if self.low <= x <= self.high]
            return found if len(found) <= _MOST_TICKS else found[:: math.ceil(len(found) / _MOST_TICKS)]
        raw = (self.high - self.low) / _MOST_TICKS
        power = 10.0 ** math.floor(math.log10(raw))
        step = next(m * power for m in (1, 2, 5, 10) if m * power >= raw)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [float(f"{k * step:.12g}") for k in range(first, last + 1)]


class Chart:
    """Lines, areas and circles over two axes, with a legend below."""

    def __init__(self, x: Axis, y: Axis):
        self.x, self.y = x, y
        self._parts: list[str] = []
        self._legend: list[tuple[str, str]] = []  # what is drawn beside it, and the words

    def _points(self, x, y):
        left, top, width, height = _PLOT
        return left + width * self.x.share(x), top + height * (1 - self.y.share(y))

    def _path(self, x, y):
        pairs = zip(*np.broadcast_arrays(*self._points(x, y)), strict=True)
        return "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in pairs)

    def _add(self, part, sample, label):
        self._parts.append(part)
        if label and label not in [words for _, words in self._legend]:
            self._legend.append((sample, label))

    def line(self, x, y, colour, label="", width=1.6, dash=""):
        """A line through points."""
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        style = f'fill="none" stroke="{colour}" stroke-width="{width}"{dashed}'
        self._add(f'<path d="{self._path(x, y)}" {style}/>', f'<path d="M0 -3h20" {style}/>', label)

    def area(self, x, low, high, colour, opacity, label=""):
        """The area between two lines."""
        x, low, high = np.broadcast_arrays(x, low, high)
        path = self._path(np.concatenate([x, x[::-1]]), np.concatenate([low, high[::-1]]))
        style = f'fill="{colour}" fill-opacity="{opacity}"'
        self._add(f'<path d="{path}Z" {style}/>', f'<path d="M0 -7h20v8h-20z" {style}/>', label)

    def circles(self, x, y, radii, colour, label=""):
        """Circles of these radii, filled if all are small."""
        for a, b, radius in zip(*self._points(x, y), np.broadcast_to(radii, np.shape(x)), strict=True):
            style = f'fill="none" stroke="{colour}"' if label else f'fill="{colour}"'
            self._add(
                f'<circle cx="{a:.1f}" cy="{b:.1f}" r="{radius:.1f}" {style}/>',
                f'<circle cx="10" cy="-3" r="3.5" {style}/>',
                label,
            )

    def svg(self, description: str) -> Markup:
        """The chart; ``description`` is for people who do not see it."""
        left, top, width, height = _PLOT
        bottom, found = top + height, []
        for x in self.x.marks():
            at = left + width * float(self.x.share(x))
            found.append(f'<path d="M{at:.1f} {top}V{bottom}" stroke="{FAINT}" stroke-opacity="0.4"/>')
            found.append(f'<text x="{at:.1f}" y="{bottom + 14}" text-anchor="middle">{number(x)}</text>')
        for y in self.y.marks():
            at = top + height * (1 - float(self.y.share(y)))
            found.append(f'<path d="M{left} {at:.1f}H{left + width}" stroke="{FAINT}" stroke-opacity="0.4"/>')
            found.append(f'<text x="{left - 5}" y="{at + 3.5:.1f}" text-anchor="end">{number(y)}</text>')
        axes = f'<path d="M{left} {top}V{bottom}H{left + width}" fill="none" stroke="{GREY}"/>'
        middle = top + height / 2
        labels = (
            f'<text x="{left + width / 2}" y="{bottom + 29}" text-anchor="middle">{escape(self.x.label)}</text>'
            f'<text transform="translate(11 {middle}) rotate(-90)" text-anchor="middle">{escape(self.y.label)}</text>'
        )
        legend, total = self._below(bottom + 29 + _LINE)
        return Markup(
            f'<svg class="plot" viewBox="0 0 {_WIDTH} {total:g}" width="{_WIDTH}" height="{total:g}" role="img" '
            f'stroke-linejoin="round" font-size="10" fill="{BLACK}" aria-label="{escape(description)}">'
            f"{''.join(found)}{''.join(self._parts)}{axes}{labels}{legend}</svg>"
        )

    def _below(self, y: float) -> tuple[str, float]:
        """The legend, as many entries in a line as fit, and where it ends."""
        left, found = _PLOT[0], []
        x = left
        for sample, words in self._legend:
            width = 26 + _LETTER * len(words) + 12
            if x > left and x + width > _WIDTH:
                x, y = left, y + _LINE
            found.append(
                f'<g transform="translate({x:.0f} {y:.0f})">{sample}<text x="25">{escape(words)}</text></g>'
            )
            x += width
        return "".join(found), y + 6


def stairs(edges, heights):
    """The corners of a line that has these heights between the edges: (x, y)."""
    x = np.ravel(list(pairwise(edges)))
    return x, np.repeat(heights, 2)
