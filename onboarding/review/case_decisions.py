"""The decisions about an application, declared: words, form, verb, and when each can be made."""

from collections.abc import Callable

from django.shortcuts import get_object_or_404

from console.accounts.models import User
from console.accounts.roles import Permission
from console.core.refusals import Blocker
from onboarding.lifecycle import LIFECYCLE, ApplicationStatus, Capacity
from onboarding.models import Application
from onboarding.review import clearing, decisions, forms
from onboarding.review.decision_registry import CaseDecision, DecisionPage, DecisionSubject

_COMPLIANCE = (Capacity.COMPLIANCE,)


def _find(public_id: str) -> Application:
    rows = Application.objects.seen_by_staff()
    rows = rows.select_related("business", "submission", "assessment")
    return get_object_or_404(rows, public_id=public_id)


def _done(what: str) -> Callable[[Application], str]:
    return lambda application: f"{application.business.name} {what}."


def clearing_blockers(application: Application, _: Capacity, __: User) -> list[Blocker]:
    """Return what still stands between an application and a contract, whoever asks."""
    return clearing.blockers(application)


APPLICATION = DecisionSubject(
    lifecycle=LIFECYCLE,
    find=_find,
    application=lambda application: application,
    names=lambda application: {"business": application.business.name},
    listed=("onboarding:review_queue", "Queue"),
)
DECLINE = CaseDecision(
    route="onboarding:decline",
    address="decline/",
    about=APPLICATION,
    label="Decline",
    title="The application",
    page=DecisionPage(
        "Decline: {business}",
        "The application ends here, for good. The business reads that we cannot continue, not why.",
        "Decline the application",
    ),
    done=_done("is declined"),
    form=forms.NoteForm,
    verb=decisions.decline,
    permission=Permission.APPLICATION_DECLINE,
    capacities=_COMPLIANCE,
    open_in=LIFECYCLE.before(ApplicationStatus.DECLINED),
    kind="danger",
)
HOLD = CaseDecision(
    route="onboarding:hold",
    address="hold/",
    about=APPLICATION,
    label="Put on hold",
    title="The application",
    page=DecisionPage(
        "Put on hold: {business}",
        "The review stops until somebody of compliance lets it go on. The business sees "
        "“in review”.",
        "Put on hold",
    ),
    done=_done("is on hold"),
    form=forms.NoteForm,
    verb=decisions.hold,
    permission=Permission.APPLICATION_HOLD,
    capacities=_COMPLIANCE,
    open_in=LIFECYCLE.before(ApplicationStatus.HELD),
)
RETURN = CaseDecision(
    route="onboarding:return",
    address="return/",
    about=APPLICATION,
    label="Return for changes",
    title="The application",
    page=DecisionPage(
        "Return for changes: {business}",
        "The business can change its answers again and reads what you write. A running agreement "
        "pack is set aside.",
        "Return to the business",
    ),
    done=_done("is returned to its business"),
    form=forms.ReturnForm,
    verb=decisions.return_for_changes,
    permission=Permission.APPLICATION_RETURN,
    capacities=_COMPLIANCE,
    open_in=LIFECYCLE.before(ApplicationStatus.RETURNED),
)
RELEASE = CaseDecision(
    route="onboarding:release",
    address="release/",
    about=APPLICATION,
    label="Let the review go on",
    title="The application",
    page=DecisionPage(
        "Let the review go on: {business}",
        "The hold ends, and the application is in review again. Where the business withdrew it "
        "meanwhile, it ends as withdrawn.",
        "Let it go on",
    ),
    done=lambda application: (
        f"{application.business.name}: {application.get_status_display().lower()}."
    ),
    form=forms.NoteForm,
    verb=decisions.release,
    permission=Permission.APPLICATION_HOLD,
    capacities=_COMPLIANCE,
    open_in=frozenset([ApplicationStatus.HELD]),
    kind="primary",
)
CLEAR = CaseDecision(
    route="onboarding:clear",
    address="clear/",
    about=APPLICATION,
    label="Clear to contract",
    title="The application",
    page=DecisionPage(
        "Clear {business} to contract",
        "The agreement pack is generated from the submitted answers and offered to the business.",
        "Clear to contract",
        template="onboarding/clear.html",
    ),
    done=_done("is cleared to contract"),
    verb=decisions.clear,
    permission=Permission.APPLICATION_CLEAR,
    capacities=_COMPLIANCE,
    open_in=LIFECYCLE.before(ApplicationStatus.CLEARED),
    blockers=(clearing_blockers,),
    kind="primary",
)
DECISIONS = (DECLINE, HOLD, RETURN, RELEASE, CLEAR)
