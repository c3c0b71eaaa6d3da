"""Repeated check of a submission against the restricted list, at every later step."""

from console.publishing import in_use
from onboarding.models import Application
from onboarding.questionnaire import completeness, loading
from onboarding.restrictions import refusing


def require_allowed(application: Application) -> None:
    """Raise ComplianceBlocked if the list now contains a country of the submission."""
    submission = application.submission
    if submission is not None:
        edition = in_use.load(loading.EDITIONS, submission.edition)
        refusing.require_none(completeness.places(edition, submission.answers))
