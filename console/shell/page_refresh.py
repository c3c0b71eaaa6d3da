"""Automatic page refresh: a page polls every few seconds and reloads when its state has changed.

A view calls `answer` with the state of its page, and its template contains `{% keeps_fresh state
%}` while there is something to wait for. Polling does not extend the session.
"""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django_htmx.http import HttpResponseClientRefresh

STATE = "X-Shown-State"


def is_asked_by_page(request: HttpRequest) -> bool:
    """Tell whether a page's script sent the request, not its user."""
    return "HX-Request" in request.headers


def answer(request: HttpRequest, state: str) -> HttpResponse | None:
    """Return the response to a polling page, or None for a normal request."""
    shown = request.headers.get(STATE)
    if shown is None:
        return None
    if shown == state:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    return HttpResponseClientRefresh()
