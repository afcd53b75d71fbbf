"""The pages in a real browser: headless Chromium, driven by its own driver."""

import csv
import json
import time

import pytest

import browsing
from serving import Client, Server, answer
from weaklearn.adaptive import Session

for package in ("starlette", "uvicorn"):
    pytest.importorskip(package, reason="the pages need the extra weaklearn[web]")
pytest.importorskip("selenium", reason="driving a browser needs the package selenium")
pytestmark = browsing.needs_chromium
browser, downloads = browsing.browser, browsing.downloads


def outcome(level):
    return "yes" if float(level) > 32 else "no"


def test_an_experiment_from_start_to_download(browser, tmp_path, downloads):
    """Start, 15 answers by clicking, undo, reload, a new server tomorrow, download."""
    with Server(tmp_path) as server:
        page = browser.start(server, budget="16", target="0.612")
        history = []
        for n in range(1, 16):
            level = browser.state("level")
            assert f"Can you hear it at {level} dB?" in browser.text()
            browser.settle()
            browser.click(outcome(level))
            browser.wait_for_answers(n)
            history.append((float(level), outcome(level) == "yes"))
            assert "90% interval" in browser.text()
        assert browser.script("document.querySelectorAll('.drawings svg').length") == 3
        path = next(tmp_path.glob("*.json"))
        assert [(one["level"], one["outcome"]) for one in Session.open(path).history] == history

        browser.settle()
        browser.click("undo")
        browser.wait_for_answers(14)
        level, _ = history.pop()
        assert float(browser.state("level")) == level

        browser.driver.refresh()
        browser.wait_for_answers(14)
        assert float(browser.state("level")) == level

    address = page[page.index("/s/") :]
    with Server(tmp_path) as server:  # tomorrow: another process, another port, another token
        browser.driver.get(server.url)
        browser.driver.get(f"http://127.0.0.1:{server.port}/thresholds")
        browser.wait("document.querySelector('.sessions a')")
        assert "14 answers" in browser.text()
        browser.driver.find_element("css selector", ".sessions a").click()
        browser.wait_for_answers(14)
        assert browser.driver.current_url.endswith(address)
        assert float(browser.state("level")) == level
        for n in (15, 16):
            browser.settle()
            browser.click(outcome(browser.state("level")))
            browser.wait_for_answers(n)
        assert "Finished: 16 answers" in browser.text()
        browser.click("csv")
        browser.click("json")
        saved = wait_for_files(downloads, 2)
        rows = list(csv.DictReader(saved["csv"].read_text(encoding="utf-8").splitlines()))
        assert [float(row["level"]) for row in rows][:14] == [one for one, _ in history]
        assert len(json.loads(saved["json"].read_text(encoding="utf-8"))["history"]) == 16
    complaints = [line for line in browser.driver.get_log("browser") if line["level"] == "SEVERE"]
    assert complaints == []  # nor anything that the content policy has refused


def wait_for_files(folder, n):
    end = time.monotonic() + 20
    while time.monotonic() < end:
        files = [path for path in folder.iterdir() if path.suffix in (".csv", ".json")]
        if len(files) == n:
            return {path.suffix[1:]: path for path in files}
        time.sleep(0.05)
    raise AssertionError(f"downloaded: {list(folder.iterdir())}")


def test_keys(browser, server):
    from selenium.webdriver.common.keys import Keys

    browser.start(server)
    for n, key in enumerate(("y", "n", Keys.ARROW_RIGHT, Keys.ARROW_LEFT, "Y"), 1):
        browser.settle()
        browser.keys(key)
        browser.wait_for_answers(n)
    browser.settle()
    browser.keys("u")
    browser.wait_for_answers(4)
    # In a text field, letters are letters.
    browser.driver.find_element("css selector", "#notes-part summary").click()
    browser.fill(note="yny")
    browser.settle()
    assert browser.state("answers") == "4"
    browser.click("save-note")
    browser.wait("document.querySelector('.notes .text')?.textContent === 'yny'")
    assert browser.script("document.getElementById('note').value") == ""
    # Without a mouse, from the beginning: the buttons are reached by Tab and keep the focus.
    browser.script("document.getElementById('yes').focus()")
    browser.settle()
    browser.keys(Keys.ENTER)
    browser.wait_for_answers(5)
    assert browser.script("document.activeElement.id") == "yes"


def test_a_double_click_counts_once(browser, server):
    from selenium.webdriver import ActionChains

    browser.start(server)
    button = browser.driver.find_element("id", "yes")
    ActionChains(browser.driver).double_click(button).perform()
    browser.wait_for_answers(1)
    # The second click 150 ms later, when the next question is already there.
    browser.settle()
    browser.script("document.getElementById('yes').click()")
    browser.wait_for_answers(2)
    browser.script("document.getElementById('yes').click()")
    time.sleep(0.6)
    assert browser.state("answers") == "2"


def test_two_tabs(browser, server):
    page = browser.start(server)
    client = Client.let_in(server)
    address = page[page.index("/s/") :]
    answer(client, address, True)
    browser.click("no")
    browser.wait("document.getElementById('problem')")
    assert "Your answer was not recorded" in browser.text()
    assert browser.state("answers") == "1"
    assert browser.script("document.getElementById('announcer').textContent").startswith(
        "Your answer was not"
    )
    browser.settle()
    browser.click("no")
    browser.wait_for_answers(2)
    assert not browser.script("document.getElementById('problem')")


def test_a_server_that_is_gone_and_comes_back(browser, tmp_path):
    with Server(tmp_path) as server:
        page = browser.start(server)
        port = server.port
        server.kill()
    browser.click("yes")
    browser.wait("document.getElementById('problem')")
    assert "The server does not answer" in browser.text()
    with Server(tmp_path, port) as server:
        browser.settle()
        browser.click("yes")
        browser.wait("document.querySelector('main').innerText.includes('was restarted')")
        browser.driver.get(server.url)
        browser.driver.get(page)
        browser.wait_for_answers(0)
        browser.click("yes")
        browser.wait_for_answers(1)


def test_without_script(browser, server):
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        client = Client.let_in(server)
        address = client.start(budget="5", levels="1,2,3")
        browser.driver.get(server.url)
        browser.driver.get(f"http://127.0.0.1:{server.port}{address}")
        for n in range(1, 4):
            time.sleep(0.6)  # a double click does not reach the next question here, either
            browser.click("yes")
            assert wait_for(lambda n=n: f'data-answers="{n}"' in browser.driver.page_source)
        time.sleep(0.6)
        browser.click("undo")
        assert wait_for(lambda: 'data-answers="2"' in browser.driver.page_source)
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def wait_for(condition, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.03)
    return False


@pytest.mark.parametrize("width", [320, 390, 1200])
def test_nothing_sticks_out_and_targets_are_large(browser, server, width):
    page = browser.start(server)
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        browser.click("yes")
        browser.wait_for_answers(1)
        for address in (
            page,
            page + "/report",
            *(page[: page.index("/s/")] + end for end in ("/new", "/", "/thresholds")),
        ):
            browser.driver.get(address)
            assert browser.script("document.documentElement.scrollWidth <= innerWidth")
            pressed = "[...document.querySelectorAll('button, .button, input:not([type]), select')]"
            heights = browser.script(f"{pressed}.map(e => e.offsetHeight)")
            assert all(height == 0 or height >= 44 for height in heights)
        browser.driver.get(page)
        assert browser.script("document.getElementById('yes').getBoundingClientRect().bottom < innerHeight")
    finally:
        browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


CONTRAST = """
(() => {
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = (c) => c.slice(0, 3).map((v) => v / 255)
    .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const c = rgb(getComputedStyle(e).backgroundColor);
      if (c.length < 4 || c[3] > 0) return c;
    }
    return [255, 255, 255];
  };
  const poor = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || element.disabled || !element.checkVisibility()) continue;
    const svg = element.closest("svg");
    const style = getComputedStyle(element);
    const front = light(rgb(svg ? style.fill : style.color)), back = light(behind(svg || element));
    const ratio = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
    if (ratio < 4.5) poor.push(element.textContent.trim().slice(0, 30) + ": " + ratio.toFixed(2));
  }
  return poor;
})()
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_labels_and_live_region(browser, server, scheme):
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    try:
        page = browser.start(server)
        browser.click("yes")
        browser.wait_for_answers(1)
        browser.wait("document.getElementById('announcer').textContent.includes('90% interval')")
        browser.wait("(document.querySelectorAll('details').forEach(e => e.open = true), true)")
        browser.settle()
        time.sleep(0.2)  # the buttons fade back in
        for address in ("/new", "/", "/thresholds", page[page.index("/s/") :] + "/report"):
            assert browser.script(CONTRAST.strip()) == []
            fields = "[...document.querySelectorAll('input:not([type=hidden]), select, textarea')]"
            assert browser.script(f"{fields}.filter(e => !e.labels.length)") == []
            assert browser.script("document.querySelectorAll('h1').length") == 1
            assert browser.script("document.documentElement.lang") == "en"
            browser.driver.get(page[: page.index("/s/")] + address)
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.mark.parametrize("width", [1280, 390])
def test_own_keys_on_a_blind_page(browser, tmp_path, width):
    with Server(tmp_path) as server:
        page = Client.let_in(server).start(
            blind="yes", sampler="", question="Louder?", yes_key="2", no_key="1", yes_label="Second"
        )
        browser.driver.set_window_size(width, 900)
        browser.driver.get(server.url)
        browser.driver.get(f"http://127.0.0.1:{server.port}{page}")
        for n, key in enumerate("2y12", 1):  # y is no key of this session
            browser.settle()
            browser.keys(key)
            if key != "y":
                browser.wait_for_answers(n - (n > 2))
        (file,) = tmp_path.glob("*.json")
        assert [one["outcome"] for one in Session.open(file).history] == [True, False, True]
        assert "Second" in browser.text()
        assert "evel" not in browser.text()
        assert browser.script("document.documentElement.scrollWidth <= innerWidth")
