"""GET /checkout/<id>/state: what may change on a payment page, by long polling."""

import json
import threading
import time
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _

from api.hosted import reading
from api.hosted.reading import SessionMark, payer_page
from api.payments.models import CheckoutSession, Deposit
from console.core import clock
from console.core.digests import sha256_hex
from console.core.money import decimal

LONGEST_WAIT = 25
_EVERY = 1.0  # seconds
# The other threads of the process stay free for other pages.
MOST_WAITING = settings.WEB_THREADS // 2
_waiting = threading.BoundedSemaphore(MOST_WAITING)


@payer_page
def state(request: HttpRequest, session: str) -> HttpResponseBase:
    """Return the session's state. With `wait`, wait that many seconds for one not seen yet."""
    seconds = _seconds(request.GET.get("wait", "0"))
    if seconds is None:
        said = _("Send a whole number of seconds from 0 to %(most)d as wait.")
        return JsonResponse({"error": said % {"most": LONGEST_WAIT}}, status=HTTPStatus.BAD_REQUEST)
    mark = SessionMark.of(public_id=session)
    response = _answer(request, session, mark)
    if response.status_code == HTTPStatus.NOT_MODIFIED and seconds and mark.is_open:
        _wait_for_change(session, mark, seconds)
        response = _answer(request, session)
    return response


def etag_of(session: CheckoutSession, payments: Sequence[Deposit]) -> str:
    """Return the strong ETag of the session's state, and of whether it may be paid."""
    shown = [_state(session, payments), session.business.status]
    return f'"{sha256_hex(json.dumps(shown).encode())[:32]}"'


def _answer(request: HttpRequest, public_id: str, mark: SessionMark | None = None) -> HttpResponse:
    session = reading.current(mark, public_id=public_id)
    now = {"server_time": clock.iso(clock.of_database())}
    payments = reading.payments_of(session)
    response = JsonResponse(_state(session, payments) | now)
    response.headers["ETag"] = etag = etag_of(session, payments)
    response.headers["Cache-Control"] = "private, no-store"
    return get_conditional_response(request, etag=etag, response=response) or response


def _state(session: CheckoutSession, payments: Sequence[Deposit]) -> dict[str, Any]:
    return {
        "status": session.status,
        "amount": session.money.decimal(),
        "amount_outstanding": decimal(session.outstanding, session.currency),
        "outstanding_amount_minor": session.outstanding,
        "currency": session.currency,
        "expires_at": clock.iso(session.expires_at),
        "payments": [
            {"amount": payment.money.decimal(), "seen_at": clock.iso(payment.created_at)}
            for payment in payments
        ],
    }


def _seconds(text: str) -> int | None:
    """Parse the time to wait; None if it is malformed or too long."""
    digits = text.isascii() and text.isdigit() and len(text) <= len(str(LONGEST_WAIT))
    return int(text) if digits and int(text) <= LONGEST_WAIT else None


def _wait_for_change(public_id: str, mark: SessionMark, seconds: int) -> None:
    """Wait until the session changes or is due, but not if too many others wait here."""
    until = time.monotonic() + seconds
    if not _waiting.acquire(blocking=False):
        return
    try:
        while time.monotonic() < until and SessionMark.of(public_id=public_id) == mark:
            # No transaction is open. The next query takes another connection, from the pool.
            connection.close()
            time.sleep(max(0.0, min(_EVERY, until - time.monotonic())))
    finally:
        _waiting.release()
