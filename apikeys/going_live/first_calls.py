"""The first call of each product that succeeded in a sandbox: learned from the request log.

No request writes it: the thread that writes the log does, for many calls at once.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from apikeys.going_live.models import FirstSandboxCall
from console.accounts.models import Business

_NOTE = """
INSERT INTO going_live_firstsandboxcall (business_id, product, request_id, operation, at)
SELECT business_id, product, request_id, operation, to_timestamp(at)
FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::float8[])
    AS called (business_id, product, request_id, operation, at)
WHERE EXISTS (SELECT FROM accounts_business WHERE id = business_id)
ON CONFLICT (business_id, product) DO NOTHING
"""


class SandboxCall(NamedTuple):
    """A call of a product that succeeded in a sandbox, in seconds since 1970."""

    business_pk: int
    product: str
    request_id: str
    operation: str
    at: float


def noting(calls: Sequence[SandboxCall]) -> tuple[str, list[list[Any]]]:
    """Return the statement that keeps those that are the first of their product, and its values."""
    return _NOTE, [list(column) for column in zip(*calls, strict=True)]


def of(business: Business) -> dict[str, FirstSandboxCall]:
    """Return the first calls of a business, by their products."""
    return {call.product: call for call in FirstSandboxCall.objects.filter(business=business)}
