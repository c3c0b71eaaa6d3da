"""What our reviewers ask of a business, and which answers it may change meanwhile."""

from collections.abc import Sequence

from onboarding.information.lifecycle import InformationStatus
from onboarding.information.models import InformationItem
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Application
from onboarding.questionnaire import answering, completeness
from onboarding.questionnaire.edition_schema import Answers, Edition


def waiting(application: Application) -> list[InformationItem]:
    """Return the questions of our reviewers that wait for a reply, oldest first."""
    if application.submission_id is None:
        return []
    rows = InformationItem.objects.select_related("request", "file").filter(
        request__application=application, request__status=InformationStatus.OPEN
    )
    return [item for item in rows if not item.is_replied]


def open_keys(
    application: Application,
    edition: Edition,
    answers: Answers,
    unreadable: frozenset[str],
    asked: Sequence[InformationItem] | None = None,
) -> frozenset[str] | None:
    """Return the questions whose answers may change, or None for all.

    `asked`: what `waiting` returned, if it was read already.

    With pinned questions, these are open, and those that a corrected answer leads to: questions
    that were not asked before, and those that would prevent the submission now.
    """
    if application.status != ApplicationStatus.RETURNED or application.submission is None:
        return None
    asked = waiting(application) if asked is None else asked
    pinned = {item.question for item in asked if item.is_correction}
    if not pinned or "" in pinned:
        return None
    before: Answers = application.submission.answers
    new = edition.by_key.keys() - answering.visible(edition, before)
    preventing = {one.code for one in completeness.blockers(edition, answers, unreadable)}
    return frozenset(pinned | new | preventing)
