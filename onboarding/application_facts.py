"""An application's facts for the layers above: document facts, products and legal name."""

from console.accounts.models import Business
from console.catalogue.definitions import BASE_PRODUCTS
from onboarding.evidence import authority
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Application, Submission
from onboarding.questionnaire import document_facts
from onboarding.questionnaire.document_facts import ApplicationFacts


def submitted_facts(application: Application) -> ApplicationFacts:
    """Return the document facts of the newest submission."""
    submission = application.submission
    assert submission is not None, f"{application} was never submitted"
    facts = document_facts.facts_from(submission.answers)
    if authority.is_written(submission.answers):
        facts["signatory"]["authority_sha256"] = authority.accepted_sha256(application)
    return facts


def products(submission: Submission) -> list[str]:
    """Return the products that a submission requests, with the base products."""
    return [*BASE_PRODUCTS, *submission.answers["pr_products"]]


def executed_submission(business: Business) -> Submission | None:
    """Return the submission of a business's newest executed application, or None."""
    executed = Application.objects.of(business).filter(status=ApplicationStatus.EXECUTED)
    # With the tier of the application, which decides what is checked.
    application = executed.select_related("submission__application__assessment").first()
    return application.submission if application else None


def legal_name(business: Business) -> str:
    """Return the legal name in a business's executed application.

    Without one, return the business's name, which the business can change itself.
    """
    submission = executed_submission(business)
    return str(submission.answers["li_legal_name"]) if submission else business.name
