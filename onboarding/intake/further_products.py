"""Request further products: start a new application with the answers of the last one."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from console.accounts.models import Business, User
from console.audit import log as audit
from console.catalogue.definitions import BASE_PRODUCTS, PRODUCTS
from console.catalogue.products import approved
from console.core.refusals import NotReady
from onboarding import application_facts
from onboarding.intake import answers, applications, signatory, typed_answers
from onboarding.models import Answer, Application, Submission
from onboarding.questionnaire import form_values

CHOICE = "pr_products"


class NothingExecuted(NotReady):
    """Raised while the business's first application is not executed yet."""


@transaction.atomic
def ask(business: Business, products: Iterable[str], *, by: User) -> Application:
    """Start an application with the last answers, the approved products and these products.

    Answers that are no longer valid must be corrected before submission.
    """
    application = applications.start(business, by=by)
    former = application_facts.executed_submission(business)
    if former is None:
        raise NothingExecuted(_("Your first agreement must be executed before you add products."))
    wanted = {*approved(business), *products} - {*BASE_PRODUCTS}
    given = _said_again(former, by) | {CHOICE: [key for key in PRODUCTS if key in wanted]}
    rows = _rows(application, given, by)
    Answer.objects.bulk_create(rows)
    application.revisions |= {row.section: row.revision for row in rows}
    application.save(update_fields=["revisions"])
    audit.record(
        "application.prefilled", application, by=by,
        submission=former.public_id, products=sorted(products),
    )  # fmt: skip
    return application


def _said_again(former: Submission, by: User) -> dict[str, Any]:
    """Return the former answers. “I sign” names the former signatory, if another user asks."""
    given = dict(former.answers)
    if given.get(signatory.WHO) == signatory.ME:
        if given.get(signatory.EMAIL) != by.email:
            return given | {signatory.WHO: signatory.COLLEAGUE}
        return {key: given[key] for key in given.keys() - {signatory.NAME, signatory.EMAIL}}
    return given


def _rows(application: Application, given: dict[str, Any], by: User) -> list[Answer]:
    """Return the answers to questions of the current edition, as its form would save them."""
    drafts = [
        (section, typed_answers.read(q, form_values.shown(q, given[q.key]), given))
        for section in answers.answer_set(application).edition.sections
        for q in section.questions
        if q.key in given
    ]
    return [
        Answer(
            application=application,
            section=section.key,
            question=draft.question.key,
            revision=application.revision_of(section.key) + 1,
            value=draft.value,
            typed=draft.typed,
            by=by,
            at=application.touched_at,
        )
        for section, draft in drafts
    ]
