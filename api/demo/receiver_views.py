"""The demo's webhook receiver and a page of what it received. Only with DEMO=1."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from api.demo import receiver
from console.accounts.page_access import public_page

_REFUSED, _TAKEN = 401, 204


@public_page()
def received(request: HttpRequest) -> HttpResponse:
    """Show the received deliveries, and whether their signatures are valid."""
    _only_in_the_demo()
    page = {"received": receiver.newest(), "url": receiver.url()}
    return render(request, "api/demo_receiver.html", page)


@public_page(methods=("POST",), by_program=True)
def receive(request: HttpRequest) -> HttpResponse:
    """Receive a delivery: 204 if its signature is valid, otherwise 401 with the reason."""
    _only_in_the_demo()
    header = request.headers.get("Service-Signature", "")
    came = receiver.receive(header, request.body[: receiver.LARGEST])
    if came.held:
        return HttpResponse(status=_TAKEN)
    return HttpResponse(came.why_not, status=_REFUSED, content_type="text/plain")


def _only_in_the_demo() -> None:
    if not settings.DEMO:
        raise Http404
