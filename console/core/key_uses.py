"""Registry of what still needs a numbered key of VAULT_KEYS or KEY_PEPPER.

register("VAULT_KEYS", sealed_in("webhooks.WebhookEndpoint", "secret"))    in AppConfig.ready()
is_needed("VAULT_KEYS", 1)    whether a row needs the key with that number
"""

from collections.abc import Callable

from django.apps import apps
from django.db.models import BinaryField
from django.db.models.functions import Substr

KeyUse = Callable[[int], bool]
_uses: dict[str, list[KeyUse]] = {}


def register(setting: str, use: KeyUse) -> None:
    """Register a function that tells whether rows need the key with a number."""
    _uses.setdefault(setting, []).append(use)


def sealed_in(label: str, column: str) -> KeyUse:
    """Return the function for a column of values that the vault sealed: they begin with the key."""

    def is_used(number: int) -> bool:
        rows = apps.get_model(label)._default_manager.alias(
            sealed_with=Substr(column, 1, 1, output_field=BinaryField())
        )
        return bool(rows.filter(sealed_with=bytes([number])).exists())

    return is_used


def numbered_in(label: str, column: str) -> KeyUse:
    """Return the function for a column that contains the number of a key."""

    def is_used(number: int) -> bool:
        rows = apps.get_model(label)._default_manager
        return bool(rows.filter(**{column: number}).exists())

    return is_used


def is_needed(setting: str, number: int) -> bool:
    """Tell whether a row needs that key. Reads whole tables, so ask only about a missing key."""
    return any(use(number) for use in _uses[setting])
