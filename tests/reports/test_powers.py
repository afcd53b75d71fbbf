"""Labels of logarithmic axes: the same ticks as matplotlib's, as plain text."""

import re

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.ticker import LogFormatter

from weaklearn.display import new_panel
from weaklearn.reports import inline_figure
from weaklearn.reports._inline import _plain_powers, _without_formula


def test_other_formulas_and_plain_text_stay():
    for label in (r"$\alpha^{2}$", r"$\mathdefault{e^{x}}$", "100", ""):
        assert _without_formula(label) == label
    assert _without_formula(r"$\mathdefault{10^{-12}}$") == "10⁻¹²"
    assert _without_formula(r"$\mathdefault{2\times10^{4}}$") == "2×10⁴"
    assert _without_formula(r"$\mathdefault{-2\times10^{0}}$") == "-2×10⁰"


@pytest.mark.parametrize("limits", [(1e-3, 1e4), (2.0, 7.0), (0.5, 40.0)])
def test_the_ticks_that_have_a_label_are_the_same(limits):
    labels = []
    for change in (lambda figure: None, _plain_powers):
        figure, axes = new_panel()
        axes.set_yscale("log")
        axes.set_ylim(*limits)
        change(figure)
        FigureCanvasAgg(figure).draw()
        ticks = [*axes.yaxis.get_major_ticks(), *axes.yaxis.get_minor_ticks()]
        labels.append([_without_formula(tick.label1.get_text()) for tick in ticks])
    assert labels[0] == labels[1]
    assert any(labels[0])


def test_figures_of_pages_have_them_and_a_chosen_formatter_stays():
    figure, axes = new_panel()
    axes.set_xscale("log")
    axes.set_xlim(1, 1000)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(LogFormatter())
    svg = inline_figure(figure, "powers")
    assert {"10⁰", "10¹", "10²", "10³"} <= set(re.findall(r">([^<>]+)</text>", svg))
    assert type(axes.yaxis.get_major_formatter()) is LogFormatter
