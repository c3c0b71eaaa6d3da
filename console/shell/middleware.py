"""Middleware that turns Refused, and stored files that cannot be read, into a page or a message."""

from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from console.core import blobs
from console.core.middleware import GetResponse
from console.core.refusals import AlreadyDone, Refused, Stale
from console.shell.safe_redirects import page_above, way_back
from console.shell.views import errors

PAGES = frozenset({403, 410, 429})


class RefusalMiddleware:
    """Redirects back to the form with the reason at the top, or shows an error page.

    Missing permission, too many attempts, an expired link, a stale page and a repeated submission
    get an error page.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, blobs.BlobDamaged | blobs.StoreUnavailable):
            return errors.file_unavailable(request, exception)
        if not isinstance(exception, Refused):
            return None
        back = way_back(request)
        # The page that submitted the form again after a confirmation has nothing to show.
        if isinstance(exception, AlreadyDone) or back.endswith(reverse("accounts:resume")):
            back = page_above(request)
        if _deserves_a_page(request, exception) or not back:
            gone = exception.status == HTTPStatus.GONE  # going back would lead to the same refusal
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
    # The audit middleware reads it, to record the attempt with its reason.
    response.headers["X-Refusal"] = refused.code
    return response
