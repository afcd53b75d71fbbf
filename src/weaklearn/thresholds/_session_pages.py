"""The page of one session: its question, what its answers say, and everything a person does with it.

Every page works by plain forms; the script only swaps the main part of the page that the same form would have
given. A form carries the revision that it was made at, so it may be sent any number of times.
"""

from collections.abc import Mapping
from functools import partial
from inspect import getmembers, isfunction
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from weaklearn import __version__
from weaklearn.adaptive import Session, SessionChangedError, SessionFileError
from weaklearn.thresholds import _wording
from weaklearn.thresholds._changes import CHANGES, LONGEST_NOTE, from_form
from weaklearn.thresholds._drawing import Trails, drawings
from weaklearn.thresholds._folder import Block, SessionFolder, block_of, last_answered
from weaklearn.thresholds._options import OPTIONS
from weaklearn.web import FormError, download, page

_WORDS = {**dict(getmembers(_wording, isfunction)), "percent": f"{_wording.CONFIDENCE:.0%}"}


def worded_page(template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page whose template may use the functions of `_wording`."""
    return page(template, status, **_WORDS, **values)


class SessionPages:
    """The addresses of one session, over the sessions of ``folder``."""

    def __init__(self, folder: SessionFolder):
        self.folder = folder
        self.trails = Trails()

    def routes(self, handle) -> list[Route]:
        """``handle(work)`` makes an endpoint of ``work(request, form)``."""
        reading = {
            "": self.session,
            "/report": self.report,
            "/answers.csv": self.csv,
            "/session.json": self.json,
        }
        return [
            Route("/block", handle(self.block)),
            *(Route(f"/s/{{key}}{end}", handle(work)) for end, work in reading.items()),
            *(
                Route(f"/s/{{key}}/{name}", handle(partial(self.change, name=name)), methods=["POST"])
                for name in CHANGES
            ),
        ]

    def _open(self, request: Request) -> Session:
        return self.folder.open(request.path_params["key"])

    def session(self, request: Request, form: Mapping[str, str]) -> Response:
        return self._shown(request, self._open(request))

    def _shown(self, request, session, *, problem="", typed=None, status=200) -> Response:
        """The page; ``problem`` says why nothing was changed by the form with these texts ``typed``."""
        answered, most = _wording.progress(session)
        blind = "blind" in session.about and "open" not in request.query_params
        return worded_page(
            "thresholds/session.html",
            status,
            **self._facts(request, session, drawn=answered > 0 and not blind),
            block=self._block(session),
            undo=self._undo_of(request, session),
            question=_question(session, session.ask(), blind),
            blind=blind,
            labels=_wording.answer_labels(session.about),
            keys=_wording.answer_keys(session.about),
            answered=answered,
            most=most,
            stop_rule=_wording.stop_words(session.stop.describe()),
            sampler=type(session.sampler).__name__,
            file=session.path.name,
            problem=problem,
            typed=typed or {},
            longest_note=LONGEST_NOTE,
        )

    def _block(self, session: Session) -> Block | None:
        return block_of(self.folder, session.about["block"]) if "block" in session.about else None

    def _undo_of(self, request: Request, session: Session) -> dict[str, Any]:
        """What the undo button undoes: the last answer; in a block, that of any of its sessions."""
        key, last = last_answered(self.folder, session) or (request.path_params["key"], session)
        history = last.history
        words = ""
        if history:
            word = _wording.answer_word(history[-1]["outcome"], last.about)
            words = f"{word} at {_wording.level_text(history[-1]['level'])}"
        return {"key": key, "revision": last.revision, "answers": len(history), "words": words}

    def change(self, request: Request, form: Mapping[str, str], name: str) -> Response:
        """Make a change and show the page again, or the next question of the block."""
        session, change = self._open(request), CHANGES[name]
        sent = from_form(change, form)
        if sent["revision"] is None or sent.get("outcome", True) is None:
            raise FormError("The form does not say which question it answers, or with yes or no.")
        try:
            change.apply(session, sent)
        except SessionChangedError:
            session.reload()
            problem = (
                f"{change.refused} The session was changed in another window or tab after this page was shown. "
                "Below is where it stands now; please look at the question again."
            )
            return self._shown(request, session, problem=problem, typed=form, status=409)
        except SessionFileError:
            raise
        except ValueError as error:
            problem = f"{change.refused[:-1]}: {error}."
            return self._shown(request, session, problem=problem, typed=form, status=422)
        block = self._block(session) if name == "answer" else None
        following = block.next_key if block is not None else None
        return RedirectResponse(f"/s/{following or request.path_params['key']}", 303)

    def block(self, request: Request, form: Mapping[str, str]) -> Response:
        """The next question of a block."""
        found = block_of(self.folder, request.query_params.get("name", ""))
        query = urlencode({"block": found.name})
        return RedirectResponse(f"/s/{found.next_key}" if found.next_key else f"/thresholds?{query}", 303)

    def report(self, request: Request, form: Mapping[str, str]) -> Response:
        """Everything about a session on one page that prints well."""
        session = self._open(request)
        facts = self._facts(request, session, drawn=bool(session.history))
        return worded_page("thresholds/report.html", **facts, settings=_settings(session))

    def _facts(self, request: Request, session: Session, drawn: bool) -> dict[str, Any]:
        """What the page and the report both show."""
        state, trail = session.to_dict(_wording.CONFIDENCE), self.trails.of(session)
        return {
            "key": request.path_params["key"],
            "state": state,
            "rows": list(zip(state["history"], trail, strict=True)),
            "drawings": drawings(session, trail) if drawn else {},
        }

    # --- downloads --------------------------------------------------------------------------------------

    def csv(self, request: Request, form: Mapping[str, str]) -> Response:
        return _download(self._open(request).to_csv(), request, "csv")

    def json(self, request: Request, form: Mapping[str, str]) -> Response:
        return _download(self._open(request).path.read_text(encoding="utf-8"), request, "json")


def _question(session: Session, level: float, blind: bool) -> str:
    if blind and not session.question:
        labels = _wording.answer_labels(session.about)
        return f"{labels['yes']} or {labels['no'].lower()}?"
    return _wording.question_text(session, level)


def _download(text: str, request: Request, ending: str) -> Response:
    kind = "text/csv" if ending == "csv" else "application/json"
    # The key was found among our own, so it is sixteen hexadecimal digits.
    return download(text.encode(), f"threshold-{request.path_params['key']}.{ending}", kind)


_TOLD = (
    "subject",
    "condition",
    "block",
    "task",
    "yes_label",
    "no_label",
)  # of what a session says about itself
_NAMES = {name: OPTIONS[name].label for name in _TOLD} | {"task": "Task"}


def _settings(session: Session) -> list[tuple[str, str]]:
    """Everything that is needed to run the same experiment again, as rows of (name, value)."""
    record = session.record
    about = session.about
    params = ", ".join(f"{name} {value}" for name, value in record["sampler"]["params"].items())
    looked_for = "; ".join(_wording.target_name(one, about) for one in record["targets"])
    rows = [(label, about[name]) for name, label in _NAMES.items() if name in about]
    if "blind" in about:
        rows.append(("Blind", "yes: neither levels nor estimates were shown"))
    return [
        *rows,
        ("Levels", ", ".join(map(_wording.level_text, session.levels))),
        (
            "As the level rises",
            "yes becomes more likely" if session.increasing else "yes becomes less likely",
        ),
        ("Looked for", looked_for),
        ("Sampler", f"{record['sampler']['name']}{f' ({params})' if params else ''}, seed {session.seed}"),
        ("Ends", _wording.stop_words(record["stop"])),
        ("Started", record["created"].replace("T", " ").replace("+00:00", " UTC")),
        ("Answers undone", str(len(record["undone"]))),
        ("File", f"{session.path.name}, session {session.id}, revision {session.revision}"),
        ("Software", f"weaklearn {__version__}"),
    ]
