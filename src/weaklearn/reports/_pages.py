"""The shell of every page, and where templates are found."""

import base64
import hashlib
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import BaseLoader, Environment, StrictUndefined, TemplateNotFound
from markupsafe import Markup

from weaklearn import __version__
from weaklearn.display import palette


class _Rooms(BaseLoader):
    """``labels/report.html`` is the file ``report.html`` in the folder ``labels/templates`` of the package."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, None, Callable[[], bool]]:
        room, slash, name = template.rpartition("/")
        file = files("weaklearn").joinpath(*room.split("/"), "templates", name)
        if not slash or not file.is_file():
            raise TemplateNotFound(template)
        return file.read_text(encoding="utf-8"), None, lambda: True


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=_Rooms(), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    # The texts of style sheet and script are ours and hold no markup.
    own = {"own_style": Markup(style_sheet()), "own_script": Markup(script())}
    environment.globals.update(version=__version__, policy=content_policy(), **own)
    return environment


def render(template: str, **data: Any) -> str:
    """Make a page from a template and plain data.

    Parameters
    ----------
    template : str
        Room and file: ``"labels/report.html"`` lies in ``labels/templates``.
    **data
        What the template names. Text is escaped; a name that is missing is an error.

    Returns
    -------
    str

    Examples
    --------
    >>> from weaklearn.reports import render
    >>> page = render("reports/message.html", title="Nothing found", message="<b> is only text")
    >>> "&lt;b&gt; is only text" in page
    True
    """
    return _environment().get_template(template).render(data)


@cache
def style_sheet() -> str:
    """The one style sheet: the palette by day and by night, then the rules of all pages."""
    light = "".join(f"--{name}:{colour};" for name, colour in palette.NAMES.items())
    dark = "".join(f"--{name}:{palette.DARK[colour]};" for name, colour in palette.NAMES.items())
    # Drawings carry light colours as attributes, which any rule overrides. Markers are copied by ``use``, where only
    # selectors without an ancestor match; nothing but drawings has such attributes.
    drawings = "\n".join(
        f'[{part}="{colour}"] {{ {part}: var(--{name}); }}'
        for name, colour in palette.NAMES.items()
        for part in ("fill", "stroke")
    )
    return (
        f":root {{ {light} }}\n.paper {{ {light} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} .paper {{ {light} }} }}\n{drawings}\n"
        + _static("page.css")
    )


@cache
def script() -> str:
    """The one script of the standalone pages: sorting tables and filtering by verdict."""
    return _static("page.js")


def _static(name: str) -> str:
    return (files("weaklearn.reports") / "static" / name).read_text(encoding="utf-8")


@cache
def content_policy() -> str:
    """The content policy of standalone pages: this style sheet, this script, figures; nothing else."""
    return (
        f"default-src 'none'; style-src '{_hash(style_sheet())}'; script-src '{_hash(script())}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
