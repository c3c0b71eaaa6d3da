"""Demo data with an attack in every field that people can fill, up to the executed pack."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import cycle, islice
from typing import Any

from agreements.lifecycle import PackStatus
from agreements.models import Pack
from agreements.packs import packs
from apikeys.keys import keys
from apikeys.models import Grant
from console.accounts import members
from console.accounts.actors import SYSTEM
from console.accounts.models import Business
from console.accounts.roles import Role
from console.core import clock
from onboarding.intake import applications
from onboarding.models import Application
from onboarding.questionnaire import loading
from onboarding.questionnaire.edition_schema import Question, QuestionKind
from onboarding.review import decisions
from tests import factories
from tests.browser_runs.payloads import MARK, PAYLOADS
from tests.onboarding import answered

# The only special characters allowed in an e-mail address.
ADDRESS = f"{MARK}'onfocus=alert@example.com"
WRITTEN = (QuestionKind.TEXT, QuestionKind.LONG_TEXT)
# These determine the review's outcome, or must be known to the simulated register.
LEFT = {"li_legal_name", "li_registration_number", "ow_signatory_name"}
ALSO = {"li_trading_name": "", "ri_anything": ""}


def an_attacked_tenant(shift: int) -> tuple[Pack, dict[str, Any]]:
    """Return a business with attacks in every field; another `shift` distributes them anew."""
    texts = islice(cycle(PAYLOADS), shift, None)
    owner, member = factories.a_person(next(texts)), factories.a_person(next(texts))
    business = factories.a_business(next(texts), owner=owner)
    invitation = members.invite(business, email=ADDRESS, role=Role.VIEWER, by=owner)
    factories.join(business, member, Role.DEVELOPER)
    pack = factories.walked(
        packs.prepare(_cleared(business, texts), by=SYSTEM), PackStatus.IN_APPROVAL
    )
    factories.approve(pack, texts)
    pack = factories.walked(factories.fresh_pack(pack), PackStatus.EXECUTED)
    factories.settle()
    grant = Grant.objects.get(business=business, environment="sandbox")
    ends = clock.now() + timedelta(days=30)
    key, _ = keys.issue(grant, name=next(texts), scopes=grant.scopes(), expires_at=ends, by=owner)
    return pack, {
        "business_id": business.public_id,
        "application_id": pack.application.public_id,
        "document_id": packs.documents_of(pack)[0].public_id,
        "number": pack.number,
        "key_id": key.public_id,
        "invitation_id": invitation.public_id,
        "person_id": member.public_id,
        "accounts:invitation": {"token": members.invitation_token(invitation)},
    }


def _cleared(business: Business, texts: Iterator[str]) -> Application:
    """Return the application, sent back once with an attack as the reason."""
    owner = factories.owner_of(business)
    answers = attacks(texts) | {
        "ow_signatory_name": owner.name,
        "ow_signatory_email": owner.email,
    }
    application = factories.filled(applications.start(business, by=owner), **answers)
    application = applications.submit(application, declared=True, by=owner)
    reviewer = factories.one_of_staff(Role.COMPLIANCE)
    decisions.return_for_changes(factories.fresh(application), note=next(texts), by=reviewer)
    application = applications.submit(factories.fresh(application), declared=True, by=owner)
    return factories.cleared(application)


def attacks(texts: Iterator[str]) -> dict[str, Any]:
    """Return an attack for every text answer and every text cell of a table."""
    asked = answered.KIOSK | answered.HIGH | ALSO
    found: dict[str, Any] = dict(answered.HIGH)
    for question in questions():
        if question.kind in WRITTEN and question.key in asked.keys() - LEFT:
            found[question.key] = long_enough(question, next(texts))
        elif question.kind == QuestionKind.ROWS and question.key in asked:
            cells = [column.key for column in question.columns if column.kind in WRITTEN]
            rows = asked[question.key]
            found[question.key] = [row | {cell: next(texts) for cell in cells} for row in rows]
        elif question.kind == QuestionKind.OWNERSHIP:
            rows = asked[question.key]
            found[question.key] = [row | {"name": next(texts), "human": "yes"} for row in rows]
    return found


def questions() -> list[Question]:
    return [
        question for section in loading.EDITIONS.newest().sections for question in section.questions
    ]


def long_enough(question: Question, text: str) -> str:
    least = question.at_least if isinstance(question.at_least, int) else 0
    return text + " and so on" * (least // 10)
