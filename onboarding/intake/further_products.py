"""Ask for further products: a new application, answered as the executed one was."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from console.accounts.models import Business, User
from console.audit import log as audit
from console.catalogue.definitions import BASE_PRODUCTS, PRODUCTS
from console.catalogue.products import approved
from console.core.refusals import NotReady
from onboarding.intake import answers, applications, signatory, typed_answers
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Answer, Application, Submission
from onboarding.questionnaire import form_values

CHOICE = "pr_products"


class NothingExecuted(NotReady):
    """The first application of the business is not executed yet."""


def executed_submission(business: Business) -> Submission | None:
    """Return the answers of the newest executed application."""
    executed = Application.objects.of(business).filter(status=ApplicationStatus.EXECUTED)
    application = executed.select_related("submission__submitted_by").first()
    return application.submission if application else None


@transaction.atomic
def ask(business: Business, products: Iterable[str], *, by: User) -> Application:
    """Start an application with the last answers, and these products beside the approved ones.

    What no longer fits the questions or today's date is shown to be corrected before submission.
    """
    application = applications.start(business, by=by)
    former = executed_submission(business)
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
    """Return the former answers; “I sign” stays with the person who said it."""
    given = dict(former.answers)
    if given.get(signatory.WHO) == signatory.ME:
        if given[signatory.EMAIL] == by.email:
            del given[signatory.NAME], given[signatory.EMAIL]
        else:
            given[signatory.WHO] = signatory.COLLEAGUE
    return given


def _rows(application: Application, given: dict[str, Any], by: User) -> list[Answer]:
    """Return the answers as a form would save them, to the questions that are still asked."""
    asked = [
        (section, question)
        for section in answers.answer_set(application).edition.sections
        for question in section.questions
        if question.key in given
    ]
    drafts = [
        (section, typed_answers.read(q, form_values.shown(q, given[q.key]), given))
        for section, q in asked
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
