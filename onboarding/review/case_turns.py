"""When a case becomes the turn of a reviewer, or a second person is asked for."""

from django.db.models import Max, Q
from django.urls import reverse
from django.utils.translation import gettext as _

from console.accounts.models import User
from console.accounts.roles import Permission
from console.governance.turns import StaffTurn, TurnKind, name_of
from console.shell.modules import May
from onboarding import application_progress, case_acts
from onboarding.evidence import authority
from onboarding.lifecycle import ACCEPTED, ApplicationStatus, Capacity, CheckStatus
from onboarding.matches.models import MatchDecision, MatchOutcome
from onboarding.models import Application, CheckWaiver
from onboarding.review import clearing


def to_review(subject_id: str, person: User, _may: May) -> StaffTurn | None:
    """Return the case in review, for its owner or all who may decide on it.

    The head of compliance hears of a case that only the head may clear, whoever owns it.
    """
    rows = Application.objects.in_review().select_related("business", "submission", "assessment")
    application = rows.filter(public_id=subject_id).first()
    if application is None or not _acts(application, person):
        return None
    if application.case_owner_id not in (None, person.pk) and not (
        case_acts.is_head(person) and clearing.concerns(application)
    ):
        return None
    due = application_progress.due(application)
    title = _("%(business)s needs a reviewer by %(date)s") % {
        "business": name_of(application.business),
        "date": f"{due:%-d %B %Y}",
    }
    mark = f"{application.public_id} {application.submission_id}"
    if application.status in ACCEPTED:
        open_again = application.checks.filter(
            status__in=(CheckStatus.FAILED, CheckStatus.NEEDS_REVIEW)
        )
        mark += f" {open_again.aggregate(at=Max('finished_at'))['at']}"
    return StaffTurn(mark, title, application.case_url)


def to_accept_authority(subject_id: str, person: User, _may: May) -> StaffTurn | None:
    """Return the case in review whose signatory has a written authority that legal must accept."""
    rows = Application.objects.in_review().select_related("business", "submission")
    application = rows.filter(public_id=subject_id, status=ApplicationStatus.SUBMITTED).first()
    if application is None or not authority.awaits_decision(application):
        return None
    if case_acts.blockers(application, Capacity.LEGAL, person):
        return None
    title = _("The signatory of %(business)s has a written authority. Accept or refuse it")
    named = {"business": name_of(application.business)}
    mark = f"{application.public_id} {application.submission_id}"
    return StaffTurn(mark, title % named, application.case_url)


def to_confirm(subject_id: str, person: User, _may: May) -> StaffTurn | None:
    """Return the proposal, of a waiver or a confirmed match, that needs a second person."""
    waivers = CheckWaiver.objects.waiting().filter(~Q(proposed_by=person), public_id=subject_id)
    waiver = waivers.select_related("waived_check__application__business").first()
    if waiver is not None:
        check, page = waiver.waived_check, "onboarding:decide_waiver"
        title = _("A waiver of a check of %(business)s needs a second person")
        path = reverse(page, args=[check.public_id])
    else:
        proposed = MatchDecision.objects.filter(
            ~Q(decided_by=person), public_id=subject_id, outcome=MatchOutcome.SAME, second_at=None
        )
        decision = proposed.select_related("match", "decided_check__application__business").first()
        if decision is None:
            return None
        check = decision.decided_check
        title = _("A confirmed match of %(business)s needs a second person")
        path = reverse("onboarding:decide_match", args=[check.public_id, decision.match.public_id])
    if not _acts(check.application, person):
        return None
    return StaffTurn(subject_id, title % {"business": name_of(check.application.business)}, path)


def _acts(application: Application, person: User) -> bool:
    return not case_acts.blockers(application, Capacity.COMPLIANCE, person)


KINDS = (
    TurnKind(
        "authorities",
        events=("application.reviewer_needed",),
        permissions=(Permission.APPROVE_LEGAL,),
        find=to_accept_authority,
        lists=("queue",),
    ),
    TurnKind(
        "cases",
        events=("application.reviewer_needed",),
        permissions=(Permission.CHECK_DECIDE,),
        find=to_review,
        lists=("queue", "sanctions"),
    ),
    TurnKind(
        "second_person",
        events=("check_waiver.proposed", "possible_match.proposed"),
        permissions=(Permission.CHECK_DECIDE,),
        find=to_confirm,
    ),
)
