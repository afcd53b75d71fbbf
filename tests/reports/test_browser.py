"""Standalone pages in a real browser, opened as files: nothing is refused by the content policy, the script works."""

import os
import shutil

import pytest

from weaklearn._files import write_file
from weaklearn.display import new_panel, palette
from weaklearn.reports import inline_figure, render
from weaklearn.reports._pages import _environment

pytest.importorskip("selenium", reason="driving a browser needs the package selenium")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None, reason="needs the programs chromium and chromedriver"
)

PAGE = """{% extends "reports/page.html" %}{% import "reports/parts.html" as parts %}
{% block title %}page{% endblock %}
{% block main %}
<fieldset class="filter" data-items=".item">
<input type="radio" name="v" value="" checked><input type="radio" name="v" value="not run"><output></output>
</fieldset>
<article class="item" data-filtered id="one">
{% call parts.table("numbers", ["name", ("value", "number")], "cells", sortable=true) %}
{% for name, value, verdict in rows %}
<tr data-filtered><th scope="row">{{ name }}</th><td data-verdict="{{ verdict }}">{{ value }}</td></tr>
{% endfor %}
{% endcall %}
</article>
<article class="item" data-filtered id="two">
{% call parts.table("wide", names) %}
<tr>{% for name in names %}<td>{{ name }}</td>{% endfor %}</tr>
{% endcall %}
</article>
{{ parts.figure(svg, "caption") }}
{% endblock %}"""


@pytest.fixture(scope="module")
def driver():
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("headless=new", "disable-gpu", "disable-dev-shm-usage", "window-size=1000,900"):
        options.add_argument(f"--{argument}")
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # Chromium has no sandbox for root
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def page(driver, tmp_path_factory):
    figure, axes = new_panel("title")
    axes.plot([0, 1], [0, 1], "o-", color=palette.BLUE, markeredgecolor=palette.BLACK)
    rows = [
        ("b", "10.5 ± 1", "agrees"),
        ("a", "\N{MINUS SIGN}3", "not run"),
        ("c", "9", "differs"),
        ("d", "none", ""),
    ]
    text = (
        _environment()
        .from_string(PAGE)
        .render(
            rows=rows,
            names=[f"a long column name {k}" for k in range(30)],
            svg=inline_figure(figure, "figure"),
        )
    )
    path = tmp_path_factory.mktemp("page") / "page.html"
    write_file(path, text)
    driver.get(path.as_uri())
    return driver


def script(driver, text):
    return driver.execute_script(f"return {text}")


def prefers(driver, mode):
    features = [{"name": "prefers-color-scheme", "value": mode}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def test_sorting(page):
    names = "[...document.querySelectorAll('#one tbody th')].map(e => e.textContent).join('')"
    button = page.find_element("css selector", "#one th:nth-child(2) button")
    button.click()
    assert script(page, names) == "acbd"  # numbers by value, text last
    button.click()
    assert script(page, names) == "dbca"
    page.find_element("css selector", "#one th:nth-child(1) button").click()
    assert script(page, names) == "abcd"
    assert script(page, "document.querySelectorAll('#one [aria-sort]').length") == 1


def test_filter(page):
    page.find_element("css selector", "input[value='not run']").click()
    shown = "[...document.querySelectorAll('#one tbody tr')].filter(e => e.offsetHeight).length"
    assert script(page, shown) == 1
    assert script(page, "document.getElementById('two').offsetHeight") == 0
    page.find_element("css selector", "input[value='']").click()
    assert script(page, shown) == 4


def test_wide_tables_scroll_with_a_hint_and_the_page_does_not(page):
    hints = "[...document.querySelectorAll('.scroll-hint')].map(e => e.offsetHeight > 0)"
    assert script(page, hints) == [False, True]
    assert script(page, "document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_figures_follow_the_mode(page, mode):
    prefers(page, mode)

    def rgb(colour):
        shown = palette.DARK[colour] if mode == "dark" else colour
        return "rgb({}, {}, {})".format(*(int(shown[i : i + 2], 16) for i in (1, 3, 5)))

    line = f"getComputedStyle(document.querySelector('.plot path[stroke=\"{palette.BLUE}\"]')).stroke"
    assert script(page, line) == rgb(palette.BLUE)
    assert script(page, "getComputedStyle(document.querySelector('.plot text')).fill") == rgb(palette.BLACK)
    assert script(page, "getComputedStyle(document.querySelector('.plot path')).fill") == rgb(palette.WHITE)


def test_nothing_is_refused_or_loaded(page):
    assert page.get_log("browser") == []
    assert script(page, "performance.getEntriesByType('resource').length") == 0


def test_the_policy_is_in_force(driver, tmp_path):
    """A script that got into the page all the same would not run."""
    text = render("reports/message.html", title="x", message="y")
    write_file(
        tmp_path / "page.html", text.replace("</main>", "<script>document.title = 'broken'</script></main>")
    )
    driver.get((tmp_path / "page.html").as_uri())
    assert driver.title == "x"
    assert any("Content Security Policy" in line["message"] for line in driver.get_log("browser"))
