"""How many answers a precision takes, on the page: the settings of a new session, simulated in the background."""

import secrets
import threading
import time
from collections import OrderedDict
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from weaklearn.adaptive import TrialPlan
from weaklearn.reports import inline_figure
from weaklearn.thresholds._plan import plan_document, plan_figure, plan_for, wanted_width
from weaklearn.thresholds._session_pages import worded_page
from weaklearn.thresholds._setup import FIELDS, FieldErrors, Setup, read_setup

__all__ = ["PlanPages"]

_RUNS, _MOST_ANSWERS = 60, 120
_MOST_PLANS = 8
_MOST_RUNNING = 2


class _Plan:
    """A simulation in a thread of its own; it ends with the server."""

    def __init__(self, setup: Setup, typed: dict[str, str], threshold: float | None, spread: float | None):
        self.typed = typed
        self.share = 0.0
        self.found: TrialPlan | None = None
        self.problem = ""
        self.stopped = False
        self._work = (setup, threshold, spread)
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        setup, threshold, spread = self._work
        try:
            self.found = plan_for(
                setup,
                threshold=threshold,
                spread=spread,
                runs=_RUNS,
                most=_MOST_ANSWERS,
                progress=self._progress,
            )
        except _StoppedError:
            self.problem = "The simulation was stopped."
        except (ValueError, ImportError) as error:
            self.problem = str(error)

    def _progress(self, done: int, total: int) -> None:
        self.share = done / total
        time.sleep(0.001)  # lets the pages of a running experiment go first
        if self.stopped:
            raise _StoppedError

    @property
    def running(self) -> bool:
        return self.found is None and not self.problem


class _StoppedError(Exception):
    pass


class PlanPages:
    """Start a plan from the form of a new session, watch it, read it; the last few are kept in memory."""

    def __init__(self, form_page) -> None:
        self._form_page = form_page  # shows the form again, with what is wrong
        self._plans: OrderedDict[str, _Plan] = OrderedDict()

    def routes(self, handle) -> list[Route]:
        """``handle(work)`` makes an endpoint of ``work(request, form)``."""
        return [
            Route("/plan", handle(self.start), methods=["POST"]),
            Route("/plan/{number}", handle(self.show)),
            Route("/plan/{number}/stop", handle(self.stop), methods=["POST"]),
        ]

    def start(self, request: Request, form: dict[str, str]) -> Response:
        """Begin to simulate; the form is shown again if something is wrong with it."""
        typed = {field: form.get(field, "") for field in FIELDS}
        observer = {name: form.get(name, "") for name in ("truth", "spread")}
        try:
            setup = read_setup(typed)
            if wanted_width(setup.stop) is None:
                raise FieldErrors({"width": "to plan, say how narrow the 90% interval should be"})
            truth = _observer_number(observer, "truth")
            spread = _observer_number(observer, "spread")
            setup.make_sampler(0).ask()
        except FieldErrors as error:
            return self._form_page({**typed, **observer}, error.errors, _seed(form), 422)
        except (ValueError, ImportError) as error:
            return self._form_page({**typed, **observer}, {"sampler": str(error)}, _seed(form), 422)
        if sum(plan.running for plan in self._plans.values()) >= _MOST_RUNNING:
            message = "two simulations are still running: stop one of them, or wait"
            return self._form_page({**typed, **observer}, {"width": message}, _seed(form), 429)
        number = secrets.token_hex(8)
        self._plans[number] = _Plan(setup, typed, truth, spread)
        while len(self._plans) > _MOST_PLANS:
            _, oldest = self._plans.popitem(last=False)
            oldest.stopped = True
        return RedirectResponse(f"/plan/{number}", 303)

    def _plan(self, request: Request) -> _Plan:
        plan = self._plans.get(request.path_params["number"])
        if plan is None:
            raise HTTPException(404)
        return plan

    def show(self, request: Request, form: dict[str, str]) -> Response:
        """Progress, or the result."""
        plan = self._plan(request)
        values: dict[str, Any] = {"place": request.path_params["number"], "plan": plan}
        if plan.found is not None:
            document = plan_document(plan.found)
            words = document["sentence"]
            values |= {"document": document, "drawing": inline_figure(plan_figure(plan.found), "plan", words)}
        response = worded_page("thresholds/plan.html", **values)
        if plan.running:
            response.headers["refresh"] = "1"  # works without the script
        return response

    def stop(self, request: Request, form: dict[str, str]) -> Response:
        """End a simulation that takes too long."""
        plan = self._plan(request)
        plan.stopped = True
        plan.thread.join(5)
        return RedirectResponse(f"/plan/{request.path_params['number']}", 303)


def _observer_number(observer: dict[str, str], name: str) -> float | None:
    text = observer[name].strip()
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        raise FieldErrors({name: f"{text[:40]!r} is not a number"}) from None
    if not abs(value) < 1e100 or (name == "spread" and value <= 0):
        raise FieldErrors({name: f"{text[:40]} is not possible here"})
    return value


def _seed(form: dict[str, str]) -> int:
    text = form.get("seed", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 15 else secrets.randbelow(10**15)
