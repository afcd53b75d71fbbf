"""The job: reproduce one study."""

import json

from weaklearn._files import write_file
from weaklearn.lab._discover import discover, discover_claims
from weaklearn.lab._errors import LabError
from weaklearn.lab._progress import LineObserver
from weaklearn.lab._reproduce import reproduce
from weaklearn.lab._sources import missing_lines
from weaklearn.lab._wording import capital, claims_sentence, sentence, tables_sentence
from weaklearn.web import JobError, Work


def run_study(work: Work) -> None:
    """Run what is missing of a study, compare, and write its report."""
    name, profile = work.settings["study"], work.settings["profile"]
    work.report(text="Planning the trials")
    experiment = discover().get(name)
    if experiment is None:
        raise JobError(f"There is no study {name!r} in this version of weaklearn.")

    def say(text: str) -> None:
        work.report(text=capital(text), done=observer.done, total=max(observer.total, 1))

    observer = LineObserver(say, every=0.5)
    folder = work.folder.parent.parent / "reproduction"
    folder.mkdir(exist_ok=True)
    try:
        found = reproduce(
            [experiment],
            {name: some for name, some in discover_claims().items() if name == experiment.source},
            profile=profile,
            store=folder / "store.sqlite",
            out=work.result,
            observer=observer,
        )
    except LabError as error:
        raise JobError(sentence(str(error))) from error
    page = {
        "claims": claims_sentence(found.claims) if found.claims else "",
        "tables": tables_sentence(found.tables),
        "trials": found.summary.found + found.summary.finished,
        "failed": len(found.summary.failures),
        "missing": [capital(line) for line in missing_lines(found.missing)],
    }
    write_file(work.result / "page.json", json.dumps(page))
