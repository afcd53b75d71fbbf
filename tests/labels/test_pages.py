"""The first door from end to end, over HTTP: bring a table, check it, review rows, take everything away."""

import csv
import io
import json
import re
import time
from urllib.parse import quote

import pytest

import browsing
from page_checks import check_page
from weaklearn.datasets import make_noisy_table
from weaklearn.labels import audit
from weaklearn.reports import csv_text
from weaklearn.tables import labelled, read_table

JSON = {"Accept": "application/json"}
browser, downloads = browsing.browser, browsing.downloads


@pytest.fixture(scope="module")
def server(shared_server):
    return shared_server


def table_text(n=150, **more):
    columns, _ = make_noisy_table(n, random_state=0)
    columns = {**{name: values.tolist() for name, values in columns.items()}, **more}
    rows = zip(*columns.values(), strict=True)
    return csv_text([dict(zip(columns, map(str, row), strict=True)) for row in rows])


def bring(client, name, content):
    return client.post(f"/tables?name={quote(name)}", content, headers=JSON)


def finished(server, page):
    path = server.folder / "weaklearn-work" / "jobs" / page.rpartition("/")[2] / "state.json"
    for _ in range(1200):
        if path.exists() and (state := json.loads(path.read_text()))["state"] not in ("waiting", "running"):
            return state
        time.sleep(0.1)
    raise AssertionError("the job does not end")


@pytest.fixture(scope="module")
def audited(server):
    """The address of a finished check, and the text of its table."""
    from serving import Client

    client = Client.let_in(server)
    text = table_text()
    reply = bring(client, "päckchen.csv", text.encode())
    assert reply.status == 201, reply.text
    place = json.loads(reply.text)["place"]
    names = next(csv.reader(io.StringIO(text)))
    label = names.index("result")
    shown = check_page(client.get(place).text, served=True).text
    assert "päckchen.csv" in shown
    assert "150 rows, 8 columns" in shown
    assert re.search(rf'<option value="{label}" selected[^>]*>result</option>', client.get(place).text)
    fields = {"table": place.split("/")[2], "label": label, f"column-{names.index('shift')}": "drop"}
    reply = client.post("/audits", fields)
    assert reply.status == 303, reply.text
    page = reply.headers["location"]
    check_page(client.get(page).text, served=True)  # while it waits or runs
    assert finished(server, page) == {"state": "done", "message": "", "attempt": 1}
    return page, text


@pytest.fixture(scope="module")
def right(audited, tmp_path_factory):
    """The same audit by the library."""
    path = tmp_path_factory.mktemp("right") / "table.csv"
    path.write_text(audited[1])
    return audit(read_table(path, drop=["shift"]), "result", sample=20)


def listed(server, page):
    key = page.rpartition("/")[2]
    return json.loads(
        (server.folder / "weaklearn-work" / "jobs" / key / "result" / "page.json").read_text(encoding="utf-8")
    )


def test_the_page_says_what_the_command_says(server, client, audited, right):
    page = audited[0]
    found = listed(server, page)
    assert found["answer"] == right.to_dict()["answer"]
    assert [record["row"] for record in found["top"]] == right.table.lines[right.shown].tolist()
    assert sum(record["sample"] for record in found["top"]) == 20
    reply = client.get(page)
    shown = check_page(reply.text, served=True)
    assert right.to_dict()["answer"] in shown.text
    assert "shift" in shown.text  # among the columns that were not used
    assert reply.text.count("data-review") == len(found["top"])
    assert client.get(f"{page}/rows.csv").text == right.to_csv()
    report = client.get(f"{page}/report.html")
    check_page(report.text)
    assert "script-src 'sha256-" in report.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in report.headers["content-security-policy"]
    assert "attachment" in client.get(f"{page}/report.html?save=1").headers["content-disposition"]


def test_reviewing_sharpens_the_estimate_as_the_auditor_does(server, client, audited, right, tmp_path):
    page, text = audited
    found = listed(server, page)
    classes = list(found["classes"])
    first, second = found["top"][:2]
    before = json.loads(client.get(f"{page}/state").text)
    saved = client.post(
        f"{page}/review", {"row": first["row"], "answer": classes.index(first["other_label"])}, headers=JSON
    )
    assert saved.status == 200
    client.post(f"{page}/review", {"row": second["row"], "answer": classes.index(second["label"])})
    client.post(f"{page}/note", {"row": second["row"], "note": "=looked up"})
    now = json.loads(client.get(f"{page}/state").text)
    assert now["answers"] == {str(first["row"]): first["other_label"], str(second["row"]): second["label"]}
    assert now["probability"][str(first["row"])] == 1.0
    assert now["probability"][str(second["row"])] == 0.0
    assert now["lead"] != before["lead"] or now["probability"] != before["probability"]
    # The same auditor with the same answers gives the same probabilities.
    place = {int(line): row for row, line in enumerate(right.table.lines)}
    right.auditor.update({place[first["row"]]: first["other_label"], place[second["row"]]: second["label"]})
    for record in found["top"]:
        expected = right.auditor.wrong_probability_[place[record["row"]]]
        assert now["probability"][str(record["row"])] == pytest.approx(expected, abs=1e-4)

    corrected = client.get(f"{page}/corrected")
    assert "p_ckchen_corrected.csv" in corrected.headers["content-disposition"]
    old, new = text.splitlines(), corrected.text.splitlines()
    assert [k for k in range(len(old)) if old[k] != new[k]] == [first["row"]]
    rows = list(csv.DictReader(io.StringIO(client.get(f"{page}/review.csv").text)))
    filled = {int(row["row"]): row["true_label"] for row in rows if row["true_label"]}
    assert filled == {first["row"]: first["other_label"], second["row"]: second["label"]}
    assert next(row["note"] for row in rows if int(row["row"]) == second["row"]) == "'=looked up"
    # The command line takes the file over.
    path = tmp_path / "table.csv"
    path.write_text(text)
    review = tmp_path / "review.csv"
    review.write_text(client.get(f"{page}/review.csv").text)
    from weaklearn.labels._review_files import reviewed_rows

    assert len(reviewed_rows(review, labelled(path, "result"))[0]) == 2

    reply = client.post(f"{page}/undo", {"revision": now["revision"]}, headers=JSON)
    assert json.loads(reply.text)["notes"] == {}
    stale = client.post(f"{page}/undo", {"revision": 1}, headers=JSON)
    assert stale.status == 409
    assert json.loads(stale.text)["now"]["revision"] == now["revision"] + 1
    again = client.post(f"{page}/next")
    assert again.status == 303
    assert finished(server, again.headers["location"])["state"] == "done"
    shown = check_page(client.get(again.headers["location"]).text, served=True).text
    assert "2 rows that were reviewed before are taken as certain" in shown


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"row": "1"},
        {"row": "0", "answer": "0"},
        {"row": "x", "answer": "0"},
        {"row": "9" * 5000, "answer": "0"},
        {"row": "{row}", "answer": "7"},
        {"row": "{row}", "answer": "-1"},
        {"row": "{row}", "answer": "²"},
    ],
)
def test_forms_that_no_page_sends(server, client, audited, fields):
    page = audited[0]
    row = str(listed(server, page)["top"][0]["row"])
    before = client.get(f"{page}/state").text
    fields = {name: value.replace("{row}", row) for name, value in fields.items()}
    assert client.post(f"{page}/review", fields).status == 400
    assert client.post(f"{page}/undo", {"revision": "-1"}).status == 400
    assert client.post(f"{page}/note", {"row": row, "note": "x" * 501}).status == 422
    assert client.get(f"{page}/state").text == before


def test_what_cannot_be_audited_is_said_before_or_by_the_job(server, client):
    text = "a,b,c\n" + "".join(f"{k},{k % 7},same\n" for k in range(30))
    place = json.loads(bring(client, "poor.csv", text.encode()).text)["place"]
    key = place.split("/")[2]
    reply = client.post("/audits", {"table": key, "label": ""})
    assert reply.status == 422
    assert "Choose the column with the labels first." in reply.text
    assert client.post("/audits", {"table": key, "label": "1", "column-0": "eat"}).status == 400
    assert client.post("/audits", {"table": "0" * 16, "label": "1"}).status == 404
    page = client.post("/audits", {"table": key, "label": "2"}).headers["location"]
    assert finished(server, page)["state"] == "failed"
    shown = client.get(page).text
    assert "has only one class" in shown
    assert client.get(f"{page}/corrected").status == 422
    assert client.post(f"{page.replace('audits', 'jobs')}/remove").status == 303
    assert client.get(page).status == 404
    assert client.post(f"{place}/remove").status == 303
    assert client.get(place).status == 404


def test_home_lists_recent_work(client, audited):
    shown = client.get("/").text
    check_page(shown, served=True)
    assert f'href="{audited[0]}"' in shown
    assert "päckchen.csv: result" in shown


def test_damaged_reviews_and_results_are_named(server, client, audited):
    page = audited[0]
    folder = server.folder / "weaklearn-work" / "jobs" / page.rpartition("/")[2]
    log = folder / "reviews.jsonl"
    before = log.read_bytes() if log.exists() else b""
    n = before.count(b"\n")
    answers = json.loads(client.get(f"{page}/state").text)["answers"]
    try:
        log.write_bytes(before + b'{"row": 10000000, "answer": "ok"}\n{"row": 1, "answer": "\\ud800"}\n{\n')
        reply = client.get(page)
        assert reply.status == 200
        numbers = f"{n + 1}, {n + 2}, {n + 3}"
        assert f"reviews.jsonl are damaged and not counted: {numbers}." in reply.text
        assert json.loads(client.get(f"{page}/state").text)["answers"] == answers
    finally:
        log.write_bytes(before)
    result = folder / "result" / "page.json"
    text = result.read_text()
    try:
        for bad in (text[:100], "[]", text.replace('"row": ', '"row": 1' + "0" * 400, 1)):
            result.write_text(bad)
            reply = client.get(page)
            assert reply.status == 422
            assert "page.json is damaged" in reply.text
            assert client.get("/audits").status == 200
    finally:
        result.write_text(text)
    assert client.get(page).status == 200


@browsing.needs_chromium
def test_open_rows_are_ranked_anew_without_a_reload(server, client, audited, browser):
    """By probability; or the random sample first, in its order. Answered rows stay where they are."""
    page = audited[0]
    found = listed(server, page)
    browser.driver.get(server.url)
    browser.driver.get(f"http://127.0.0.1:{server.port}{page}")
    browser.script("window.notReloaded = true")
    rows = "[...document.querySelectorAll('table.review tbody tr')]"
    open_rows = f"{rows}.filter((row) => row.dataset.answer === '')"

    def is_ranked():
        values = browser.script(
            f"{open_rows}.map((row) => Number(row.querySelector('td.wrong').dataset.value))"
        )
        return values == sorted(values, reverse=True)

    browser.wait("document.querySelector('table.review thead button')")
    place, number = browser.script(
        f"(() => {{ const row = {open_rows}[2]; return [{rows}.indexOf(row), row.dataset.row]; }})()"
    )
    record = next(record for record in found["top"] if str(record["row"]) == number)
    answer = list(found["classes"]).index(record["other_label"])
    client.post(f"{page}/review", {"row": number, "answer": answer}, headers=JSON)
    browser.wait(f"{rows}[{place}].dataset.row === '{number}' && {rows}[{place}].dataset.answer !== ''")
    browser.wait(
        f"{rows}.find((row) => row.dataset.row === '{number}').querySelector('td.wrong').dataset.value === '1.0000'"
    )
    assert is_ranked()
    browser.script("document.querySelector('[name=order][value=interval]').click()")
    sample = browser.script(
        f"{open_rows}.filter((row) => row.dataset.sample).map((row) => Number(row.dataset.sample))"
    )
    first = browser.script(f"{open_rows}.slice(0, {len(sample)}).map((row) => Number(row.dataset.sample))")
    assert len(sample) > 10
    assert first == sorted(sample)
    browser.script("document.querySelector('[name=order][value=wrong]').click()")
    assert is_ranked()
    assert browser.script("window.notReloaded")
    client.post(
        f"{page}/undo", {"revision": json.loads(client.get(f"{page}/state").text)["revision"]}, headers=JSON
    )
