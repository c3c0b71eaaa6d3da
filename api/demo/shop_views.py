"""The demo's coffee shop: a page with the widget, and what its server does. Only with DEMO=1."""

from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render

from api.checkout import widget
from api.demo import shop
from console.accounts.page_access import public_page
from console.core.money import Money


@public_page(by_program=True)
def shop_page(request: HttpRequest) -> HttpResponse:
    """Show the product, and the buttons that pay for it."""
    context = {
        "product": shop.PRODUCT,
        "price": Money(shop.PRICE, "NGN"),
        "script": widget.url(),
        "integrity": widget.integrity(),
        "console": settings.BASE_URL,
    }
    return render(request, "demo/shop.html", context)


@public_page(methods=("POST",), by_program=True)
def order(request: HttpRequest) -> HttpResponseBase:
    """Open a session: the page's script gets its ID, and a form leads to its payment page."""
    session = shop.order()
    if request.accepts("text/html"):
        return redirect(session.checkout_url)
    return JsonResponse({"sessionId": session.public_id}, status=HTTPStatus.CREATED)


@public_page(methods=("POST",), by_program=True)
def pay(request: HttpRequest, session: str) -> HttpResponse:
    """Simulate the transfer of a payer."""
    shop.pay(session, request.POST.get("part", ""))
    return HttpResponse(status=HTTPStatus.NO_CONTENT)
