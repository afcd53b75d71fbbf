"""Every page of the application, photographed and judged: empty, full, waiting, failed; wide, narrow; light, dark."""

import time

import pytest

import browsing
from serving import Client, Server, answer, noisy

browser, downloads = browsing.browser, browsing.downloads
pytestmark = [browsing.needs_chromium, pytest.mark.slow]

MESSY = (
    "Kunde;Datum;Gewicht;Ergebnis\n"
    + "".join(
        f"K{k:03d};{k % 28 + 1:02d}.{k % 12 + 1:02d}.2023;{k % 40 / 10:.1f}".replace(".", ",", 0).replace(
            "/", "."
        )
        + f";{'gut' if k % 40 > 18 else 'schlecht'}\n"
        for k in range(120)
    ).replace(";gut\n", ";Gut\n", 4)
    + "K200;01.02.2023;2,5;Ausschuss\n"
)


@pytest.fixture
def album(browser, tmp_path):
    return browsing.Album(browser, tmp_path)


def uploaded(browser, root, door, path):
    browser.driver.get(f"{root}{door}")
    browser.driver.find_element("id", "file").send_keys(str(path))


def test_checks_comparisons_and_studies(browser, album, tmp_path):
    folder, table = tmp_path / "work", tmp_path / "machines.csv"
    folder.mkdir()
    table.write_text(noisy(300)[1])
    with Server(folder) as server:
        root = f"http://127.0.0.1:{server.port}"
        browser.driver.get(root)
        album.add("not-signed-in", 403)
        browser.driver.get(server.url)
        album.add("home-empty")
        for name, place in {"check": "/audits", "compare": "/comparisons", "studies": "/lab"}.items():
            browser.driver.get(f"{root}{place}")
            album.add(f"{name}-empty")
        browser.driver.get(f"{root}/nowhere")
        album.add("no-such-page", 404)
        wrong = tmp_path / "wrong.xlsx"
        wrong.write_text("no workbook")
        uploaded(browser, root, "/audits", wrong)
        browser.wait("!document.getElementById('upload-problem').hidden", 60)
        album.add("upload-refused", 422)
        messy = tmp_path / "messy.csv"
        messy.write_text(MESSY)
        uploaded(browser, root, "/audits", messy)
        browser.wait("document.getElementById('start-audit')", 60)
        album.add("table-messy")
        uploaded(browser, root, "/audits", table)
        browser.wait("document.getElementById('start-audit')", 60)
        album.add("table")
        address = browser.driver.current_url

        # A study runs, a check waits for it; both are shown, then the study is stopped.
        browser.driver.get(f"{root}/lab?profile=full")
        browser.script("document.querySelector('form [name=study][value=li2005_perceptrons]').form.submit()")
        browser.wait("document.getElementById('job-bar')?.hasAttribute('value')", 120)
        album.add("study-running")
        study = browser.driver.current_url
        browser.driver.get(address)
        browser.click("start-audit")
        browser.wait("document.getElementById('job')?.dataset.state === 'waiting'")
        album.add("check-waiting")
        check = browser.driver.current_url
        browser.driver.get(study)
        browser.click("cancel")
        browser.wait("document.getElementById('again')", 60)
        album.add("study-stopped")
        browser.driver.get(check)
        browser.wait("document.getElementById('audit')", 300)
        album.add("review-fresh")
        browser.keys("j", "w")
        browser.wait("document.getElementById('n-reviewed').textContent === '1'")
        browser.keys("r")
        browser.wait("document.getElementById('n-reviewed').textContent === '2'")
        time.sleep(1)
        album.add("review-one")
        browser.driver.execute_script("document.querySelector('input[name=view][value=list]').click()")
        album.add("review-list")
        browser.driver.get(f"{check}/report.html")
        album.add("check-report")

        # A label of one class only cannot be checked: a failed job.
        one = tmp_path / "one_class.csv"
        one.write_text("size,result\n" + "".join(f"{k},same\n" for k in range(60)))
        uploaded(browser, root, "/audits", one)
        browser.wait("document.getElementById('start-audit')", 60)
        browser.driver.execute_script("document.getElementById('label').value = '1'")
        browser.click("start-audit")
        browser.wait("document.getElementById('again') || document.getElementById('problem')", 120)
        album.add("check-failed")

        browser.driver.get(address)
        browser.click("start-comparison")
        browser.wait("document.querySelector('table.live tbody tr')", 600)
        album.add("compare-running")
        browser.wait("document.getElementById('verdict')", 1200)
        album.add("compare-result")
        browser.driver.get(f"{browser.driver.current_url}/report.html")
        album.add("compare-report")

        browser.driver.get(f"{root}/lab")
        browser.script(
            "document.querySelector('form [name=study][value=may2020_sample_complexity]').form.submit()"
        )
        browser.wait("document.querySelector('a[href$=\"report.html\"]')", 900)
        album.add("study-result")
        browser.driver.get(f"{browser.driver.current_url}/report.html")
        album.add("study-report")
        browser.driver.get(f"{root}/lab")
        album.add("studies")
        browser.driver.get(f"{root}/audits")
        album.add("check-full")
        browser.driver.get(root)
        album.add("home")
    assert album.problems == [], "\n".join(map(str, album.problems))


def test_thresholds(browser, album, tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    with Server(folder) as server:
        root, client = f"http://127.0.0.1:{server.port}", Client.let_in(server)
        browser.driver.get(server.url)
        for name, place in {"thresholds-empty": "/thresholds", "new": "/new", "api": "/api"}.items():
            browser.driver.get(f"{root}{place}")
            album.add(name)
        browser.driver.get(f"{root}/new?template=price")
        browser.fill(levels="to")
        browser.click("start")
        browser.wait("document.querySelector('.problem')")
        album.add("new-refused", 422)
        browser.driver.get(f"{root}/new")
        browser.fill(levels="1:8:8", question="Can you hear {level} dB?")
        browser.click("preview")
        browser.wait("document.getElementById('buys')", 120)
        album.add("new-preview")
        browser.driver.execute_script("document.getElementById('more').open = true")
        browser.fill(width="2")
        browser.click("plan")
        browser.wait("document.getElementById('job')", 60)
        album.add("plan-running")
        browser.wait("!document.getElementById('job')", 300)
        album.add("plan")
        browser.start(server, budget="12")
        album.add("session-first-question")
        session = browser.driver.current_url
        for answered in range(1, 13):
            browser.keys("y" if answered % 3 else "n")
            browser.wait_for_answers(answered)
            browser.settle()
            if answered == 6:
                album.add("session")
        album.add("session-finished")
        browser.driver.get(f"{session}/report")
        album.add("session-report")
        browser.driver.get(session)
        browser.driver.execute_script("document.getElementById('import-part').open = true")
        browser.fill(**{"csv-text": "level,outcome\n20,1\n99,1\n"})
        browser.click("import")
        browser.wait("document.querySelector('.problem:not([hidden])')")
        album.add("session-import-refused", 422)

        place = client.start(
            question="Which tone was louder?", levels="0.5, 1, 2, 4, 8, 16", task="2AFC", target="0.75",
            sampler="PosteriorMinEnt", subject="anna", condition="loud", budget="40",
        )  # fmt: skip
        for answered in range(24):
            answer(client, place, answered % 4)
        browser.driver.get(f"{root}{place}")
        album.add("session-choice")
        # What another window has answered in the meantime.
        other = client.start(
            question="Can you hear it at {level} dB?", levels="0:70:15", sampler="PosteriorMinEnt"
        )
        browser.driver.get(f"{root}{other}")
        answer(client, other, True)
        browser.keys("n")
        browser.wait("document.querySelector('.problem:not([hidden])')")
        album.add("session-conflict", 409)
        for subject in ("anna", "ben", "eva"):
            place = client.start(subject=subject, condition="quiet", budget="3", sampler="PosteriorMinEnt")
            browser.driver.get(f"{root}{place}")
            for answered, key in enumerate("yny", 1):
                browser.keys(key)
                browser.wait_for_answers(answered)
                browser.settle()
        browser.driver.get(f"{root}{client.start(blind='yes')}")
        album.add("session-blind")
        for ear in ("left ear", "right ear"):
            place = client.start(
                question="Can you hear it at {level} dB?", levels="0:70:15", subject="carla", condition=ear,
                block="carla, Monday", sampler="PosteriorMinEnt",
            )  # fmt: skip
            answer(client, place, ear == "left ear")
        browser.driver.get(f"{root}{place}")
        album.add("session-block")
        browser.driver.get(f"{root}/thresholds")
        album.add("thresholds")
        browser.driver.get(f"{root}/thresholds/summary")
        album.add("thresholds-summary")
    assert album.problems == [], "\n".join(map(str, album.problems))
