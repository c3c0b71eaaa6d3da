"""The example company that operates the demo, put in use by two of its staff."""

from agreements.document_templates.facts_schema import Supplier
from agreements.our_company import company_versions
from console.accounts.models import User
from console.publishing import publications
from console.publishing.models import Publication

EXAMPLE: Supplier = {
    "legal_name": "Access Console Payments Limited",
    "short_name": "Access Console Payments",
    "registration_number": "00000000",
    "country": "GB",
    "country_name": "United Kingdom",
    "address": ["1 Example Court", "London EC1A 0AA", "United Kingdom"],
    "website": "accessconsole.example",
    "notices_email": "notices@accessconsole.example",
    "privacy_email": "privacy@accessconsole.example",
    "security_email": "security@accessconsole.example",
    "support_email": "support@accessconsole.example",
}


def put_in_use(*, proposer: User, publisher: User) -> None:
    """Put the example company in use if no details are; an earlier proposal is used again."""
    if company_versions.is_in_use():
        return
    mine = Publication.objects.filter(kind=company_versions.COMPANY.key).proposed().first()
    proposal = mine or company_versions.propose(EXAMPLE, is_example=True, by=proposer)
    publications.put_in_use(proposal, by=publisher)
