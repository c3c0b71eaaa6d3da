"""What we ask of a provider of checks, and what stands in for one that is not connected."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from onboarding.lifecycle import CheckStatus

NO_PROVIDER = "No provider is connected. A reviewer must decide on the evidence."


@dataclass(frozen=True)
class Inquiry:
    """What a provider is told. `attempt` counts from 1."""

    kind: str
    name: str
    business_name: str
    country: str = ""
    number: str = ""
    born: str = ""
    attempt: int = 1


@dataclass(frozen=True)
class CheckResult:
    """What a provider says: passed, failed or needs a person, in a sentence, with its evidence."""

    status: CheckStatus
    says: str
    evidence: Mapping[str, str] = field(default_factory=dict)


class ProviderDown(Exception):
    """The provider did not answer. It is asked again later."""


class CheckProvider(Protocol):
    """Somebody who answers inquiries. Called outside any transaction, and may be called twice."""

    name: str
    simulated: bool

    def look(self, inquiry: Inquiry) -> CheckResult: ...


class NoCheckProvider:
    """Nobody is asked, so a reviewer decides. It never passes anything."""

    name = ""
    simulated = False

    def look(self, inquiry: Inquiry) -> CheckResult:
        return CheckResult(CheckStatus.NEEDS_REVIEW, NO_PROVIDER)
