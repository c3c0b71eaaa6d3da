"""GET /balances, /transactions: what the business holds, and every movement of it."""

from datetime import datetime
from functools import lru_cache
from typing import Any

from api.gateway import pages
from api.gateway.operations import ApiAnswer, Call
from api.sandbox.models import Account, Balance, LedgerEntry
from api.sandbox.reading import RowReader
from api.v1 import shapes
from api.v1.resource import Columns, Resource, require_provider
from console.core import clock
from console.core.money import decimal

# Most rows hold a nought or two, and were reconciled at the same moment.
_iso = lru_cache(maxsize=1024)(clock.iso)
_decimal = lru_cache(maxsize=4096)(decimal)
_READER = RowReader(
    Balance,
    ["currency", "available", "pending", "reserved", "last_reconciled_at"],
    filters=["currency"],
)


def _direction(columns: Columns) -> str:
    """Tell whether the balance as a whole gained, lost, or moved money within itself."""
    if columns["from_account"] == Account.EXTERNAL:
        return "credit"
    return "debit" if columns["to_account"] == Account.EXTERNAL else "internal"


TRANSACTIONS = Resource(
    LedgerEntry,
    shapes.TransactionItem,
    columns={"balance_after": "total_after"},
    computed={"direction": _direction},
    filters=("currency",),
)


def balances(call: Call) -> ApiAnswer:
    """List balances, of all currencies or of those that are named."""
    currencies = sorted(set(call.parameters["currency"]))
    window = pages.window(call, *currencies)
    require_provider(call)
    found = _READER.page(
        business=call.business.pk,
        environment=call.environment,
        place=window.place,
        count=window.fetch,
        filters=[currencies],
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
