"""Headless Chromium, driven by its own driver, for the tests of pages."""

import contextlib
import os
import shutil
import time

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
