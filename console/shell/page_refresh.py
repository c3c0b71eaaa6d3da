"""Pages that wait: each asks every few seconds whether it is out of date, and then loads again.

A view calls `answer` with the state that its page shows, and its template `{% keeps_fresh state %}`
for as long as there is something to wait for. A page that asks is nobody being there, so it does
not keep a session alive.
"""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django_htmx.http import HttpResponseClientRefresh

STATE = "X-Shown-State"


def is_asked_by_page(request: HttpRequest) -> bool:
    """Tell whether a page asks this by itself, and no person does."""
    return "HX-Request" in request.headers


def answer(request: HttpRequest, state: str) -> HttpResponse | None:
    """Return the answer to a page that asks whether it is out of date; None for a person."""
    shown = request.headers.get(STATE)
    if shown is None:
        return None
    if shown == state:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    return HttpResponseClientRefresh()
