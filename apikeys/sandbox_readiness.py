"""The conditions for opening a business's sandbox, computed from facts."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from agreements.models import Pack
from console.accounts.models import Business
from console.core.refusals import Blocker
from onboarding.checks import minimum


@dataclass(frozen=True)
class ConditionStatus:
    """A condition, the business's page for meeting it, and what is still missing for it."""

    title: str
    route: str
    blockers: list[Blocker]

    @property
    def holds(self) -> bool:
        return not self.blockers


def conditions(business: Business) -> list[ConditionStatus]:
    """Return every condition, in the order in which to clear them."""
    unsigned = [Blocker("pack", _("Both sides must sign the agreement first."))]
    is_signed = Pack.objects.of(business).executed().exists()
    return [
        ConditionStatus(
            gettext_noop("Agreement executed"), "agreements:pack", [] if is_signed else unsigned
        ),
        ConditionStatus(
            gettext_noop("Minimum verification checks passed"),
            "onboarding:access",
            minimum.blockers_of(business),
        ),
    ]


def blockers(business: Business) -> list[Blocker]:
    """Return what prevents a business from getting its sandbox."""
    return [blocker for one in conditions(business) for blocker in one.blockers]
