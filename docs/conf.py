"""Configuration of the site. ``make docs`` builds it offline; a warning is an error."""

import importlib
import inspect
import os
import re
import sys
import warnings
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "docs")]

import matplotlib  # noqa: E402
from pygments.lexers.special import TextLexer  # noqa: E402

import weaklearn  # noqa: E402

matplotlib.use("agg")

project = "weaklearn"
author = "The weaklearn developers"
copyright = author
version = release = weaklearn.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "formulas",
    "numpydoc",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
    "sphinx_copybutton",
]
source_suffix = {".rst": "restructuredtext", ".md": "markdown"}
exclude_patterns = ["_build"]
root_doc = "index"

myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3
# Pages also work on their own in the repository, where they link files that are not part of the site.
suppress_warnings = ["myst.xref_missing", "config.cache"]

autosummary_generate = False  # one page for each package, not for each name
autodoc_typehints = "none"
autodoc_inherit_docstrings = True
numpydoc_show_class_members = False
numpydoc_xref_param_type = False
default_role = "code"

sphinx_gallery_conf = {
    "examples_dirs": str(ROOT / "examples" / "gallery"),
    "gallery_dirs": "gallery",
    "filename_pattern": r"/plot_",
    "image_srcset": ["2x"],
    "abort_on_example_error": True,
    "plot_gallery": "True" if os.environ.get("WEAKLEARN_GALLERY", "1") != "0" else "False",
    "download_all_examples": False,
    "show_memory": False,
    "remove_config_comments": True,
    "within_subsection_order": "FileNameSortKey",
}
warnings.filterwarnings("ignore", message=".*FigureCanvasAgg is non-interactive.*")

html_theme = "furo"
html_title = "weaklearn"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
html_math_renderer = "mathml"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0072b2", "color-brand-content": "#0072b2"},
    "dark_css_variables": {"color-brand-primary": "#4aa3e8", "color-brand-content": "#4aa3e8"},
}

PACKAGES = (
    "linear",
    "boosting",
    "stumps",
    "trees",
    "costs",
    "multiclass",
    "kernel",
    "robust",
    "complexity",
    "cloning",
    "monotone",
    "adaptive",
    "datasets",
    "tables",
    "display",
    "reports",
    "lab",
    "testing",
)


def write_reference(folder: Path) -> None:
    """Write a page for each package from its ``__all__``, so that no public name can be forgotten."""
    folder.mkdir(exist_ok=True)
    entries = []
    for name in PACKAGES:
        module = importlib.import_module(f"weaklearn.{name}")
        sections: dict[str, list[str]] = {"Classes": [], "Functions": [], "Data": []}
        for public in module.__all__:
            thing = getattr(module, public)
            if inspect.isclass(thing):
                sections["Classes"].append(public)
            elif callable(thing):
                sections["Functions"].append(public)
            elif not inspect.ismodule(thing):
                sections["Data"].append(public)
        title = f"weaklearn.{name}"
        lines = [title, "=" * len(title), "", f".. automodule:: {title}", "   :no-members:", ""]
        lines += [f".. currentmodule:: {title}", "", ".. autosummary::", "   :nosignatures:", ""]
        lines += [f"   {public}" for names in sections.values() for public in names]
        for section, names in sections.items():
            if names:
                lines += ["", section, "-" * len(section), ""]
            directive = {"Classes": "autoclass", "Functions": "autofunction", "Data": "autodata"}[section]
            for public in names:
                lines += [f".. {directive}:: {public}"]
                if section == "Classes":
                    lines += ["   :members:"]
                if section == "Data":
                    lines += ["   :no-value:"]
                lines += [""]
        _write(folder / f"{name}.rst", "\n".join(lines) + "\n")
        entries.append(f"   {name}")
    head = (
        "API reference\n=============\n\nEvery public name, by package.\n\n.. toctree::\n   :maxdepth: 1\n\n"
    )
    _write(folder / "index.rst", head + "\n".join(entries) + "\n")


def _write(path: Path, text: str) -> None:
    """Write only what changed: Sphinx rebuilds by the time of a file."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


write_reference(ROOT / "docs" / "api")


def tidy_types(app, what, name, obj, options, lines):
    """Join types that go on in the next line; keep names such as ``n_iter_`` in them from being read as links."""
    text = re.sub(r" *\\\n +", " ", "\n".join(lines))
    lines[:] = text.split("\n")
    for k, line in enumerate(lines):
        names, colon, kind = line.partition(" : ")
        if colon and "`" not in kind and " " not in names.replace(", ", ""):
            lines[k] = names + colon + re.sub(r"(?<=\w)_(?!\w)", r"\_", kind)


def skip_routing(app, what, name, obj, skip, options):
    """Leave out ``set_fit_request`` and its like: scikit-learn adds them to every estimator and documents them."""
    return True if re.fullmatch(r"set_\w+_request", name) else None


def setup(app):
    app.add_lexer("csv", TextLexer)
    app.connect("autodoc-skip-member", skip_routing)
    # Before numpydoc, whose priority is 500.
    app.connect("autodoc-process-docstring", tidy_types, priority=400)
