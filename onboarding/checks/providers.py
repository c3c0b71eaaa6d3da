"""The interface of check providers, and the placeholder for one that is not connected."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from onboarding.lifecycle import CheckStatus

NO_PROVIDER = "No provider is connected. A reviewer must decide on the evidence."


@dataclass(frozen=True)
class Inquiry:
    """The data sent to a provider. `attempt` starts at 1."""

    kind: str
    name: str
    business_name: str
    country: str = ""
    number: str = ""
    born: str = ""
    attempt: int = 1


@dataclass(frozen=True)
class CheckResult:
    """A provider's result: passed, failed or needs review, with a sentence and its evidence."""

    status: CheckStatus
    says: str
    evidence: Mapping[str, str] = field(default_factory=dict)


class ProviderDown(Exception):
    """The provider did not respond. The check is retried later."""


class CheckProvider(Protocol):
    """A check provider. Called outside any transaction, possibly more than once."""

    name: str
    simulated: bool

    def look(self, inquiry: Inquiry) -> CheckResult: ...


class NoCheckProvider:
    """Returns every check for manual review. Never passes anything."""

    name = ""
    simulated = False

    def look(self, inquiry: Inquiry) -> CheckResult:
        return CheckResult(CheckStatus.NEEDS_REVIEW, NO_PROVIDER)
