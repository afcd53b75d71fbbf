"""A session from the list to the printed report without a mouse, wide and narrow."""

import pytest

import browsing
from serving import Server
from weaklearn.adaptive import Session

pytest.importorskip("selenium", reason="driving a browser needs the package selenium")
browser, downloads = browsing.browser, browsing.downloads
pytestmark = browsing.needs_chromium


def tab_to(browser, name, most=60):
    """Press Tab until the element is reached, as a person would."""
    from selenium.webdriver.common.keys import Keys

    for _ in range(most):
        if browser.script("document.activeElement.id") == name:
            return
        browser.keys(Keys.TAB)
    raise AssertionError(f"Tab does not reach {name}: {browser.text()[:500]}")


@pytest.mark.parametrize("width", [1280, 390])
def test_without_a_mouse(browser, tmp_path, width):
    from selenium.webdriver.common.keys import Keys

    with Server(tmp_path) as server:
        browser.driver.set_window_size(width, 900)
        browser.driver.get(server.url)
        browser.driver.get(f"http://127.0.0.1:{server.port}/thresholds")
        tab_to(browser, "new-session")
        browser.keys(Keys.ENTER)
        browser.wait("document.getElementById('levels')")
        tab_to(browser, "levels")
        browser.keys("1,2,4,8,16")
        tab_to(browser, "budget")
        browser.keys("3")
        browser.keys(Keys.ENTER)
        browser.wait_for_answers(0)
        for n, key in enumerate("yny", 1):
            browser.settle()
            browser.keys(key)
            browser.wait_for_answers(n)
        browser.wait("document.getElementById('extend')")
        tab_to(browser, "more-answers")
        browser.keys(Keys.BACKSPACE, Keys.BACKSPACE, "1", Keys.ENTER)
        browser.wait("document.getElementById('yes')")
        browser.settle()
        browser.script("document.activeElement.blur()")
        browser.keys("n")
        browser.wait_for_answers(4)
        tab_to(browser, "report")
        browser.keys(Keys.ENTER)
        browser.wait("document.title.startsWith('Report')")
        assert "4 answers; finished: 4 answers" in browser.text()
        assert browser.script("document.documentElement.scrollWidth <= innerWidth")
        (path,) = tmp_path.glob("*.json")
        assert [one["outcome"] for one in Session.open(path).history] == [True, False, True, False]
