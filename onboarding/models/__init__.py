"""The tables of onboarding."""

from onboarding.models.answer import Answer
from onboarding.models.application import Application
from onboarding.models.assessment import Assessment
from onboarding.models.case_act import CaseAct, Reviewer
from onboarding.models.check import Check
from onboarding.models.submission import Submission

__all__ = ["Answer", "Application", "Assessment", "CaseAct", "Check", "Reviewer", "Submission"]
