"""What the gateway knows about a key: one row, read in one statement."""

from dataclasses import dataclass

from api.gateway.database import Database

COLUMNS = """
    access.environment, access.status, access.products, access.tier, access.api_version,
    access.networks, access.requires_signatures,
    business.id, business.public_id, business.name, business.status,
    api_key.id, api_key.public_id, api_key.name, api_key.status, api_key.scopes,
    api_key.digest, api_key.pepper,
    extract(epoch FROM api_key.expires_at)::float8,
    api_key.status = 'rotating' AND api_key.secret_used_at IS NULL,
    api_key.former_digest, api_key.former_pepper,
    extract(epoch FROM api_key.former_ends_at)::float8, api_key.networks
"""
TABLES = """
    apikeys_apikey AS api_key
    JOIN apikeys_grant AS access ON access.id = api_key.grant_id
    JOIN accounts_business AS business ON business.id = access.business_id
"""
# Only names of our own stand in these statements; values are always parameters.
_READ = f"SELECT {COLUMNS} FROM {TABLES} WHERE api_key.public_id = $1"  # noqa: S608


@dataclass(frozen=True, slots=True, eq=False)
class CallerRecord:
    """A business with its grant in one environment: all that an operation that reads may ask.

    Read anew it is another one, so that what is worked out of one can be kept by it.
    """

    environment: str
    grant_status: str
    products: tuple[str, ...]
    tier: str
    api_version: str
    business_networks: tuple[str, ...]
    requires_signatures: bool
    business_pk: int
    business_id: str
    business_name: str
    business_status: str


@dataclass(frozen=True, slots=True, eq=False)
class KeyRecord(CallerRecord):
    """A key with its grant and its business, as of one moment.

    `awaits_first_use` says that the key was rotated and nobody has called with its newest secret;
    the former one opens until `former_ends_at`.
    """

    key_pk: int
    key_id: str
    key_name: str
    key_status: str
    scopes: tuple[str, ...]
    digest: bytes
    pepper: int
    expires_at: float
    awaits_first_use: bool
    former_digest: bytes | None
    former_pepper: int | None
    former_ends_at: float | None
    key_networks: tuple[str, ...]

    @classmethod
    def of(cls, row: tuple[object, ...]) -> "KeyRecord":
        """Build a record from a row of `COLUMNS`; lists become tuples, and nothing can change."""
        frozen = (tuple(value) if isinstance(value, list) else value for value in row)
        return cls(*frozen)  # type: ignore[arg-type]


def read(database: Database, key_id: str) -> KeyRecord | None:
    """Return the key's record as it is now."""
    rows = database.rows(_READ, key_id)
    return KeyRecord.of(rows[0]) if rows else None
