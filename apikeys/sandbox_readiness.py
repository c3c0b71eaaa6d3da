"""The conditions for opening a business's sandbox, computed from facts."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext, gettext_noop

from agreements.models import Pack
from console.accounts.models import Business
from console.core.refusals import Blocker
from onboarding.checks import minimum

Holds = Callable[[Business], Iterator[Blocker]]


def pack_is_executed(business: Business) -> Iterator[Blocker]:
    if not Pack.objects.of(business).executed().exists():
        yield Blocker("pack", gettext("Both sides must sign the agreement first."))


def minimum_checks_have_passed(business: Business) -> Iterator[Blocker]:
    yield from minimum.blockers_of(business)


@dataclass(frozen=True)
class Condition:
    """A condition, how to check it, and the business's page for meeting it."""

    title: str
    holds: Holds
    route: str


CONDITIONS = (
    Condition(gettext_noop("Agreement executed"), pack_is_executed, "agreements:pack"),
    Condition(
        gettext_noop("Minimum verification checks passed"),
        minimum_checks_have_passed,
        "onboarding:access",
    ),
)


@dataclass(frozen=True)
class ConditionStatus:
    """A condition and what is still missing for it."""

    title: str
    route: str
    blockers: tuple[Blocker, ...]

    @property
    def holds(self) -> bool:
        return not self.blockers


def conditions(business: Business) -> list[ConditionStatus]:
    """Return every condition, in the order in which to clear them."""
    return [ConditionStatus(c.title, c.route, tuple(c.holds(business))) for c in CONDITIONS]


def blockers(business: Business) -> list[Blocker]:
    """Return what prevents a business from getting its sandbox."""
    return [blocker for one in conditions(business) for blocker in one.blockers]
