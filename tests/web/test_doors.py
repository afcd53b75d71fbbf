"""A person's way through each door, in a real browser."""

import csv
import json
import time

import pytest

from browsing import CHROMIUM, DRIVER, Browser, look
from serving import noisy

pytestmark = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None, reason="needs the programs chromium and chromedriver"
)
WIDTHS = (1280, 390)


@pytest.fixture(scope="module")
def server(shared_server):
    return shared_server


@pytest.fixture(scope="module")
def downloads(tmp_path_factory):
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="module")
def browser(downloads):
    browser = Browser(downloads)
    yield browser
    browser.driver.quit()


def complaints(browser):
    """What the browser's console has against the pages: refused scripts and styles among them."""
    return [entry for entry in browser.driver.get_log("browser") if entry["level"] == "SEVERE"]


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("owner") / "machines.csv"
    path.write_text(noisy(300)[1])
    return path


def fetched(folder, ending, seconds=30):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := [path for path in folder.iterdir() if path.name.endswith(ending)]:
            return found[0]
        time.sleep(0.1)
    raise AssertionError(f"nothing was downloaded: {list(folder.iterdir())}")


BACKWARDS = """
const fetched = window.fetch;
window.fetch = async (address, options) => {
  const reply = await fetched(address, options);
  if (!address.endsWith("/state")) return reply;
  const state = await reply.json();
  for (const row in state.probability) state.probability[row] = 1 - state.probability[row];
  setTimeout(() => { window.fetch = fetched; window.shown = true; }, 100);
  return { ok: true, json: async () => state };
};
const form = [...document.querySelectorAll("[data-note]")].at(-1);
const data = new URLSearchParams(new FormData(form));
data.set("note", "of another tab");
fetched(form.action, { method: "POST", body: data, headers: { Accept: "application/json" } });
"""


def test_check_a_table_by_keyboard_and_take_it_away(browser, server, table, downloads):
    browser.driver.get(server.url)
    browser.driver.find_element("link text", "Check a table").click()
    browser.wait("document.getElementById('file')")
    browser.driver.find_element("id", "file").send_keys(str(table))
    browser.wait("document.getElementById('start-audit')", 60)
    assert browser.script("document.getElementById('label').selectedOptions[0].textContent") == "result"
    browser.click("start-audit")
    browser.wait("document.getElementById('audit')", 180)  # the page changes by itself when the job is done
    page = browser.driver.current_url
    before = browser.script("document.getElementById('lead').textContent")
    first = browser.script("document.querySelector('table.review tbody tr').dataset.row")
    right = browser.script("document.querySelector('table.review tbody tr [data-name=label]').textContent")
    other = browser.script(
        "document.querySelector('table.review tbody tr [data-name=\"more likely\"]').textContent"
    )
    # One row at a time: the row beside its nearest rows of either label; the next one follows an answer.
    assert f"Row {first}: “{right}”" in browser.text()
    assert browser.script("document.getElementById('card-cells').tHead.rows[0].cells.length") == 4
    browser.keys("w")
    browser.wait("document.getElementById('n-reviewed').textContent === '1'")
    browser.wait(f"!document.getElementById('card-row').textContent.startsWith('Row {first}:')")
    browser.script("document.querySelector('#card-answers button').click()")  # keep
    browser.wait("document.getElementById('n-reviewed').textContent === '2'")
    browser.wait(f"document.getElementById('lead').textContent !== {json.dumps(before)}")
    browser.keys("n", "looked ")
    # A new estimate does not move the row of a note that is being written: that would save half of it. Here it comes
    # because of a note on another row, and turns the order of all rows around.
    browser.driver.execute_script(BACKWARDS)
    browser.wait("window.shown")
    browser.keys("it up")
    browser.driver.switch_to.active_element.send_keys("\n")
    browser.wait("document.getElementById('announcer').textContent.includes('Note on row')")
    # A second tab shows the same, and hears of what happens in the first.
    own = browser.driver.current_window_handle
    browser.driver.switch_to.new_window("tab")
    browser.driver.get(page)
    other_tab = browser.driver.current_window_handle
    assert browser.script("document.getElementById('n-reviewed').textContent") == "2"
    browser.driver.switch_to.window(own)
    browser.driver.find_element("tag name", "h1").click()
    for _ in ("the note", "that on the other row"):
        browser.driver.execute_script("document.getElementById('announcer').textContent = ''")
        browser.click("undo")
        browser.wait("document.getElementById('announcer').textContent === 'Undone.'")
    browser.click("undo")  # "right"
    browser.wait("document.getElementById('n-reviewed').textContent === '1'")
    browser.driver.switch_to.window(other_tab)
    browser.wait("document.getElementById('n-reviewed').textContent === '1'")
    browser.driver.close()
    browser.driver.switch_to.window(own)
    # The list: filter and sort.
    browser.script("document.querySelector('input[name=view][value=list]').click()")
    browser.script("document.querySelector('input[value=wrong]').click()")
    rows = "[...document.querySelectorAll('table.review tbody tr')]"
    shown = f"{rows}.filter(row => !row.hidden).map(row => row.dataset.row)"
    assert browser.script(shown) == [first]
    browser.script("document.querySelector('input[value=all]').click()")
    browser.script("document.querySelector('table.review thead button').click()")
    rows = [int(row) for row in browser.script(shown)]
    assert rows == sorted(rows)
    browser.click("corrected")
    with open(fetched(downloads, "machines_corrected.csv"), newline="") as file:
        new = list(csv.DictReader(file))
    with open(table, newline="") as file:
        old = list(csv.DictReader(file))
    changed = [
        (k + 1, a["result"], b["result"]) for k, (a, b) in enumerate(zip(old, new, strict=True)) if a != b
    ]
    assert changed == [(int(first), right, other)]
    for width in WIDTHS:
        look(browser, width, "dark")
        browser.driver.get(page)
        assert browser.script("document.documentElement.scrollWidth <= innerWidth"), width
    look(browser, 1280, "light")
    assert complaints(browser) == []


def test_an_example_in_place_of_a_file(browser, server):
    browser.driver.get(server.url)
    browser.driver.find_element("link text", "Compare classifiers").click()
    browser.wait("document.getElementById('example')")
    browser.click("example")
    browser.wait("location.pathname.startsWith('/tables/')", 60)
    assert browser.script("document.getElementById('label').selectedOptions[0].textContent") == "result"
    assert "300 rows, 8 columns" in browser.text()
    browser.driver.get(server.url)
    # The first page shows the time of this place, and the server's on a hover.
    assert browser.script("document.querySelector('time').title.endsWith('UTC')")
    assert "UTC" not in browser.script("document.querySelector('time').textContent")


def test_a_copy_of_the_label_is_said_before_the_work_begins_and_left_out(browser, server, tmp_path):
    path = tmp_path / "orders.csv"
    rows = [(k % 17, k % 3, "late" if k % 3 else "fine") for k in range(60)]
    path.write_text("days,code,state\n" + "".join(f"{day},{code},{state}\n" for day, code, state in rows))
    browser.driver.get(f"{server.url.rsplit('/', 1)[0]}/audits")
    browser.driver.find_element("id", "file").send_keys(str(path))
    browser.wait("document.getElementById('start-audit')", 60)
    assert "'code' alone gives this label in 100.0% of the rows" in browser.text()
    treatment = "document.querySelector('select[name=column-1]').value"
    assert browser.script(treatment) == ""
    browser.driver.find_element("css selector", "#telling input").click()
    assert browser.script(treatment) == "drop"
    browser.click("start-audit")
    browser.wait("document.getElementById('audit')", 180)
    assert "alone gives the label" not in browser.text()


def test_spellings_and_small_classes_are_said_before_the_work_begins(browser, server, tmp_path):
    path = tmp_path / "orders.csv"
    labels = [("late" if k % 3 else "fine") for k in range(60)] + ["Late", "Late", "lost"]
    path.write_text("days,month,state\n" + "".join(f"{k % 17},{k % 4},{y}\n" for k, y in enumerate(labels)))
    browser.driver.get(f"{server.url.rsplit('/', 1)[0]}/audits")
    browser.driver.find_element("id", "file").send_keys(str(path))
    browser.wait("document.getElementById('start-audit')", 60)
    told = "document.getElementById('label-notes').innerText"
    assert "'Late', 'late' are 'late'" in browser.script(told)
    assert "set aside: 'lost' (1 row)" in browser.script(told)
    choose = "document.getElementById('label').value = '{}';"
    changed = "document.getElementById('label').dispatchEvent(new Event('change'))"
    browser.driver.execute_script(choose.format(1) + changed)
    assert browser.script("document.getElementById('label-notes').hidden")
    browser.driver.execute_script(choose.format(2) + changed)
    assert "'lost'" in browser.script(told)
    browser.driver.find_element("name", "keep_spellings").click()
    browser.driver.find_element("name", "keep_small_classes").click()
    browser.click("start-audit")
    browser.wait("document.getElementById('audit')", 180)
    assert "count as different classes: 'Late', 'late'" in browser.text()
    assert "set aside" not in browser.text()
