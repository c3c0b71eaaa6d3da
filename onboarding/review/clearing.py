"""Conditions for clearing an application to contract, and whether a reviewer must decide."""

from collections.abc import Callable, Iterator

from django.utils.translation import gettext as _

from console.core.refusals import Blocker
from onboarding.checks import minimum
from onboarding.information.lifecycle import InformationStatus
from onboarding.information.models import InformationRequest
from onboarding.models import Application
from onboarding.tiers import Tier

ClearingCondition = Callable[[Application], Iterator[Blocker]]


def is_assessed(application: Application) -> Iterator[Blocker]:
    """Require a score, which the worker calculates within seconds of a submission."""
    if application.assessment is None:
        yield Blocker("assessment", _("The score is not ready yet. Try again in a moment."))


def is_not_knocked_out(application: Application) -> Iterator[Blocker]:
    """Block clearing after a knock-out, whatever the score."""
    for hit in application.assessment.knock_outs if application.assessment else ():
        yield Blocker(hit["effect"], f"{hit['name']}: you can only decline this application.")


def checks_are_settled(application: Application) -> Iterator[Blocker]:
    """Require every check of the submission to be passed or waived."""
    yield from minimum.blockers(application)


def nothing_is_asked(application: Application) -> Iterator[Blocker]:
    """Wait for the answers to requests for information."""
    if InformationRequest.objects.filter(application=application).open().exists():
        yield Blocker("information", _("The business has not answered our questions."))


def answers_are_accepted(application: Application) -> Iterator[Blocker]:
    """Require a reviewer to accept the answers. A reviewer who clears has read them."""
    answered = InformationRequest.objects.filter(status=InformationStatus.ANSWERED)
    if answered.filter(application=application).exists():
        yield Blocker("answers", _("A reviewer has not accepted the answers to our questions."))


CONDITIONS: tuple[ClearingCondition, ...] = (
    is_assessed,
    is_not_knocked_out,
    checks_are_settled,
    nothing_is_asked,
)


def needs_a_person(application: Application) -> Iterator[Blocker]:
    """Require a compliance reviewer for tier HIGH."""
    if tier_of(application) not in (Tier.LOW, Tier.MEDIUM):
        yield Blocker("needs_a_person", _("Tier HIGH: compliance must decide whether to continue."))


def blockers(application: Application, *, by_person: bool = True) -> list[Blocker]:
    """Return what blocks clearing, in the order a reviewer would resolve it.

    `by_person` means that a compliance reviewer decides. Without it, tier HIGH is a blocker too.
    """
    conditions = CONDITIONS if by_person else (*CONDITIONS, answers_are_accepted, needs_a_person)
    return [blocker for condition in conditions for blocker in condition(application)]


def tier_of(application: Application) -> str:
    return application.assessment.tier if application.assessment else ""
