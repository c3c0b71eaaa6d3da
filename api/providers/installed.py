"""Providers that are a class of an installed package, instead of an address.

The entry point is `access_console.payment_providers`. The methods are the operations of
docs/provider-protocol.yaml: they get its bodies and return its answers, as dictionaries.
"""

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable
from urllib.parse import parse_qs, unquote, urlsplit

import orjson

from console.core import installed_classes

GROUP = "access_console.payment_providers"


class ProviderSilent(Exception):
    """The provider gave no answer that can be used: ask again later. The text says why."""


class ProviderRefused(Exception):
    """The provider refuses the request itself: a person must look. The text says why."""


@runtime_checkable
class PaymentProvider(Protocol):
    """Does what the protocol says. Called outside any transaction, and again after silence.

    One of cards also has `issue_card`, and one of cards or accounts `change` and `find_change`. It
    limits the time of its own requests. It raises ProviderSilent for anything that a later attempt
    could mend, and ProviderRefused for what a person must mend. `find_...` return None for what it
    never took on.
    """

    name: str

    def instruct(self, id: str, instruction: Mapping[str, Any]) -> Mapping[str, Any]: ...  # noqa: A002

    def find_instruction(self, id: str) -> Mapping[str, Any] | None: ...  # noqa: A002

    def open_account(self, id: str, account: Mapping[str, Any]) -> Mapping[str, Any]: ...  # noqa: A002

    def find_account(self, id: str) -> Mapping[str, Any] | None: ...  # noqa: A002

    def statement(self, business: str, currency: str, day: str) -> Mapping[str, Any] | None: ...


_METHODS = {
    ("PUT", "instructions"): "instruct",
    ("GET", "instructions"): "find_instruction",
    ("PUT", "accounts"): "open_account",
    ("GET", "accounts"): "find_account",
    ("PUT", "cards"): "issue_card",
    ("PUT", "changes"): "change",
    ("GET", "changes"): "find_change",
}


def adapter(name: str) -> PaymentProvider | None:
    """Return the adapter of that name, or None if no installed package has it."""
    found: PaymentProvider | None = installed_classes.made(GROUP, name, PaymentProvider)
    return found


def ask(name: str, method: str, path: str, body: bytes) -> bytes | None:
    """Ask an adapter what another provider is asked over HTTP; return JSON, or None for 404."""
    one = adapter(name)
    if one is None:
        raise ProviderSilent(f"The adapter {name} is not installed.")
    parts = urlsplit(path)
    _, kind, *rest = [unquote(part) for part in parts.path.split("/")]
    try:
        if kind == "statements":
            currency, day = rest
            answer = one.statement(parse_qs(parts.query)["business"][0], currency, day)
        else:
            named = _METHODS[method, kind]
            act = getattr(one, named, None)
            if act is None:
                raise ProviderRefused(f"The adapter {name} has no {named}.")
            answer = act(rest[0], orjson.loads(body)) if method == "PUT" else act(rest[0])
        return None if answer is None else orjson.dumps(answer)
    except (ProviderSilent, ProviderRefused):
        raise
    except Exception as error:  # an adapter's mistake must not lose the instruction
        raise ProviderSilent(f"The adapter failed: {type(error).__name__}.") from error
