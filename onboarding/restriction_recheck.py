"""Ask the restricted list again, about what was submitted: at every later step."""

from console.publishing import in_use
from onboarding.models import Application
from onboarding.questionnaire import completeness, loading
from onboarding.restrictions import refusing


def require_allowed(application: Application) -> None:
    """Refuse with COMPLIANCE_BLOCKED when the list now names a country of the submission."""
    submission = application.submission
    if submission is not None:
        edition = in_use.load(loading.EDITIONS, submission.edition)
        refusing.require_none(completeness.places(edition, submission.answers))
