"""The jsPsych example in a real browser, with jsPsych from its npm packages."""

import shutil
import subprocess
import time
from pathlib import Path

import pytest

from serving import Server
from weaklearn.adaptive import Session

EXAMPLE = Path(__file__).parents[2] / "examples" / "jspsych"
PACKAGES = ("jspsych@8", "@jspsych/plugin-html-keyboard-response@2", "@jspsych/plugin-call-function@2")
N_TRIALS = 8

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The example with its packages, in a folder of its own."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("jsPsych comes by npm, which is not installed")
    folder = tmp_path_factory.mktemp("jspsych")
    for file in EXAMPLE.iterdir():
        if file.is_file():
            shutil.copy(file, folder)
    command = [npm, "install", "--no-save", "--no-audit", "--no-fund", *PACKAGES]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=180, check=False)
    if done.returncode:
        pytest.skip(f"npm could not install jsPsych: {done.stderr[-200:]}")
    return folder


def test_the_experiment_in_a_browser(pages, tmp_path):
    webdriver = pytest.importorskip("selenium.webdriver", reason="needs selenium")
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    if shutil.which("chromedriver") is None:
        pytest.skip("needs chromium and chromedriver")
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with Server(tmp_path, options=["--pages", str(pages)]) as server:
        browser = webdriver.Chrome(
            options=options, service=webdriver.ChromeService(shutil.which("chromedriver"))
        )
        try:
            browser.get(server.url)
            browser.get(f"http://127.0.0.1:{server.port}/pages/?trials={N_TRIALS}&subject=anna")
            right = 0
            end = time.monotonic() + 90
            while not browser.find_elements(By.ID, "result"):
                assert time.monotonic() < end, (right, browser.get_log("browser"))
                lines = browser.find_elements(By.CSS_SELECTOR, "#pair .line")
                if len(lines) == 2:
                    widths = [line.size["width"] for line in lines]
                    key = Keys.ARROW_LEFT if widths[0] > widths[1] else Keys.ARROW_RIGHT
                    ActionChains(browser).send_keys(key).perform()
                    right += 1
                time.sleep(0.05)
            words = browser.find_element(By.ID, "result").text
            problems = [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
        finally:
            browser.quit()
    # The policy of the server blocks the font inside jsPsych's style sheet, and nothing else.
    assert not [entry for entry in problems if entry["source"] == "javascript"]
    assert "90% interval" in words or "every level" in words
    session = Session.open(next(tmp_path.glob("*.json")))
    assert session.about == {"subject": "anna", "task": "2AFC"}
    assert len(session.history) == N_TRIALS
    assert all(entry["outcome"] for entry in session.history)
