"""Which answers a business may change while an application is returned to it."""

from onboarding.information.lifecycle import InformationStatus
from onboarding.information.models import CORRECT, InformationItem
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Application
from onboarding.questionnaire import answering, completeness
from onboarding.questionnaire.edition_schema import Answers, Edition


def open_keys(
    application: Application, edition: Edition, answers: Answers, unreadable: frozenset[str]
) -> frozenset[str] | None:
    """Return the questions whose answers may change, or None for all.

    With pinned questions, these are open, and those that a corrected answer leads to: questions
    that were not asked before, and those that would prevent the submission now.
    """
    if application.status != ApplicationStatus.RETURNED or application.submission is None:
        return None
    pinned = set(
        InformationItem.objects.filter(
            request__application=application,
            request__status=InformationStatus.OPEN,
            need=CORRECT,
            replied_at=None,
        ).values_list("question", flat=True)
    )
    if not pinned or "" in pinned:
        return None
    before: Answers = application.submission.answers
    new = edition.by_key.keys() - answering.visible(edition, before)
    preventing = {one.code for one in completeness.blockers(edition, answers, unreadable)}
    return frozenset(pinned | new | preventing)
