"""Conditions for clearing an application to contract, and whether a reviewer must decide."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from console.core.refusals import Blocker
from onboarding.checks import minimum
from onboarding.information.lifecycle import InformationStatus
from onboarding.information.models import InformationRequest
from onboarding.models import Application
from onboarding.tiers import Tier


def blockers(application: Application, *, by_person: bool = True) -> list[Blocker]:
    """Return what blocks clearing, in the order a reviewer would resolve it.

    `by_person` means that a compliance reviewer decides. Without it, tier HIGH is a blocker too.
    """
    found = list(_blockers(application))
    return found if by_person else [*found, *_needs_a_person(application)]


def _blockers(application: Application) -> Iterator[Blocker]:
    # The worker calculates the score within seconds of a submission.
    if application.assessment is None:
        yield Blocker("assessment", _("The score is not ready yet. Try again in a moment."))
    else:
        for hit in application.assessment.knock_outs:
            yield Blocker(hit["effect"], f"{hit['name']}: you can only decline this application.")
    yield from minimum.blockers(application)
    if _requests(application, InformationStatus.OPEN):
        yield Blocker("information", _("The business has not answered our questions."))


def _needs_a_person(application: Application) -> Iterator[Blocker]:
    # A reviewer who clears has read the answers.
    if _requests(application, InformationStatus.ANSWERED):
        yield Blocker("answers", _("A reviewer has not accepted the answers to our questions."))
    if application.tier not in (Tier.LOW, Tier.MEDIUM):
        yield Blocker("needs_a_person", _("Tier HIGH: compliance must decide whether to continue."))


def _requests(application: Application, status: InformationStatus) -> bool:
    return InformationRequest.objects.filter(application=application, status=status).exists()
