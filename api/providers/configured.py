"""Providers of live: the systems that `LIVE_PROVIDERS` connects, as docs/providers.md says."""

import base64
import tomllib
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Annotated, Self

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from api.providers import installed
from apikeys.webhooks.webhook_secrets import PREFIX
from console.core import installed_classes

# Work that the protocol has calls for, by the product that needs it.
WORK = frozenset(
    {"cards", "conversions", "payouts", "payroll", "refunds", "remittance", "virtual_accounts"}
)
_LEAST_BYTES = 24
_LOOPBACK = ("http://127.0.0.1:", "http://localhost:")


def _secret(value: SecretStr) -> SecretStr:
    """Refuse what is not a secret of Standard Webhooks."""
    text = value.get_secret_value()
    try:
        key = base64.b64decode(text.removeprefix(PREFIX), validate=True)
    except ValueError:
        key = b""
    if not text.startswith(PREFIX) or len(key) < _LEAST_BYTES:
        raise ValueError(f"say {PREFIX} and at least {_LEAST_BYTES} bytes in base64")
    return value


def _address(url: str) -> str:
    """Refuse an address that others can read, except on this machine."""
    if not url.startswith(("https://", *_LOOPBACK)):
        raise ValueError("say an address with https://")
    return url.rstrip("/")


def _work(word: str) -> str:
    if word not in WORK:
        raise ValueError(f"say some of {', '.join(sorted(WORK))}")
    return word


Secret = Annotated[SecretStr, AfterValidator(_secret)]


class ConnectedProvider(BaseModel):
    """A provider as configured. `name` is its section, also in the address of its events.

    It has an address and a secret for our requests, or the name of an adapter that is installed.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=r"^[a-z][a-z0-9-]{0,30}$")
    url: Annotated[str, AfterValidator(_address)] = ""
    adapter: str = ""
    work: tuple[Annotated[str, AfterValidator(_work)], ...] = Field(min_length=1)
    request_secret: Secret | None = None
    event_secrets: tuple[Secret, ...] = Field(min_length=1, max_length=2)
    ca_file: str = ""
    seconds: int = Field(10, ge=1, le=30)

    @model_validator(mode="after")
    def _has_a_way(self) -> Self:
        """Refuse both ways, and neither."""
        over_http, is_installed = bool(self.url and self.request_secret), bool(self.adapter)
        if over_http == is_installed or bool(self.url) != (self.request_secret is not None):
            raise ValueError("say url and request_secret, or adapter")
        if is_installed and installed.adapter(self.adapter) is None:
            known = ", ".join(installed_classes.names(installed.GROUP)) or "none"
            raise ValueError(f"no installed package has the adapter. Installed: {known}")
        return self

    @property
    def secret_of_requests(self) -> str:
        return self.request_secret.get_secret_value() if self.request_secret else ""

    @property
    def secrets_of_events(self) -> list[str]:
        """Return the secrets that may sign its events."""
        return [one.get_secret_value() for one in self.event_secrets]


_ALL = TypeAdapter(tuple[ConnectedProvider, ...])


def providers() -> tuple[ConnectedProvider, ...]:
    """Return the connected providers. Raises ImproperlyConfigured for a mistake."""
    return _read(settings.LIVE_PROVIDERS)


def provider_of(work: str) -> ConnectedProvider | None:
    """Return the provider that does this work in live, or None."""
    return next((one for one in providers() if work in one.work), None)


def named(name: str) -> ConnectedProvider | None:
    """Return the provider of that name, or None if it is not connected."""
    return next((one for one in providers() if one.name == name), None)


@cache
def _read(text: str) -> tuple[ConnectedProvider, ...]:
    try:
        sections = tomllib.loads(text)
        found = _ALL.validate_python([_section(name, one) for name, one in sections.items()])
    except tomllib.TOMLDecodeError as error:
        raise ImproperlyConfigured(f"LIVE_PROVIDERS is not TOML: {error}.") from None
    except ValidationError as error:
        said = "; ".join(
            ": ".join(filter(None, (list(sections)[int(at[0])], _place(at[1:]), one["msg"])))
            for one in error.errors(include_input=False, include_url=False)
            if (at := one["loc"])
        )
        raise ImproperlyConfigured(f"LIVE_PROVIDERS has mistakes. {said}.") from None
    _refuse_twice([word for one in found for word in one.work], "names a provider twice for")
    secrets = [one.secret_of_requests for one in found if one.request_secret]
    secrets += [secret for one in found for secret in one.secrets_of_events]
    if len(set(secrets)) < len(secrets):
        raise ImproperlyConfigured("LIVE_PROVIDERS has the same secret twice. Make one for each.")
    return found


def _place(members: Sequence[object]) -> str:
    return ".".join(map(str, members))


def _section(name: str, section: object) -> object:
    return {**section, "name": name} if isinstance(section, dict) else section


def _refuse_twice(words: list[str], what: str) -> None:
    twice = [word for word, times in Counter(words).items() if times > 1]
    if twice:
        raise ImproperlyConfigured(f"LIVE_PROVIDERS {what} {', '.join(twice)}.")
