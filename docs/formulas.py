"""Formulas as MathML, which browsers draw themselves: no script, no font, no network."""

from docutils import nodes
from latex2mathml.converter import convert


def visit_inline(self, node):
    self.body.append(convert(node.astext()))
    raise nodes.SkipNode


def visit_block(self, node):
    self.body.append('<div class="formula">')
    for formula in node.astext().split("\n\n"):
        self.body.append(convert(formula, display="block"))
    self.body.append("</div>\n")
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
