"""Presets of scopes for common uses; each is limited to the scopes of the grant."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import NamedTuple

from django.utils.translation import gettext_noop

from apikeys.lifecycle import Environment


class ScopePreset(NamedTuple):
    """A named set of scopes; `scopes` are patterns in which `*` matches anything."""

    key: str
    name: str
    scopes: tuple[str, ...]


PRESETS = (
    ScopePreset("read_only", gettext_noop("Read only"), ("*:read",)),
    ScopePreset(
        "take_payments",
        gettext_noop("Take payments"),
        ("balances:read", "checkout:*", "customers:*", "virtual_accounts:*", "refunds:*",
         "webhooks:*"),
    ),
    ScopePreset(
        "pay_out",
        gettext_noop("Pay out"),
        ("balances:read", "beneficiaries:*", "transfers:*", "payouts:*", "quotes:*", "rates:read",
         "webhooks:*"),
    ),
    ScopePreset("everything", gettext_noop("All scopes"), ("*",)),
)  # fmt: skip

# Simulated money needs no protection, and a first call with any of the scopes succeeds.
USUAL = {Environment.SANDBOX: "everything", Environment.LIVE: "read_only"}


def scopes_of(key: str, offered: Iterable[str]) -> list[str]:
    """Return the preset's scopes among those offered; an unknown preset gives read-only scopes."""
    found = next((preset for preset in PRESETS if preset.key == key), PRESETS[0])
    return [one for one in offered if any(fnmatchcase(one, known) for known in found.scopes)]
