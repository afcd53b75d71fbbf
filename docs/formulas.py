"""Formulas as MathML, which browsers draw themselves: no script, no font, no network."""

from docutils import nodes
from latex2mathml.converter import convert


def mathml(formula, display):
    try:
        return convert(formula, display=display)
    except Exception as error:
        raise ValueError(f"the formula {formula!r} cannot be written as MathML") from error


def visit_inline(self, node):
    self.body.append(mathml(node.astext(), "inline"))
    raise nodes.SkipNode


def visit_block(self, node):
    self.body.append('<div class="formula">')
    for formula in filter(str.strip, node.astext().split("\n\n")):
        self.body.append(mathml(formula, "block"))
    self.body.append("</div>\n")
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
