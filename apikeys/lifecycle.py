"""The statuses of a grant and of a key, and the allowed moves."""

from django.db import models

from console.core.lifecycle import Lifecycle


class Environment(models.TextChoices):
    """The two worlds of the API. An object belongs to one of them."""

    SANDBOX = "sandbox", "Sandbox"
    LIVE = "live", "Live"


class GrantStatus(models.TextChoices):
    """Whether a business may hold keys of one environment."""

    CLOSED = "closed", "Closed"
    OPEN = "open", "Open"
    SUSPENDED = "suspended", "Suspended"


class KeyStatus(models.TextChoices):
    """Where a key is in its life."""

    ACTIVE = "active", "Active"
    ROTATING = "rotating", "Rotating"
    DISABLED = "disabled", "Disabled"
    REVOKED = "revoked", "Revoked"
    EXPIRED = "expired", "Expired"


GRANT_LIFECYCLE = Lifecycle(
    {
        GrantStatus.CLOSED: [GrantStatus.OPEN],
        GrantStatus.OPEN: [GrantStatus.SUSPENDED, GrantStatus.CLOSED],
        GrantStatus.SUSPENDED: [GrantStatus.OPEN, GrantStatus.CLOSED],
    },
    start=[GrantStatus.CLOSED],
)

KEY_LIFECYCLE = Lifecycle(
    {
        KeyStatus.ACTIVE: [
            KeyStatus.ROTATING,
            KeyStatus.REVOKED,
            KeyStatus.EXPIRED,
            KeyStatus.DISABLED,
        ],
        KeyStatus.ROTATING: [KeyStatus.ACTIVE, KeyStatus.REVOKED, KeyStatus.EXPIRED],
        KeyStatus.DISABLED: [KeyStatus.ACTIVE, KeyStatus.REVOKED, KeyStatus.EXPIRED],
        KeyStatus.REVOKED: [],
        KeyStatus.EXPIRED: [],
    },
    start=[KeyStatus.ACTIVE],
)
# A key in one of these opens the gateway, as long as its time has not run out.
OPENS = (KeyStatus.ACTIVE, KeyStatus.ROTATING)
# A key in one of these counts against the most that a business may have.
HELD = (KeyStatus.ACTIVE, KeyStatus.ROTATING, KeyStatus.DISABLED)
SENTENCES = {
    "demo.made": "{actor} made the demo world",
    "demo.ended": "{actor} ended the passwords and keys of the demo world",
    "grant.open": "{actor} opened {subject}",
    "grant.suspended": "{actor} suspended {subject}",
    "grant.closed": "{actor} closed {subject}",
    "grant.products_changed": "{actor} changed the products of {subject}",
    "key.created": "{actor} created the key {subject}",
    "key.stored": "{actor} stored the key {subject}",
    "key.active": "{actor} enabled the key {subject}",
    "key.rotating": "{actor} began to exchange the key {subject}",
    "key.disabled": "{actor} disabled the key {subject}",
    "key.revoked": "{actor} revoked the key {subject}",
    "key.expired": "{actor} ended the key {subject}: its time ran out",
}
