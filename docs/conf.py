"""Configuration of the site. ``make docs`` builds it offline; a warning is an error."""

import importlib
import inspect
import os
import pkgutil
import re
import sys
import tempfile
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
suppress_warnings = ["config.cache"]

autosummary_generate = False  # write_reference makes the pages
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
    "backreferences_dir": "api/examples",
    "doc_module": ("weaklearn",),
    "reference_url": {"weaklearn": None},
    "show_memory": False,
    "remove_config_comments": True,
    "within_subsection_order": "FileNameSortKey",
}
warnings.filterwarnings("ignore", message=".*FigureCanvasAgg is non-interactive.*")

html_theme = "furo"
html_title = "weaklearn"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_favicon = "_static/favicon.svg"
html_show_sphinx = False
html_copy_source = False
html_math_renderer = "mathml"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0072b2", "color-brand-content": "#0072b2"},
    "dark_css_variables": {"color-brand-primary": "#4aa3e8", "color-brand-content": "#4aa3e8"},
}

# The order of the reference: jobs first, then the science. What is listed nowhere is an error.
PACKAGES = (
    "labels",
    "comparison",
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
    "persistence",
    "engines",
    "lab",
    "testing",
)
IMPORTANCES = "feature_importances_"
# Used from the terminal and the browser, not imported.
PROGRAMS = {"cli", "console", "studies", "thresholds", "web"}


def public_packages() -> set[str]:
    """What a user can import from weaklearn."""
    found = {module.name for module in pkgutil.iter_modules(weaklearn.__path__)}
    return {name for name in found if not name.startswith("_")} - PROGRAMS


def write_reference(folder: Path) -> None:
    """Write a page for each package and each public name from ``__all__``, so that none can be forgotten."""
    if public_packages() != set(PACKAGES):
        raise ValueError(f"PACKAGES is not what there is: {public_packages() ^ set(PACKAGES)}")
    index = [*heading("API reference"), "Every public name, by package.", ""]
    index += [".. toctree::", "   :hidden:", "", *(f"   {name}/index" for name in PACKAGES), ""]
    described: set[int] = set()
    for name in PACKAGES:
        module = importlib.import_module(f"weaklearn.{name}")
        (folder / name).mkdir(parents=True, exist_ok=True)
        sections = public_names(module, described)
        pages = [public for names in sections.values() for public in names]
        for stale in set(folder.joinpath(name).glob("*.rst")) - {
            folder / name / f"{page}.rst" for page in pages
        }:
            if stale.name != "index.rst":
                stale.unlink()
        for section, names in sections.items():
            for public in names:
                _write(folder / name / f"{public}.rst", page_of(module, public, section))
        title = f"weaklearn.{name}"
        lines = [*heading(title), f".. automodule:: {title}", "   :no-members:", ""]
        lines += [".. toctree::", "   :hidden:", "", *(f"   {page}" for page in pages)]
        for section, names in sections.items():
            if names:
                lines += ["", *heading(section, "-"), *summary(title, names)]
        _write(folder / name / "index.rst", "\n".join(lines) + "\n")
        index += [
            *heading(title, "-"),
            f":doc:`About this package <{name}/index>`",
            "",
            *summary(title, pages),
        ]
    _write(folder / "index.rst", "\n".join(index) + "\n")


def public_names(module, described: set[int]) -> dict[str, list[str]]:
    """The public names of a package by kind, in the order of ``__all__``.

    A class or function that two packages offer has its page in the first.
    """
    sections: dict[str, list[str]] = {"Classes": [], "Functions": [], "Data": []}
    for public in module.__all__:
        thing = getattr(module, public)
        if callable(thing):
            # What is scikit-learn's own is described there.
            own = getattr(thing, "__module__", "weaklearn").startswith("weaklearn")
            if id(thing) in described or not own:
                continue
            described.add(id(thing))
        if inspect.isclass(thing):
            sections["Classes"].append(public)
        elif callable(thing):
            sections["Functions"].append(public)
        elif not inspect.ismodule(thing):
            sections["Data"].append(public)
    return sections


def page_of(module, public: str, section: str) -> str:
    """The page of one name, with the examples of the gallery that use it."""
    directive = {"Classes": "autoclass", "Functions": "autofunction", "Data": "autodata"}[section]
    option = {"Classes": ["   :members:"], "Functions": [], "Data": ["   :no-value:"]}[section]
    lines = [
        *heading(public),
        f".. currentmodule:: {module.__name__}",
        "",
        f".. {directive}:: {public}",
        *option,
    ]
    thing = getattr(module, public)
    # Inherited, so not a member of its own; without an entry of its own the class would link to that of another.
    if section == "Classes" and hasattr(thing, IMPORTANCES) and IMPORTANCES not in vars(thing):
        lines += ["", f"   .. autoattribute:: {public}.{IMPORTANCES}"]
    if section != "Data":
        lines += [
            "",
            f".. minigallery:: {module.__name__}.{public}",
            "   :add-heading: Examples that use it",
            "",
        ]
    return "\n".join(lines) + "\n"


def heading(title: str, underline: str = "=") -> list[str]:
    return [title, underline * len(title), ""]


def summary(package: str, names: list[str]) -> list[str]:
    """A table of names with the first sentence of each."""
    table = [".. autosummary::", "   :nosignatures:", "", *(f"   {name}" for name in names), ""]
    return [f".. currentmodule:: {package}", "", *table]


def _write(path: Path, text: str) -> None:
    """Write only what changed: Sphinx rebuilds by the time of a file."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


write_reference(ROOT / "docs" / "api")


def recorded():
    """What is recorded of all documents, judged."""
    from weaklearn.lab import discover, discover_claims, recorded_report

    with tempfile.TemporaryDirectory() as folder:
        return recorded_report(list(discover().values()), discover_claims(), out=folder)


def write_recorded(path: Path) -> None:
    """Write the page of all claims, tables and cells."""
    from weaklearn.lab import to_markdown

    _write(path, to_markdown(RECORDED))


RECORDED = recorded()
# A page of the guide, as docstrings and notes of claims name it.
GUIDE_PAGE = re.compile(r"`{0,2}docs/(\w+)\.md`{0,2}")
write_recorded(ROOT / "docs" / "reproduction.md")


def quote_record(app, docname, source):
    """Put what the record says where a page asks for it: {{ claim:ID }}, {{ table:NUMBER }}, {{ tally }}, ..."""
    from weaklearn.lab import quoted

    source[0] = quoted(source[0], Path(docname).name, RECORDED)
    if docname == "reproduction":  # notes of claims name pages of the guide
        source[0] = GUIDE_PAGE.sub(r"[\1](\1.md)", source[0])


def tidy_types(app, what, name, obj, options, lines):
    """Join types that span lines; keep names such as ``n_iter_`` in them from being read as links; link guide pages."""
    text = re.sub(r" *\\\n +", " ", "\n".join(lines))
    text = GUIDE_PAGE.sub(r":doc:`/\1`", text)
    lines[:] = text.split("\n")
    for k, line in enumerate(lines):
        names, colon, kind = line.partition(" : ")
        if colon and "`" not in kind and " " not in names.replace(", ", ""):
            lines[k] = names + colon + re.sub(r"(?<=\w)_(?!\w)", r"\_", kind)


def skip_routing(app, what, name, obj, skip, options):
    """Leave out ``set_fit_request`` and its like: scikit-learn adds them to every estimator and documents them."""
    return True if re.fullmatch(r"set_\w+_request", name) else None


# What the theme leaves out for those who do not see the page or use a keyboard only: levels of headings, names of
# landmarks, empty heads of tables, a stop at what scrolls.
ACCESSIBLE = {
    r'role="heading"(?! aria)': 'role="heading" aria-level="2"',
    r'<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="All pages">',
    r'<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="On this page">',
    r'<th class="head">(?:<p></p>)?</th>': "<td></td>",
    r"<pre>": '<pre tabindex="0">',
    r'<table class="docutils align-default">': '<table class="docutils align-default" tabindex="0">',
}


def make_accessible(app, exception):
    """Mend the pages of a build."""
    if exception is None and app.builder.format == "html":
        for path in Path(app.outdir).rglob("*.html"):
            text = path.read_text(encoding="utf-8")
            for found, better in ACCESSIBLE.items():
                text = re.sub(found, better, text)
            path.write_text(text, encoding="utf-8")


def setup(app):
    app.add_lexer("csv", TextLexer)
    app.connect("source-read", quote_record)
    app.connect("autodoc-skip-member", skip_routing)
    app.connect("build-finished", make_accessible)
    # Before numpydoc, whose priority is 500.
    app.connect("autodoc-process-docstring", tidy_types, priority=400)
