"""The interface of check providers, and the placeholder for one that is not connected."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Protocol, runtime_checkable

from onboarding.lifecycle import CheckStatus

NO_PROVIDER = "No provider is connected: a reviewer decides with evidence."


@dataclass(frozen=True)
class Inquiry:
    """The data sent to a provider. `is_person`: `name` is a person's. `attempt` starts at 1."""

    kind: str
    name: str
    business_name: str
    country: str = ""
    number: str = ""
    born: str = ""
    is_person: bool = False
    attempt: int = 1


@dataclass(frozen=True)
class CheckResult:
    """A provider's result: passed, failed or needs review, with a sentence and its evidence.

    `reference` is the provider's own name for its answer.
    """

    status: CheckStatus
    says: str
    evidence: Mapping[str, str] = field(default_factory=dict)
    reference: str = ""


@dataclass(frozen=True)
class AnswersLater:
    """The provider is working on it. Ask for the result by `reference`, after `wait` at first."""

    reference: str
    wait: timedelta


class ProviderDown(Exception):
    """The provider did not respond. The check is retried later."""


class ListsMissing(ProviderDown):
    """Our own sanctions lists are missing or too old. No provider is to blame."""


@runtime_checkable
class CheckProvider(Protocol):
    """A check provider. Called outside any transaction, possibly more than once.

    It limits the time and size of its own requests, and raises ProviderDown for anything that a
    later attempt could mend.
    """

    name: str
    simulated: bool

    def look(self, inquiry: Inquiry) -> CheckResult | AnswersLater: ...


@runtime_checkable
class LaterCheckProvider(CheckProvider, Protocol):
    """A provider whose results come later: we ask for them, and it may call us to say when."""

    def result(self, reference: str, inquiry: Inquiry) -> CheckResult | AnswersLater: ...

    def reference_in(self, headers: Mapping[str, str], body: bytes) -> str | None:
        """Return the reference in a call from this provider, or None unless its signature fits."""
        ...


class NoCheckProvider:
    """Returns every check for manual review. Never passes anything."""

    name = ""
    simulated = False

    def look(self, inquiry: Inquiry) -> CheckResult:
        return CheckResult(CheckStatus.NEEDS_REVIEW, NO_PROVIDER)
