"""POST /payouts, GET /payouts, GET /payouts/{id}: money to bank accounts."""

from collections.abc import Callable
from typing import Any

import orjson

from api.gateway import pages
from api.gateway.calls import ApiAnswer, Call
from api.gateway.problems import ApiProblem
from api.resources.payouts import payouts, reading
from api.resources.payouts.lifecycle import PayoutStatus
from api.resources.payouts.reading import PayoutRow
from apikeys.lifecycle import Environment
from console.accounts.actors import NoPerson
from console.accounts.models import Business
from console.core import clock
from console.core.money import decimal
from onboarding.restrictions import refusing
from onboarding.restrictions.restricted_list import RestrictionScope, StatedPlace

_DETAILS = ("bank_account", "reference", "metadata")


def create(call: Call) -> ApiAnswer:
    """Pay out from a balance to a bank account."""
    body, record = call.body, call.record
    country = body["bank_account"]["country"]
    refusing.require_none([StatedPlace(country, RestrictionScope.CORRIDOR)])
    _require_provider(call)
    payout = payouts.create(
        Business(pk=record.business_pk, public_id=record.business_id, name=record.business_name),
        call.environment,
        body["money"],
        {name: body[name] for name in _DETAILS if name in body},
        tries=call.tries,
        by=NoPerson(record.key_name, record.key_id),
    )
    return ApiAnswer(
        {
            "id": payout.public_id,
            "object": "payout",
            "status": str(payout.status),
            "amount": payout.money.decimal(),
            "currency": payout.currency,
            "bank_account": payout.bank_account,
            "reference": payout.reference,
            "failure_reason": payout.failure_reason or None,
            "metadata": payout.metadata,
            "created_at": clock.iso(payout.created_at),
        }
    )


def page(call: Call) -> ApiAnswer:
    """List payouts, the newest first."""
    window = pages.window(call)
    _require_provider(call)

    def found() -> list[PayoutRow]:
        return reading.rows(
            call.database,
            business=call.record.business_pk,
            environment=call.environment,
            place=window.place,
            count=window.fetch,
        )

    return pages.page(_settled(call, found), window, _present)


def one(call: Call) -> ApiAnswer:
    """Read one payout."""
    _require_provider(call)

    def found() -> list[PayoutRow]:
        return reading.named(
            call.database,
            business=call.record.business_pk,
            environment=call.environment,
            public_id=call.names["id"],
        )

    rows = _settled(call, found)
    if not rows:
        raise ApiProblem("NOT_FOUND")
    return ApiAnswer(_present(*rows[0][2:]))


def _settled(call: Call, read: Callable[[], list[PayoutRow]]) -> list[PayoutRow]:
    """Return rows of which none still waits for what is due: nobody sees a payout that is late.

    Only the caller's own are settled: nobody's read waits for another business's payouts.
    """
    rows, now = read(), clock.now()
    if any(row[3] == PayoutStatus.PENDING and row[-1] and row[-1] <= now for row in rows):
        payouts.settle_due(call.record.business_pk)
        rows = read()
    return rows


def _require_provider(call: Call) -> None:
    if call.environment == Environment.LIVE:
        # No real provider is connected yet (D-24).
        raise ApiProblem("NO_PROVIDER_ENABLED", product="payouts", environment=call.environment)


def _present(*row: Any) -> dict[str, Any]:
    """Return the payout of a row, from its `public_id` on."""
    public_id, status, amount, currency, account, reference, metadata, reason, created_at, _ = row
    return {
        "id": public_id,
        "object": "payout",
        "status": status,
        "amount": decimal(amount, currency),
        "currency": currency,
        "bank_account": orjson.loads(account),
        "reference": reference,
        "failure_reason": reason or None,
        "metadata": orjson.loads(metadata),
        "created_at": clock.iso(created_at),
    }
