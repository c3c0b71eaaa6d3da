"""The decisions about a pack, declared: words, form, verb, and when each can be made."""

from django import forms

from agreements import lookup
from agreements.approvals import approvals, countersigning
from agreements.lifecycle import LIFECYCLE, STOPPED, DecisionRole, PackStatus
from agreements.models import Pack
from agreements.packs import packs
from agreements.required_approvals import APPROVERS
from console.accounts import stepup
from console.accounts.models import User
from console.accounts.roles import Permission
from console.core.refusals import Blocker
from console.shell.forms import TextField
from onboarding.review.case_decisions import RETURN
from onboarding.review.decision_registry import CaseDecision, DecisionPage, DecisionSubject


class SignedSetForm(forms.Form):
    """A decision of one of our people, about which signed set."""

    signed_set_sha256 = forms.CharField(max_length=64, widget=forms.HiddenInput)


class ApproveForm(SignedSetForm):
    """The same, and in which capacity."""

    role = forms.TypedChoiceField(
        choices=[(role.value, role.label) for role in APPROVERS],
        coerce=DecisionRole,
        widget=forms.HiddenInput,
    )


class SendBackForm(ApproveForm):
    """What the business must change."""

    note = TextField(
        label="What must change",
        help_text="The business reads this. Name the document or the answer, and what to change.",
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 5}),
        error_messages={"required": "Say what must change. The business reads it."},
    )


class RetryForm(forms.Form):
    """Why a stopped preparation or sealing may run again, and from where."""

    anew = forms.BooleanField(
        label="Prepare every document anew",
        help_text="From today’s templates and rules, not from those it was begun with",
        required=False,
    )

    reason = TextField(
        label="What was done about the cause",
        help_text="Kept in the log, read by our staff only",
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": "Say what was done about the cause. A sentence is enough."},
    )


def _names(pack: Pack) -> dict[str, object]:
    return {
        "business": pack.business.name,
        "number": pack.number,
        "status": pack.get_status_display(),
        "failures": pack.failures,
    }


def _sends(pack: Pack, capacity: DecisionRole | None) -> dict[str, str]:
    """Return what binds a decision to what its person has seen."""
    signed_set = pack.revision.signed_set_sha256 if pack.revision else ""
    role = {"role": capacity.value} if capacity in APPROVERS else {}
    return {**role, "signed_set_sha256": signed_set}


def _approved(pack: Pack) -> str:
    last = pack.status == PackStatus.APPROVED
    more = " It was the last one: the pack can be countersigned." if last else ""
    return f"Your approval of {pack.number} is recorded.{more}"


def _cannot_countersign(pack: Pack, _: DecisionRole, person: User) -> list[Blocker]:
    return countersigning.blockers(pack, person)


PACK = DecisionSubject(
    lifecycle=LIFECYCLE,
    find=lookup.pack_to_decide,
    application=lambda pack: pack.application,
    names=_names,
    listed=("agreements:packs", "Packs"),
)
SEND_BACK = CaseDecision(
    route="agreements:send_back",
    address="send-back/",
    about=PACK,
    label="Send back",
    title="Your decision as {capacities}",
    page=DecisionPage(
        "Send {number} back",
        "{business} can change its answers again. A new version of the documents follows, to be "
        "read, signed and approved anew.",
        "Send back to the business",
    ),
    done=lambda pack: f"{pack.business.name} is asked for changes.",
    form=SendBackForm,
    sends=_sends,
    verb=approvals.send_back,
    permission=Permission.REVIEW_VIEW,
    capacities=APPROVERS,
    permissions=approvals.PERMISSIONS,
    open_in=frozenset([PackStatus.IN_APPROVAL]),
    blockers=(approvals.blockers,),
    instead_of=RETURN.route,
)
APPROVE = CaseDecision(
    route="agreements:approve",
    address="approve/",
    about=PACK,
    label="Approve as {capacity}",
    title="Your decision as {capacities}",
    done=_approved,
    form=ApproveForm,
    sends=_sends,
    verb=approvals.approve,
    permission=Permission.REVIEW_VIEW,
    capacities=APPROVERS,
    permissions=approvals.PERMISSIONS,
    open_in=frozenset([PackStatus.IN_APPROVAL]),
    blockers=(approvals.blockers,),
    kind="primary",
)
COUNTERSIGN = CaseDecision(
    route="agreements:countersign",
    address="countersign/",
    about=PACK,
    label="Countersign and seal",
    title="Your countersignature",
    done=lambda pack: f"{pack.number} is countersigned. It is being sealed now.",
    form=SignedSetForm,
    sends=_sends,
    verb=countersigning.countersign,
    permission=Permission.PACK_COUNTERSIGN,
    capacities=(DecisionRole.COUNTERSIGNATORY,),
    open_in=frozenset([PackStatus.APPROVED]),
    blockers=(_cannot_countersign,),
    kind="primary",
    step_up=stepup.SIGNING_MINUTES,
    by_code=True,
)
RETRY = CaseDecision(
    route="agreements:retry",
    address="retry/",
    about=PACK,
    label="Let it run again",
    title="{status}",
    page=DecisionPage(
        "Let {number} run again",
        "{status} after {failures} attempts. What was signed or countersigned stands; only the "
        "machine's step is repeated.",
        "Let it run again",
        template="agreements/retry.html",
    ),
    done=lambda pack: f"{pack.number} runs again.",
    form=RetryForm,
    verb=packs.retry,
    permission=Permission.PACK_OPERATE,
    open_in=frozenset(STOPPED),
    kind="primary",
    step_up=False,
)
DECISIONS = (SEND_BACK, APPROVE, COUNTERSIGN, RETRY)
