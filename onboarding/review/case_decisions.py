"""Declarations of reviewers' decisions on an application: texts, form, function and conditions."""

from collections.abc import Callable
from functools import partial

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext, gettext_noop

from console.accounts.models import User
from console.accounts.roles import Permission
from console.core.refusals import Blocker
from console.core.text import isolated
from console.shell.forms import SeenForm
from onboarding.evidence import authority
from onboarding.lifecycle import LIFECYCLE, ApplicationStatus, Capacity
from onboarding.models import Application
from onboarding.review import (
    ask_form,
    authority_decisions,
    clearing,
    decisions,
    forms,
    information_requests,
    question_templates,
)
from onboarding.review.decision_registry import CaseDecision, DecisionPage, DecisionSubject


def _find(public_id: str) -> Application:
    rows = Application.objects.seen_by_staff()
    rows = rows.select_related("business", "submission", "assessment")
    return get_object_or_404(rows, public_id=public_id)


def _done(said: str) -> Callable[[Application], str]:
    return lambda application: gettext(said) % {"business": isolated(application.business.name)}


def clearing_blockers(application: Application, _: Capacity, person: User) -> list[Blocker]:
    """Return what blocks clearing an application to contract, for this reviewer."""
    return clearing.blockers(application, by=person)


def _seen(application: Application, _: Capacity | None) -> dict[str, str]:
    """Return the hidden field that binds a decision to the answers that the page showed."""
    assert application.submission is not None
    return {"seen": application.submission.public_id}


APPLICATION = DecisionSubject(
    lifecycle=LIFECYCLE,
    find=_find,
    application=lambda application: application,
    names=lambda application: {"business": isolated(application.business.name)},
    listed=("onboarding:review_queue", gettext_noop("Queue")),
)
_about_application = partial(
    CaseDecision,
    about=APPLICATION,
    title=gettext_noop("The application"),
    capacities=(Capacity.COMPLIANCE,),
    form=SeenForm,
    sends=_seen,
)
DECLINE = _about_application(
    route="onboarding:decline",
    address="decline/",
    label=gettext_noop("Decline"),
    page=DecisionPage(
        gettext_noop("Decline: {business}"),
        gettext_noop(
            "This ends the application permanently. We tell the business that we cannot "
            "continue, but not why."
        ),
        gettext_noop("Decline the application"),
    ),
    done=_done(gettext_noop("You declined the application of %(business)s.")),
    form=forms.NoteForm,
    verb=decisions.decline,
    permission=Permission.APPLICATION_DECLINE,
    open_in=LIFECYCLE.before(ApplicationStatus.DECLINED),
    kind="danger",
)
HOLD = _about_application(
    route="onboarding:hold",
    address="hold/",
    label=gettext_noop("Put on hold"),
    page=DecisionPage(
        gettext_noop("Put on hold: {business}"),
        gettext_noop(
            "The review stops until compliance continues it. The business still sees “In review”."
        ),
        gettext_noop("Put on hold"),
    ),
    done=_done(gettext_noop("You put the application of %(business)s on hold.")),
    form=forms.NoteForm,
    verb=decisions.hold,
    permission=Permission.APPLICATION_HOLD,
    open_in=LIFECYCLE.before(ApplicationStatus.HELD),
)
RETURN = _about_application(
    route="onboarding:return",
    address="return/",
    label=gettext_noop("Return for changes"),
    page=DecisionPage(
        gettext_noop("Return for changes: {business}"),
        gettext_noop(
            "The business sees what you write and can change its answers. Any open "
            "agreement pack becomes out of date."
        ),
        gettext_noop("Return to the business"),
    ),
    done=_done(gettext_noop("You returned the application to %(business)s.")),
    form=forms.ReturnForm,
    verb=decisions.return_for_changes,
    permission=Permission.APPLICATION_RETURN,
    open_in=LIFECYCLE.before(ApplicationStatus.RETURNED),
)
RELEASE = _about_application(
    route="onboarding:release",
    address="release/",
    label=gettext_noop("Continue the review"),
    page=DecisionPage(
        gettext_noop("Continue the review: {business}"),
        gettext_noop(
            "The hold ends and the application is in review again. If the business "
            "withdrew it during the hold, it ends as withdrawn."
        ),
        gettext_noop("Continue the review"),
    ),
    done=lambda application: (
        f"{application.business.name}: {application.get_status_display().lower()}."
    ),
    form=forms.NoteForm,
    verb=decisions.release,
    permission=Permission.APPLICATION_HOLD,
    open_in=frozenset([ApplicationStatus.HELD]),
    kind="primary",
)
CLEAR = _about_application(
    route="onboarding:clear",
    address="clear/",
    label=gettext_noop("Clear to contract"),
    page=DecisionPage(
        gettext_noop("Clear {business} to contract"),
        gettext_noop(
            "We prepare the agreement pack from the submitted answers and offer it to the business."
        ),
        gettext_noop("Clear to contract"),
        template="onboarding/clear.html",
    ),
    done=_done(gettext_noop("You cleared %(business)s to contract.")),
    form=forms.ClearForm,
    form_needs=lambda application: {"application": application},
    verb=decisions.clear,
    permission=Permission.APPLICATION_CLEAR,
    open_in=LIFECYCLE.before(ApplicationStatus.CLEARED),
    blockers=(clearing_blockers,),
    kind="primary",
)
ASK = _about_application(
    route="onboarding:ask",
    address="ask/",
    label=gettext_noop("Ask for information"),
    page=DecisionPage(
        gettext_noop("Ask {business} for information"),
        gettext_noop(
            "The business gets one e-mail and sees your questions. It can change only the answers "
            "that you ask it to correct, and the application then returns to it. Other questions "
            "leave the review and the agreement pack as they are."
        ),
        gettext_noop("Send the questions"),
        template="onboarding/ask.html",
        shows=lambda application: {"templates": question_templates.every().values()},
    ),
    done=_done(gettext_noop("You sent your questions to %(business)s.")),
    form=ask_form.AskForm,
    form_needs=lambda application: {"application": application},
    fills=lambda asked: question_templates.initial(asked.getlist("template"), ask_form.MOST),
    verb=information_requests.ask,
    permission=Permission.APPLICATION_RETURN,
    open_in=information_requests.OPEN_IN,
)
AUTHORITY = _about_application(
    route="onboarding:decide_authority",
    address="authority/",
    label=gettext_noop("Decide on the authority"),
    title=gettext_noop("The authority to sign"),
    page=DecisionPage(
        gettext_noop("The signatory's authority: {business}"),
        gettext_noop(
            "The answers say that the signatory has a written authority, such as a board "
            "resolution. Nobody can sign before you accept it. Its fingerprint is in the pack and "
            "in the signature."
        ),
        gettext_noop("Save the decision"),
        template="onboarding/decide_authority.html",
        shows=lambda application: {"files": authority.files_of(application)},
    ),
    done=_done(gettext_noop("Your decision on the authority for %(business)s is saved.")),
    form=forms.AuthorityForm,
    form_needs=lambda application: {"application": application},
    verb=authority_decisions.decide,
    permission=Permission.APPROVE_LEGAL,
    capacities=(Capacity.LEGAL,),
    open_in=frozenset([ApplicationStatus.SUBMITTED]),
    blockers=(authority_decisions.blockers,),
    applies=authority_decisions.is_asked,
    kind="primary",
)
DECISIONS = (DECLINE, HOLD, RETURN, ASK, RELEASE, CLEAR, AUTHORITY)
