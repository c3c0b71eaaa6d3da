"""The payment page of a session, on its own and in a frame, and the page of a service tag."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from stdnum import iban

from api.checkout import appearance, frame_ancestors
from api.hosted import reading
from api.hosted.reading import payer_page
from api.hosted.state import etag_of
from api.payments.lifecycle import CheckoutStatus
from api.payments.models import CheckoutSession
from api.providers.blockchains import networks_of
from apikeys.lifecycle import Environment
from console.accounts.lifecycle import Access
from console.core import clock
from console.core.money import Money
from console.shell import qr_codes


@dataclass(frozen=True)
class Instruction:
    """One thing that the payer needs to know; `value` is copied if it differs from the text."""

    name: str
    label: str
    text: str
    value: str = ""


@payer_page
def session_page(request: HttpRequest, session: str) -> HttpResponse:
    """Show a payment request to its payer."""
    return _page(request, reading.current(public_id=session))


@payer_page
@xframe_options_exempt
def embed(request: HttpRequest, session: str) -> HttpResponse:
    """Show the same page in a frame, on the sites that the business may use."""
    found = reading.current(public_id=session)
    ancestors = frame_ancestors.of_session(found)
    response = _page(request, found, is_framed=True, ancestors=ancestors)
    response.frame_ancestors = ancestors  # type: ignore[attr-defined]  # for the middleware
    return response


@payer_page
def tag_page(request: HttpRequest, tag: str) -> HttpResponse:
    """Show the exact amount of a payment by service tag, which cannot be made yet."""
    return _page(request, reading.current(tag_payment_id=tag))


def _page(request: HttpRequest, session: CheckoutSession, **more: Any) -> HttpResponse:
    is_paid = session.status == CheckoutStatus.PAID
    back = session.success_url if is_paid else session.cancel_url
    is_stopped = session.is_open and session.business.status != Access.ACTIVE
    payments = reading.payments_of(session)
    unseen = session.unseen
    is_confirming = session.is_open and not unseen and bool(session.outstanding)
    invites = session.is_open and not is_confirming
    page = {
        "session": session,
        "is_confirming": is_confirming,
        "unseen": Money(unseen, session.currency),
        "business": appearance.of_business(session.business),
        "outstanding": Money(session.outstanding, session.currency),
        "received": Money(session.received, session.currency),
        "surplus": Money(session.surplus, session.currency),
        "late": Money(session.late, session.currency),
        "payments": payments,
        "instructions": _instructions(session) if invites else [],
        "is_stopped": is_stopped,
        # A service tag cannot be paid yet, so nothing ends for its payer.
        "may_pay": invites and not is_stopped and not session.tag_payment_id,
        "address_code": qr_codes.svg(session.address) if invites and session.address else "",
        "is_simulated": session.environment == Environment.SANDBOX,
        "share": round(100 * min(session.received, session.amount) / session.amount),
        "etag": etag_of(session, payments),
        "now": clock.of_database(),
        "back": "" if session.is_open else back,
        "back_host": urlsplit(back).netloc,
    }
    return render(request, "hosted/session.html", page | more)


def _number(number: str) -> Instruction:
    """Return an account number; an IBAN in groups of four, as banks print it, copied without."""
    if not iban.is_valid(number):
        return Instruction("account_number", _("Account number"), number, number)
    return Instruction("account_number", _("IBAN"), iban.format(number), number)


def _instructions(session: CheckoutSession) -> list[Instruction]:
    left = Money(session.unseen, session.currency)
    amount = Instruction("amount", _("Amount"), f"{left.grouped()} {left.currency}", left.decimal())
    if session.account is not None:
        account = session.account
        return [
            _number(account.account_number),
            Instruction("bank_name", _("Bank"), account.bank_name),
            Instruction(
                "account_name", _("Account name"), account.account_name, account.account_name
            ),
            amount,
        ]
    if session.address:
        networks = ", ".join(networks_of(session.currency))
        return [
            Instruction("address", _("Address"), session.address, session.address),
            Instruction("networks", _("Networks"), networks),
            amount,
        ]
    return [amount]
