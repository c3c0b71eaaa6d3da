"""The demo's coffee shop: a page with the widget, and what its server does. Only with DEMO=1.

Its orders open sessions, and it plays the bank of its payers.
"""

from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render

from api.checkout import widget
from api.demo import checkout, world
from api.payments.models import CheckoutSession
from apikeys.lifecycle import Environment
from console.accounts.models import Business
from console.accounts.page_access import public_page
from console.core.money import Money

PRODUCT = "Kiosk blend, 1 kg"
PRICE = 18_500_00


@public_page(by_program=True)
def shop_page(request: HttpRequest) -> HttpResponse:
    """Show the product, and the buttons that pay for it."""
    context = {
        "product": PRODUCT,
        "price": Money(PRICE, "NGN"),
        "script": widget.url(),
        "integrity": widget.integrity(),
        "console": settings.BASE_URL,
    }
    return render(request, "demo/shop.html", context)


@public_page(methods=("POST",), by_program=True)
def order(request: HttpRequest) -> HttpResponseBase:
    """Open a session: the page's script gets its ID, and a form leads to its payment page."""
    business = get_object_or_404(Business, public_id=world.made().get("kettle"))
    session = checkout.open_session(business, PRODUCT, PRICE)
    if request.accepts("text/html"):
        return redirect(session.checkout_url)
    return JsonResponse({"sessionId": session.public_id}, status=HTTPStatus.CREATED)


@public_page(methods=("POST",), by_program=True)
def pay(request: HttpRequest, session: str) -> HttpResponse:
    """Simulate the transfer of a payer: `half` of what is outstanding, or the rest."""
    row = get_object_or_404(
        CheckoutSession.objects.select_related("business", "account"),
        public_id=session,
        business__public_id=world.made().get("kettle"),
        environment=Environment.SANDBOX,
    )
    half = request.POST.get("part") == "half"
    amount = row.outstanding // 2 if half else row.outstanding
    if amount:
        checkout.pay(row, amount)
    return HttpResponse(status=HTTPStatus.NO_CONTENT)
