"""Decide about money that is held because it does not count towards its checkout session."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from api.payments import checkout_payments
from api.payments.models import Deposit
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.page_access import business_page
from console.accounts.roles import Permission

EDIT = Permission.CHECKOUT_EDIT


@business_page(EDIT, methods=("POST",))
def accept_payment(
    request: ConsoleRequest, business: Business, session_id: str, payment_id: str
) -> HttpResponse:
    """Add a held payment to the balance."""
    said = _("You have accepted %(amount)s. It is in your balance.")
    return _decide(request, business, (session_id, payment_id), checkout_payments.accept, said)


@business_page(EDIT, methods=("POST",))
def return_payment(
    request: ConsoleRequest, business: Business, session_id: str, payment_id: str
) -> HttpResponse:
    """Return a held payment to its payer."""
    said = _("You have returned %(amount)s to its payer.")
    return _decide(request, business, (session_id, payment_id), checkout_payments.give_back, said)


def _decide(
    request: ConsoleRequest,
    business: Business,
    named: tuple[str, str],
    verb: Callable[..., Deposit],
    said: str,
) -> HttpResponse:
    session_id, payment_id = named
    payment = get_object_or_404(
        Deposit.objects.select_related("checkout_session", "business"),
        business=business,
        checkout_session=session_id,
        public_id=payment_id,
    )
    verb(payment, by=request.user)
    messages.success(request, said % {"amount": payment.money})
    names = [business.public_id, "checkout", "checkout-sessions", session_id]
    return redirect(
        reverse("api:module_row", args=names, query={"environment": payment.environment})
    )
