"""How many answers a precision takes, on the page: the settings of a new session, simulated by a job of the queue."""

from collections.abc import Callable, Mapping

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from weaklearn.thresholds._options import OPTIONS, errors_of
from weaklearn.thresholds._plan import check_plan
from weaklearn.thresholds._session_pages import worded_page
from weaklearn.thresholds._setup import read_setup
from weaklearn.thresholds._wording import title_text
from weaklearn.web import Building, Job, JobPages, handled


class PlanPages(JobPages):
    """Start a plan from the form of a new session and show its result; ``form_page`` shows the form again."""

    kind, place = "plan", "/thresholds"

    def __init__(self, building: Building, form_page: Callable[..., Response]):
        super().__init__(building)
        self._form_page = form_page

    def routes(self) -> list[Route]:
        """The address to which the form is sent, and that of a plan."""
        return [
            Route("/plan", handled(self.start), methods=["POST"]),
            Route(f"{self.place}/{{key}}", handled(self.page)),
        ]

    def start(self, request: Request, form: Mapping[str, str]) -> Response:
        """Queue the simulation; the form is shown again if something is wrong with it."""
        try:
            setup = read_setup(dict(form))
            check_plan(setup)
        except ValueError as error:
            return self._form_page(form, errors_of(error), 422)
        typed = {name: form[name] for name in OPTIONS if form.get(name)}
        title = f"Answers for a width of {setup.width:g}: {title_text(setup.question, typed['levels'])}"
        return RedirectResponse(self.building.place(self.queue.submit(self.kind, title, typed)), 303)

    def shown(self, job: Job) -> Response:
        """The result, and a button that starts a session with these settings."""
        found = self.page_data(job)
        drawing = Markup(found["drawing"])
        return worded_page("thresholds/plan.html", document=found, drawing=drawing, typed=job.settings)
