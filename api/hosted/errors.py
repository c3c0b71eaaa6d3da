"""Error pages of the checkout host, without the console's navigation."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from console.core.refusals import TooMany


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that cannot be read."""
    said = _("The address contains something that we do not accept.")
    return _page(HTTPStatus.BAD_REQUEST, _("We could not read that request"), said)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer an address without a page."""
    said = _("Check the link, or ask the business that sent it to you for a new one.")
    return _page(HTTPStatus.NOT_FOUND, _("There is no payment page at this address"), said)


def broken(request: HttpRequest) -> HttpResponse:
    """Answer after a mistake of ours, without the database."""
    said = _("This is our mistake, and we have logged it. Reload the page in a moment.")
    return _page(HTTPStatus.INTERNAL_SERVER_ERROR, _("Something broke on our side"), said)


def too_many(refusal: TooMany) -> HttpResponse:
    """Answer an address that asked too often."""
    response = _page(HTTPStatus.TOO_MANY_REQUESTS, _("Too many requests"), refusal.message)
    response.headers["Retry-After"] = str(refusal.retry_after)
    return response


def _page(status: HTTPStatus, heading: str, said: str) -> HttpResponse:
    page = {"heading": heading, "said": said}
    return HttpResponse(render_to_string("hosted/message.html", page), status=status)
