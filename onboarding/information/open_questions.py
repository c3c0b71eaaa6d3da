"""Which answers a business may change while an application is returned to it."""

from collections.abc import Mapping
from typing import Any

from onboarding.information.lifecycle import InformationStatus
from onboarding.information.models import CORRECT, InformationItem
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Application
from onboarding.questionnaire import answering
from onboarding.questionnaire.edition_schema import Edition


def may_change(application: Application, edition: Edition, key: str) -> bool:
    """Tell whether the business may change one answer."""
    allowed = open_keys(application, edition)
    return allowed is None or key in allowed


def open_keys(application: Application, edition: Edition) -> frozenset[str] | None:
    """Return the questions whose answers may change, or None for all.

    With pinned questions, these are open, and those that were not asked before: a corrected answer
    may lead to them.
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
    before: Mapping[str, Any] = application.submission.answers
    return frozenset(pinned | (edition.by_key.keys() - answering.visible(edition, before)))
