"""Headless Chromium, driven by its own driver, for the tests of pages."""

import contextlib
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None, reason="needs the programs chromium and chromedriver"
)


class Browser:
    """What a person does: look, click, press keys. Waits until the page says what is expected."""

    def __init__(self, downloads):
        from selenium import webdriver

        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for argument in ("headless=new", "disable-gpu", "disable-dev-shm-usage", "window-size=1000,900"):
            options.add_argument(f"--{argument}")
        if hasattr(os, "geteuid") and os.geteuid() == 0:  # Chromium has no sandbox for root
            options.add_argument("--no-sandbox")
        options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        service = webdriver.ChromeService(DRIVER)
        self.driver = webdriver.Chrome(options=options, service=service)

    def script(self, text, *arguments):
        return self.driver.execute_script(f"return {text}", *arguments)

    def wait(self, text, seconds=20):
        """Until the JavaScript expression is true."""
        from selenium.common.exceptions import JavascriptException

        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with contextlib.suppress(JavascriptException):  # the page is just being replaced
                if value := self.script(text):
                    return value
            time.sleep(0.03)
        raise AssertionError(f"waited in vain for {text}; the page says: {self.text()}")

    def text(self):
        return self.script("document.body.innerText")

    def click(self, name):
        self.driver.find_element("id", name).click()

    def fill(self, **fields):
        for name, text in fields.items():
            element = self.driver.find_element("id", name)
            element.clear()
            element.send_keys(text)

    def keys(self, *keys):
        from selenium.webdriver import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def state(self, name):
        return self.script(f"document.getElementById('session').dataset.{name}")

    def wait_for_answers(self, n):
        self.wait(f"document.getElementById('session')?.dataset.answers === '{n}'")

    def settle(self):
        """Until a further press is no longer taken for the second half of a double click."""
        self.wait("!document.documentElement.classList.contains('waiting')")

    def start(self, server, **fields):
        """A new session through the form; the address of its page."""
        self.driver.get(server.url)
        self.click("shortcut")
        self.wait("document.getElementById('start')")
        self.driver.execute_script("document.getElementById('more').open = true")
        self.fill(**{"question": "Can you hear it at {level} dB?", "levels": "0:70:15", **fields})
        self.click("start")
        self.wait_for_answers(0)
        return self.driver.current_url


@pytest.fixture(scope="module")
def downloads(tmp_path_factory):
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="module")
def browser(downloads):
    browser = Browser(downloads)
    yield browser
    browser.driver.quit()


def look(browser, width, theme):
    """A window of this width, on a system with this theme."""
    media = {"features": [{"name": "prefers-color-scheme", "value": theme}]}
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def axe_source():
    """The text of axe-core, from the folder in WEAKLEARN_AXE or fetched by npm; skips the test if there is neither."""
    folder = Path(os.environ.get("WEAKLEARN_AXE", "/nowhere"))
    if not (folder / "package" / "axe.min.js").is_file():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("axe-core comes from npm, which is not installed")
        folder = Path(tempfile.mkdtemp())
        done = subprocess.run(
            [npm, "pack", "axe-core@4"], cwd=folder, capture_output=True, text=True, timeout=300, check=False
        )
        if done.returncode != 0:
            pytest.skip(f"npm could not fetch axe-core: {done.stderr.strip().splitlines()[-1:]}")
        shutil.unpack_archive(next(folder.glob("*.tgz")), folder)
    return (folder / "package" / "axe.min.js").read_text(encoding="utf-8")


class Album:
    """Pictures of pages at two widths and in two themes, each page judged as it is photographed.

    A page must fit the window, please axe, leave the console empty and load nothing from elsewhere. `problems` has what
    is wrong, so that one walk shows all of it. Pictures go to the folder in WEAKLEARN_PICTURES, if there is one.
    """

    def __init__(self, browser, folder):
        self.browser, self.axe = browser, axe_source()
        self.folder = Path(os.environ.get("WEAKLEARN_PICTURES", folder))
        self.problems = []

    def add(self, name, status=200):
        """Photograph the page that is open; a refusal has another status, of which Chromium speaks in the console."""
        driver = self.browser.driver
        for width in (1280, 390):
            for theme in ("light", "dark"):
                look(self.browser, width, theme)
                time.sleep(0.3)
                place = f"{name}, {width}, {theme}"
                # Not innerWidth: a phone zooms out until what is too wide fits.
                page = "document.documentElement"
                if self.browser.script(f"{page}.scrollWidth > {page}.clientWidth"):
                    self.problems.append((place, "wider than the window"))
                self._photograph(f"{name}-{width}-{theme}.png", width)
                driver.execute_script(self.axe)
                found = driver.execute_async_script(
                    "const done = arguments[0]; axe.run().then((r) => done(r.violations.map((v) => "
                    "[v.impact, v.id, v.nodes.slice(0, 3).map((n) => n.html)])))"
                )
                self.problems += [(place, *item) for item in found]
        outside = self.browser.script(
            "performance.getEntriesByType('resource').map((e) => e.name)"
            ".filter((n) => !n.startsWith(location.origin) && !n.startsWith('data:'))"
        )
        self.problems += [(name, "from elsewhere", address) for address in outside]
        spoken = [entry["message"] for entry in driver.get_log("browser")]
        told = f"the server responded with a status of {status} "
        self.problems += [
            (name, "console", message) for message in spoken if status == 200 or told not in message
        ]
        look(self.browser, 1280, "light")

    def _photograph(self, file, width):
        # The whole page, not only what fits the window; a very long one only in part.
        driver = self.browser.driver
        height = min(max(900, self.browser.script("document.documentElement.scrollHeight")), 4000)
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        driver.save_screenshot(str(self.folder / file))
