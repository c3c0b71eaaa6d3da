"""When a key was last used, learned from the request log and never written by a request."""

from collections.abc import Sequence
from typing import Any, NamedTuple

_NOTE = """
UPDATE apikeys_apikey AS api_key
SET last_used_at = greatest(api_key.last_used_at, to_timestamp(used.at)),
    last_used_ip = nullif(used.ip, '')::inet
FROM unnest($1::bigint[], $2::float8[], $3::text[]) AS used (key_pk, at, ip)
WHERE api_key.id = used.key_pk
"""


class Use(NamedTuple):
    """The last time a key was used, in seconds since 1970, and from where."""

    key_pk: int
    at: float
    ip: str


def noting(uses: Sequence[Use]) -> tuple[str, list[list[Any]]]:
    """Return the statement that writes the last use of several keys at once, and its values."""
    return _NOTE, [list(column) for column in zip(*uses, strict=True)]
