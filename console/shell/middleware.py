"""Turns a Refused into a page or a message, once."""

from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from console.core.middleware import GetResponse
from console.core.refusals import AlreadyDone, Refused, Stale
from console.shell.safe_redirects import page_above, way_back
from console.shell.views import errors

PAGES = frozenset({403, 410, 429})


class RefusalMiddleware:
    """A refused form goes back where it came from, with the reason on top.

    Who may not, tried too often, followed a link that has ended, acted on an old page or sent a
    form again reads a page about it.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, Refused):
            return None
        done = isinstance(exception, AlreadyDone)
        back = page_above(request) if done else way_back(request)
        if _deserves_a_page(request, exception) or not back:
            gone = exception.status == HTTPStatus.GONE  # and back there it would still be
            return errors.refused(request, exception, "" if gone else back)
        messages.error(request, exception.message)
        for blocker in exception.blockers:
            messages.warning(request, blocker.message)
        return _marked(_return(request, back), exception)


def _deserves_a_page(request: HttpRequest, refused: Refused) -> bool:
    old = isinstance(refused, Stale)
    return old or refused.status in PAGES or request.method in ("GET", "HEAD")


def _return(request: HttpRequest, back: str) -> HttpResponse:
    if request.headers.get("HX-Request"):
        return HttpResponse(status=200, headers={"HX-Redirect": back})
    return redirect(back)


def _marked(response: HttpResponse, refused: Refused) -> HttpResponse:
    # The log's middleware reads it: a refused attempt is written down with its reason.
    response.headers["X-Refusal"] = refused.code
    return response
