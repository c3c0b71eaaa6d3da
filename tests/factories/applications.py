"""Factories for applications, and helpers that process their queued work."""

from functools import cache
from typing import Any

from console.accounts.actors import SYSTEM
from console.accounts.models import Business, User
from console.accounts.roles import Role
from console.core import clock
from console.events import outbox
from console.events.models import EventDelivery
from onboarding.checks import runs
from onboarding.evidence import files, inspection
from onboarding.evidence.models import EvidenceFile
from onboarding.intake import answers as answering
from onboarding.intake import applications
from onboarding.intake.merging import OpenPage
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Answer, Application
from onboarding.questionnaire import loading
from onboarding.review import decisions, event_handlers
from tests.factories.people import a_business, one_of_staff, owner_of
from tests.onboarding import answered
from tests.onboarding.evidence import documents

# Why a case that gives concerns is accepted.
ACCEPTED = "We know the source of the income."


def settle() -> None:
    """Process all queued work synchronously."""
    outbox.settle()


def an_application(
    at: str = ApplicationStatus.DRAFT, *, business: Business | None = None, **changes: Any
) -> Application:
    """Return an application in that status, brought there by the real verbs.

    `changes` override answers of a low-risk business (`tests.onboarding.answered`). With status
    SUBMITTED no check has run yet; use `a_reviewed_application` for that.
    """
    business = business or a_business("Kettle & Kiosk")
    owner = owner_of(business)
    application = applications.start(business, by=owner)
    if at == ApplicationStatus.DRAFT:
        return application
    application = filled(application, **changes)
    if at == "answered":
        return application
    if at == ApplicationStatus.WITHDRAWN:
        return applications.withdraw(application, by=owner)
    application = applications.submit(application, declared=True, by=owner)
    return application if at == ApplicationStatus.SUBMITTED else _decided(application, at)


def a_reviewed_application(**changes: Any) -> Application:
    """Return a submitted application whose checks have run and which has been scored."""
    application = an_application(ApplicationStatus.SUBMITTED, **changes)
    settle_reviews()
    return fresh(application)


def settle_reviews() -> None:
    """Process queued checks, scoring and clearing, without rendering documents."""
    waiting = EventDelivery.objects.waiting().filter(listener="onboarding.review")
    while pks := list(waiting.order_by("pk").values_list("pk", flat=True)):
        assert all(outbox.handle(pk) for pk in pks), "A review failed; see the log."


# Cache of saved answers, by edition and changes.
_answers: dict[str, list[Answer]] = {}
_COPIED = ("section", "question", "revision", "value", "typed")


def filled(application: Application, **changes: Any) -> Application:
    """Return the application with every section answered, from the cache where possible.

    Answers copied from the cache leave no audit log entries about the sections.
    """
    key = f"{application.edition} {sorted(changes.items())}"
    if application.revisions:
        return _filled_by_pages(application, changes)
    if key not in _answers:
        application = _filled_by_pages(application, changes)
        _answers[key] = list(Answer.objects.of(application))
        return application
    by, at = owner_of(application.business), clock.now()
    Answer.objects.bulk_create(
        Answer(application=application, by=by, at=at, **{one: getattr(row, one) for one in _COPIED})
        for row in _answers[key]
    )
    application.revisions = {row.section: row.revision for row in _answers[key]}
    application.touched_at = at
    application.save(update_fields=["revisions", "touched_at"])
    return application


def _filled_by_pages(application: Application, changes: dict[str, Any]) -> Application:
    typed, owner = answered.answers(**changes), owner_of(application.business)
    for section in loading.EDITIONS.load(application.edition).sections:
        mine = {q.key: typed[q.key] for q in section.questions if q.key in typed}
        page = OpenPage(application.revision_of(section.key))
        saving = answering.save_section(application, section.key, mine, page=page, by=owner)
        assert not saving.problems, saving.problems
        application = saving.application
    return application


def fresh(application: Application) -> Application:
    """Reload the application with its business, submission and assessment."""
    rows = Application.objects.select_related("business", "submission", "assessment")
    return rows.get(pk=application.pk)


def cleared(application: Application) -> Application:
    """Check, score and clear the application, and return it."""
    assert application.submission is not None
    runs.run_all(application.submission)
    application = event_handlers.go_on(application)
    if application.status == ApplicationStatus.SUBMITTED:
        application = clear(application)
    return fresh(application)


def clear(application: Application, *, by: User | None = None) -> Application:
    """Clear the application with a reason and evidence, by default as head of compliance."""
    by = by or one_of_staff(Role.HEAD_OF_COMPLIANCE)
    return decisions.clear(application, note=ACCEPTED, evidence=evidence_of(application), by=by)


def evidence_of(application: Application) -> list[EvidenceFile]:
    """Return the application's evidence files, after an upload if it has none."""
    stored = EvidenceFile.objects.of(application).stored()
    if not stored:
        # Inspecting starts a process, once for all tests.
        data = documents.a_pdf()
        files._keep(
            application, _inspected(data), name="income.pdf", kind="other", scanned_at=None,
            by=owner_of(application.business),
        )  # fmt: skip
    return list(stored.all())


def an_evidence_file(application: Application, *, kind: str, name: str) -> EvidenceFile:
    """Upload a PDF of this kind as the owner."""
    return files._keep(
        application, _inspected(documents.a_pdf()), name=name, kind=kind, scanned_at=None,
        by=owner_of(application.business),
    )  # fmt: skip


_inspected = cache(inspection.inspect)


def clearing_form(application: Application) -> dict[str, Any]:
    """Return what the head of compliance sends to clear an application that gives concerns."""
    named = [file.public_id for file in evidence_of(application)]
    return {"note": ACCEPTED, "evidence": named}


def _decided(application: Application, at: str) -> Application:
    if at in (ApplicationStatus.CLEARED, ApplicationStatus.EXECUTED):
        settle_reviews()
        application = fresh(application)
        executed = at == ApplicationStatus.EXECUTED
        return applications.mark_executed(application, by=SYSTEM) if executed else application
    verb = {
        ApplicationStatus.RETURNED: decisions.return_for_changes,
        ApplicationStatus.HELD: decisions.hold,
        ApplicationStatus.DECLINED: decisions.decline,
    }[ApplicationStatus(at)]
    reviewer = one_of_staff(Role.COMPLIANCE)
    return verb(application, note="Please look at the owners again.", by=reviewer)
