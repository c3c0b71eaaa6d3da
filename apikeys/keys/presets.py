"""Presets: sets of scopes that a key often needs, as data. A grant cuts each to what it offers."""

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from django.utils.translation import gettext_noop


@dataclass(frozen=True)
class ScopePreset:
    """A name for a set of scopes; `scopes` are patterns, `*` stands for anything."""

    key: str
    name: str
    scopes: tuple[str, ...]

    def of(self, offered: Iterable[str]) -> list[str]:
        """Return those of the offered scopes that belong to it."""
        return [
            scope
            for scope in offered
            if any(fnmatchcase(scope, pattern) for pattern in self.scopes)
        ]


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


def scopes_of(key: str, offered: Iterable[str]) -> list[str]:
    """Return the scopes of a preset among those offered; an unknown one is reading alone."""
    found = next((preset for preset in PRESETS if preset.key == key), PRESETS[0])
    return found.of(offered)
