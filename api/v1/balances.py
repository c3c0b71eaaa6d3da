"""GET /balances: what the business holds."""

from datetime import datetime
from functools import lru_cache
from typing import Any

from api.gateway import pages
from api.gateway.calls import ApiAnswer, Call
from api.gateway.problems import ApiProblem
from api.resources.balances import reading
from apikeys.lifecycle import Environment
from console.core import clock
from console.core.money import decimal

# Most rows hold a nought or two, and were reconciled at the same moment.
_iso = lru_cache(maxsize=1024)(clock.iso)
_decimal = lru_cache(maxsize=4096)(decimal)


def balances(call: Call) -> ApiAnswer:
    """List balances, of all currencies or of those that are named."""
    currencies = sorted(set(call.parameters["currency"]))
    window = pages.window(call, *currencies)
    if call.environment == Environment.LIVE:
        # No real provider is connected yet (D-24).
        raise ApiProblem("NO_PROVIDER_ENABLED", product="balances", environment=call.environment)
    found = reading.rows(
        call.database,
        business=call.record.business_pk,
        environment=call.environment,
        currencies=currencies,
        place=window.place,
        count=window.fetch,
    )
    return pages.page(found, window, _balance)


def _balance(
    currency: str, available: int, pending: int, reserved: int, reconciled: datetime | None
) -> dict[str, Any]:
    return {
        "object": "balance",
        "currency": currency,
        "available": _decimal(available, currency),
        "pending": _decimal(pending, currency),
        "reserved": _decimal(reserved, currency),
        "total": _decimal(available + pending + reserved, currency),
        "last_reconciled_at": _iso(reconciled) if reconciled else None,
    }
