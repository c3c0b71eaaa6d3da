"""When a key was last used, in total and per product, taken from the request log.

The thread that writes the log records it in batches, so requests do not wait.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.db import connection

_NOTE = """
UPDATE apikeys_apikey AS api_key
SET last_used_at = greatest(api_key.last_used_at, to_timestamp(used.at)),
    last_used_ip = nullif(used.ip, '')::inet
FROM (
    SELECT DISTINCT ON (key_pk) key_pk, at, ip
    FROM unnest(%s::bigint[], %s::float8[], %s::text[]) AS used (key_pk, at, ip)
    ORDER BY key_pk, at DESC
) AS used
WHERE api_key.id = used.key_pk
"""
_NOTE_PRODUCTS = """
INSERT INTO apikeys_productuse AS held (key_id, product, at)
SELECT key_pk, product, to_timestamp(at)
FROM unnest(%s::bigint[], %s::text[], %s::float8[]) AS used (key_pk, product, at)
WHERE product <> '' AND EXISTS (SELECT FROM apikeys_apikey WHERE id = key_pk)
ON CONFLICT (key_id, product) DO UPDATE SET at = greatest(held.at, EXCLUDED.at)
"""


class Use(NamedTuple):
    """A key's last call to a product, in seconds since 1970, and its address.

    `product` is empty for refused calls.
    """

    key_pk: int
    product: str
    at: float
    ip: str


def note(uses: Sequence[Use]) -> None:
    """Save the last use of several keys at once."""
    keys, products, moments, addresses = (list(column) for column in zip(*uses, strict=True))
    with connection.cursor() as cursor:
        cursor.execute(_NOTE, [keys, moments, addresses])
        cursor.execute(_NOTE_PRODUCTS, [keys, products, moments])
