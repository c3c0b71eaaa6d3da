"""Models of onboarding."""

from onboarding.models.answer import Answer
from onboarding.models.application import Application
from onboarding.models.assessment import Assessment
from onboarding.models.case_act import CaseAct, Reviewer
from onboarding.models.case_note import CaseNote
from onboarding.models.check import Check
from onboarding.models.provider_outage import ProviderOutage
from onboarding.models.submission import Names, Submission
from onboarding.models.waiver import CheckWaiver

__all__ = [
    "Answer",
    "Application",
    "Assessment",
    "CaseAct",
    "CaseNote",
    "Check",
    "CheckWaiver",
    "Names",
    "ProviderOutage",
    "Reviewer",
    "Submission",
]
