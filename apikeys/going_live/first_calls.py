"""The first successful sandbox call of each product, taken from the request log.

The thread that writes the log records them in batches, so requests do not wait.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.db import connection

from apikeys.going_live.models import FirstSandboxCall
from console.accounts.models import Business

_NOTE = """
INSERT INTO going_live_firstsandboxcall (business_id, product, request_id, operation, at)
SELECT business_id, product, request_id, operation, to_timestamp(at)
FROM unnest(%s::bigint[], %s::text[], %s::text[], %s::text[], %s::float8[])
    AS called (business_id, product, request_id, operation, at)
WHERE EXISTS (SELECT FROM accounts_business WHERE id = business_id)
ON CONFLICT (business_id, product) DO NOTHING
"""


class SandboxCall(NamedTuple):
    """A successful call of a product in the sandbox, in seconds since 1970."""

    business_pk: int
    product: str
    request_id: str
    operation: str
    at: float


def note(calls: Sequence[SandboxCall]) -> None:
    """Save the calls that are the first of their product."""
    with connection.cursor() as cursor:
        cursor.execute(_NOTE, [list(column) for column in zip(*calls, strict=True)])


def calls_of(business: Business) -> dict[str, FirstSandboxCall]:
    """Return the first calls of a business by product."""
    return {call.product: call for call in FirstSandboxCall.objects.filter(business=business)}
