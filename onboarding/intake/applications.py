"""Actions on an application: start, submit, invite the signatory, withdraw, expire and more."""

from datetime import timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from console.accounts import access, business_access
from console.accounts.actors import SYSTEM, Actor
from console.accounts.models import Business, User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.core import clock, digests
from console.core.refusals import NotReady, Refused, Stale
from console.core.text import isolated
from console.publishing import in_use
from onboarding.intake import answers, signatory
from onboarding.intake.answer_set import AnswerSet
from onboarding.intake.application_moves import move
from onboarding.lifecycle import LIFECYCLE, OPEN, ApplicationStatus
from onboarding.models import Application, Submission
from onboarding.questionnaire import answering, completeness, loading, register_entry
from onboarding.restrictions import refusing

SUBMISSION = "onboarding.submission.v1"
FORGOTTEN_AFTER = timedelta(days=90)


class AlreadyOpen(Refused):
    """A business can have only one open application."""

    code = "already_open"


class CannotSubmit(NotReady):
    """The questionnaire is incomplete."""


class NotDeclared(NotReady):
    """The declaration that the answers are true is not ticked."""


class NotForgotten(NotReady):
    """The business has changed the application recently."""


class NobodyToInvite(Refused):
    """No signatory is named, or none needs an invitation."""

    code = "nobody_to_invite"


@transaction.atomic
def start(business: Business, *, by: User) -> Application:
    """Start an application for a business, with the edition in use."""
    business = Business.objects.locked(business)
    access.require(by, Permission.APPLICATION_ANSWER, business)
    business_access.require(business)
    if Application.objects.of(business).filter(status__in=OPEN, withdrawn_at=None).exists():
        raise AlreadyOpen(_("This business already has an application. Continue with that one."))

    edition = in_use.current(loading.EDITIONS)
    application = Application.objects.create(business=business, edition=edition.version)
    audit.record("application.started", application, by=by, edition=application.edition)
    return application


@transaction.atomic
def submit(application: Application, *, declared: bool, seen: str = "", by: User) -> Application:
    """Submit a complete questionnaire for review, and freeze its answers.

    `seen` is `Application.saves` as the page showed it. Raises Stale if it has changed.
    """
    application = Application.objects.locked(application)
    access.require(by, Permission.APPLICATION_SUBMIT, application.business)
    LIFECYCLE.check(application.status, ApplicationStatus.SUBMITTED)
    business_access.require(application.business)
    if seen not in ("", application.saves):
        raise Stale(_("Somebody changed an answer after you opened this page."))
    given = answers.answer_set(application)
    refusing.require_none(completeness.places(given.edition, given.values))
    missing = completeness.blockers(given.edition, given.values, given.unreadable)
    if blockers := [*missing, *signatory.blockers(application, given)]:
        raise CannotSubmit(_("The questionnaire is not complete."), blockers=blockers)
    if not declared:
        raise NotDeclared(_("Tick the box to confirm that the answers are true."))

    frozen = _freeze(application, given, by=by)
    application.submission = frozen
    application.assessment = None
    application.submitted_at = frozen.submitted_at
    application.decided_at = application.released_at = None
    application.message = ""
    signatory.keep_invited(application, given, inviter=by, by=by)
    return move(application, ApplicationStatus.SUBMITTED, by=by, sha256=frozen.submission_sha256)


@transaction.atomic
def invite_signatory(application: Application, *, email: str = "", by: User) -> Application:
    """Send a signatory's invitation now, or again. Without an address, to the first of them."""
    application = Application.objects.locked(application)
    access.require(by, Permission.APPLICATION_SUBMIT, application.business)
    if application.told_status not in OPEN:
        said = application.told_status.label.lower()
        raise NobodyToInvite(
            _("This application is %(said)s, so there is nothing to sign.") % {"said": said}
        )
    people = signatory.everyone(answers.newest(application))
    who = next((one for one in people if email in ("", one.email)), None)
    if who is None:
        raise NobodyToInvite(_("Name the signatory in “Ownership” first."))
    if not signatory.invite(application, who, inviter=by, by=by):
        raise NobodyToInvite(
            _("%(name)s can already sign and does not need an invitation.")
            % {"name": isolated(who.name)}
        )
    return application


@transaction.atomic
def keep_signatory_invited(application: Application, *, by: Actor) -> Application:
    """Renew the invitations to sign that have expired."""
    application = Application.objects.locked(application)
    if application.submission and application.told_status in OPEN:
        inviter, given = application.submission.submitted_by, answers.newest(application)
        signatory.keep_invited(application, given, inviter=inviter, by=by)
    return application


@transaction.atomic
def withdraw(application: Application, *, by: User) -> Application:
    """Withdraw the application. Its answers are kept.

    The business must not learn of a hold. A held application is withdrawn at once for the business,
    and for our reviewers when they end the hold.
    """
    application = Application.objects.locked(application)
    access.require(by, Permission.APPLICATION_SUBMIT, application.business)
    LIFECYCLE.check(application.told_status, ApplicationStatus.WITHDRAWN)
    application.withdrawn_at = clock.now()
    return move(application, ApplicationStatus.WITHDRAWN, by=by)


@transaction.atomic
def mark_executed(application: Application, *, by: Actor) -> Application:
    """Record that the agreement pack of a cleared application is executed."""
    application = Application.objects.locked(application)
    return move(application, ApplicationStatus.EXECUTED, by=by)


@transaction.atomic
def expire(application: Application, *, by: Actor) -> Application:
    """Close an application that its business has not changed for a long time."""
    application = Application.objects.locked(application)
    if not Application.objects.forgotten(clock.now() - FORGOTTEN_AFTER).contains(application):
        raise NotForgotten(_("The business changed this application recently."))
    return move(application, ApplicationStatus.EXPIRED, by=by)


def expire_forgotten() -> None:
    """Close every application that its business has not changed for a long time. Scheduled."""
    for application in Application.objects.forgotten(clock.now() - FORGOTTEN_AFTER)[:100]:
        expire(application, by=SYSTEM)


def _freeze(application: Application, given: AnswerSet, *, by: User) -> Submission:
    applicable = answering.applicable(given.edition, given.values)
    body = {
        "edition": {"version": given.edition.version, "sha256": given.edition.sha256},
        "answers": (
            applicable | signatory.completed(given) | register_entry.as_registered(applicable)
        ),
    }
    canonical = digests.canonical(SUBMISSION, body)
    return Submission.objects.create(
        application=application,
        number=application.submissions.count() + 1,
        edition=given.edition.version,
        body=canonical.decode(),
        submission_sha256=digests.sha256_hex(canonical),
        left_out=answering.left_out(given.edition, given.values),
        restricted_list=refusing.current().version,
        declaration=given.edition.declaration,
        submitted_by=by,
        submitted_at=clock.now(),
    )
