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
from weaklearn.thresholds._observer import observer_for
from weaklearn.thresholds._options import FIELDS, FieldErrors
from weaklearn.thresholds._plan import plan_document, plan_figure, plan_for
from weaklearn.thresholds._session_pages import worded_page
from weaklearn.thresholds._setup import Setup, read_setup

__all__ = ["PlanPages"]

_RUNS, _MOST_ANSWERS = 60, 120
_MOST_PLANS = 8
_MOST_RUNNING = 2


class _Plan:
    """A simulation in a thread of its own; it ends with the server."""

    def __init__(self, setup: Setup, typed: dict[str, str]):
        self.setup, self.typed = setup, typed
        self.share = 0.0
        self.found: TrialPlan | None = None
        self.problem = ""
        self.stopped = False
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            self.found = plan_for(self.setup, runs=_RUNS, max_answers=_MOST_ANSWERS, progress=self._progress)
        except _StoppedError:
            self.problem = "The simulation was stopped."
        except ValueError as error:
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
        if sum(plan.running for plan in self._plans.values()) >= _MOST_RUNNING:
            message = "two simulations are still running: stop one of them, or wait"
            return self._form_page(form, {"width": message}, 429)
        try:
            setup = read_setup(form)
            if setup.width is None:
                raise FieldErrors({"width": "to plan, say how narrow the 90% interval should be"})
            observer_for(setup)
            setup.make_sampler(0).ask()
        except FieldErrors as error:
            return self._form_page(form, error.errors, 422)
        except ValueError as error:  # what only the sampler itself can know
            return self._form_page(form, {"sampler": str(error)}, 422)
        number = secrets.token_hex(8)
        self._plans[number] = _Plan(setup, {name: form.get(name, "") for name in FIELDS})
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
