"""The two drawings of a session as inline SVG, with the same facts in words for people who do not see them."""

# Loaded with the server, so that the first answer does not wait for it.
import matplotlib.backends.backend_svg  # noqa: F401
from markupsafe import Markup

from weaklearn.adaptive import Session
from weaklearn.adaptive.drawing import posterior_figure, session_figure, trail_figure
from weaklearn.reports import inline_figure
from weaklearn.thresholds._wording import CONFIDENCE, level_text, number

__all__ = ["curve_drawing", "posterior_drawing", "trail_drawing"]


def curve_drawing(session: Session) -> Markup:
    """Share of yes at each level, the fitted curve, the targets, and the thresholds with their intervals."""
    words = _curve_words(session.sampler.counts())
    return inline_figure(session_figure(session, CONFIDENCE, title=False), "curve", words)


def _curve_words(counts) -> str:
    rows = zip(counts.levels, counts.yes, counts.asked, strict=True)
    words = [f"{int(yes)} of {int(n)} at level {level_text(level)}" for level, yes, n in rows if n > 0]
    return "Yes answers: " + ", ".join(words) + "." if words else "No answers yet."


def posterior_drawing(session: Session) -> Markup | str:
    """The posterior of the threshold, or nothing for samplers that have none."""
    figure = posterior_figure(session)
    if figure is None:
        return ""
    found = session.estimate(CONFIDENCE)[0]
    ends = f"{number(found['low'])} and {number(found['high'])}"
    words = f"The threshold lies between {ends} with {CONFIDENCE:.0%} probability."
    return inline_figure(figure, "posterior", words)


def trail_drawing(session: Session, trail: list[list[tuple[float, float, float]]]) -> Markup:
    """Estimate and interval after every answer."""
    return inline_figure(trail_figure(session, trail), "narrowing", _trail_words(trail))


def _trail_words(trail) -> str:
    if not trail:
        return "No answers yet."
    first, last = trail[0][0], trail[-1][0]
    return (
        f"After the first answer the interval was {number(first[1])} to {number(first[2])}; after "
        f"{len(trail)} it is {number(last[1])} to {number(last[2])}."
    )
