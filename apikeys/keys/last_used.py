"""When a key was last used, and each product with it: learned from the request log.

No request writes it: the thread that writes the log does, for many calls at once.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

_NOTE = """
UPDATE apikeys_apikey AS api_key
SET last_used_at = greatest(api_key.last_used_at, to_timestamp(used.at)),
    last_used_ip = nullif(used.ip, '')::inet
FROM (
    SELECT DISTINCT ON (key_pk) key_pk, at, ip
    FROM unnest($1::bigint[], $2::float8[], $3::text[]) AS used (key_pk, at, ip)
    ORDER BY key_pk, at DESC
) AS used
WHERE api_key.id = used.key_pk
"""
_NOTE_PRODUCTS = """
INSERT INTO apikeys_productuse AS held (key_id, product, at)
SELECT key_pk, product, to_timestamp(at)
FROM unnest($1::bigint[], $2::text[], $3::float8[]) AS used (key_pk, product, at)
WHERE product <> '' AND EXISTS (SELECT FROM apikeys_apikey WHERE id = key_pk)
ON CONFLICT (key_id, product) DO UPDATE SET at = greatest(held.at, EXCLUDED.at)
"""


class Use(NamedTuple):
    """The last call of a key to a product, in seconds since 1970, and from where.

    `product` is empty for calls that were refused.
    """

    key_pk: int
    product: str
    at: float
    ip: str


def noting(uses: Sequence[Use]) -> Iterator[tuple[str, list[list[Any]]]]:
    """Yield the statements that write the last uses of several keys at once, and their values."""
    keys, products, moments, addresses = (list(column) for column in zip(*uses, strict=True))
    yield _NOTE, [keys, moments, addresses]
    yield _NOTE_PRODUCTS, [keys, products, moments]
