"""A request for information about an answer and a file."""

from django.db import transaction

from console.accounts.roles import Role
from onboarding.evidence.models import EvidenceFile
from onboarding.information.models import InformationRequest
from onboarding.models import Application
from onboarding.review import information_requests
from onboarding.review.information_requests import Asked
from tests import factories


def a_request(application: Application) -> InformationRequest:
    """Ask about the legal name and the first file, whatever the application's status."""
    file = EvidenceFile.objects.filter(application=application).first()
    asked = Asked("explain", "Why?", "li_legal_name"), Asked("passport", "Send yours.", "", file)
    with transaction.atomic():
        by = factories.one_of_staff(Role.COMPLIANCE)
        return information_requests.create(application, asked, is_told=False, by=by)
