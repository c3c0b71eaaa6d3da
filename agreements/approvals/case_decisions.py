"""Declarations of the decisions on a pack: labels, form, handler, and when each is available."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from agreements import lookup
from agreements.approvals import approvals, binding_terms, countersigning
from agreements.approvals.forms import (
    ApproveForm,
    ApproveProductsForm,
    RetryForm,
    SendBackForm,
    SignedSetForm,
)
from agreements.lifecycle import LIFECYCLE, STOPPED, DecisionRole, PackStatus
from agreements.models import Pack
from agreements.packs import packs
from agreements.required_approvals import APPROVERS
from console.accounts import business_access
from console.accounts.act_proofs import Act
from console.accounts.models import User
from console.accounts.roles import Permission
from console.core.refusals import Blocker
from console.core.text import isolated
from onboarding.review.case_decisions import RETURN
from onboarding.review.decision_registry import CaseDecision, DecisionPage, DecisionSubject


def _names(pack: Pack) -> dict[str, object]:
    return {
        "business": pack.business.name,
        "number": pack.number,
        "status": pack.get_status_display(),
        "failures": pack.failures,
    }


def _sends(pack: Pack, capacity: DecisionRole | None) -> dict[str, str]:
    """Return the hidden fields that bind a decision to what the person has seen."""
    signed_set = pack.revision.signed_set_sha256 if pack.revision else ""
    role = {"role": capacity.value} if capacity in APPROVERS else {}
    return {**role, "signed_set_sha256": signed_set}


def _approves(pack: Pack, role: DecisionRole, fields: dict[str, Any]) -> Act:
    return approvals.act_of(
        pack,
        role,
        signed_set_sha256=fields["signed_set_sha256"],
        refused=fields.get("refused", approvals.NONE_REFUSED),
    )


def _countersigns(pack: Pack, _role: DecisionRole, fields: dict[str, Any]) -> Act:
    return countersigning.act_of(pack, signed_set_sha256=fields["signed_set_sha256"])


def _products(pack: Pack) -> dict[str, list[str]]:
    """Return the arguments of commercial's form: the products of the revision."""
    return {"products": list(pack.revision.products) if pack.revision else []}


def _approved(pack: Pack) -> str:
    last = pack.status == PackStatus.APPROVED
    more = _(" All approvals are given, so the pack is ready to be countersigned.") if last else ""
    return _("Your approval of %(number)s is saved.%(more)s") % {
        "number": pack.number,
        "more": more,
    }


def _cannot_countersign(pack: Pack, _role: DecisionRole, person: User) -> list[Blocker]:
    return countersigning.blockers(pack, person)


def _cannot_retry(pack: Pack, _role: DecisionRole | None, _person: User) -> list[Blocker]:
    return business_access.blockers(pack.business, is_told=False)


PACK = DecisionSubject(
    lifecycle=LIFECYCLE,
    find=lookup.pack_to_decide,
    application=lambda pack: pack.application,
    names=_names,
    listed=("agreements:packs", gettext_noop("Packs")),
)
SEND_BACK = CaseDecision(
    route="agreements:send_back",
    address="send-back/",
    about=PACK,
    label=gettext_noop("Send back"),
    title=gettext_noop("Your decision as {capacities}"),
    page=DecisionPage(
        gettext_noop("Send {number} back"),
        gettext_noop(
            "{business} can change its answers. We then prepare a new version of the "
            "documents, which must be read, signed and approved again."
        ),
        gettext_noop("Send back to the business"),
    ),
    done=lambda pack: _("You asked %(name)s for changes.") % {"name": isolated(pack.business.name)},
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
    label=gettext_noop("Approve as {capacity}"),
    title=gettext_noop("Your decision as {capacities}"),
    done=_approved,
    form=ApproveForm,
    page=DecisionPage(
        gettext_noop("Approve {number} as {capacity}"),
        gettext_noop(
            "Your approval is bound to the fingerprint of what {business} signed. You cannot take "
            "it back."
        ),
        gettext_noop("Approve as {capacity}"),
        template="agreements/approve.html",
        shows=binding_terms.terms_of,
    ),
    sends=_sends,
    proves=_approves,
    step_up=False,
    verb=approvals.approve,
    permission=Permission.REVIEW_VIEW,
    capacities=tuple(role for role in APPROVERS if role != DecisionRole.COMMERCIAL),
    permissions=approvals.PERMISSIONS,
    open_in=frozenset([PackStatus.IN_APPROVAL]),
    blockers=(approvals.approval_blockers,),
    kind="primary",
)
APPROVE_PRODUCTS = CaseDecision(
    route="agreements:approve_products",
    address="approve-products/",
    about=PACK,
    label=gettext_noop("Approve as commercial"),
    title=gettext_noop("Your decision as {capacities}"),
    page=DecisionPage(
        gettext_noop("Approve {number}, product by product"),
        gettext_noop(
            "To refuse a product, untick it and give a reason, which {business} sees. "
            "The ticked products are approved when the pack is executed."
        ),
        gettext_noop("Approve as commercial"),
        template="agreements/approve_products.html",
    ),
    done=_approved,
    form=ApproveProductsForm,
    form_needs=_products,
    sends=_sends,
    proves=_approves,
    step_up=False,
    verb=approvals.approve,
    permission=Permission.APPROVE_COMMERCIAL,
    capacities=(DecisionRole.COMMERCIAL,),
    open_in=frozenset([PackStatus.IN_APPROVAL]),
    blockers=(approvals.approval_blockers,),
    kind="primary",
)
COUNTERSIGN = CaseDecision(
    route="agreements:countersign",
    address="countersign/",
    about=PACK,
    label=gettext_noop("Countersign and seal"),
    title=gettext_noop("Your countersignature"),
    page=DecisionPage(
        gettext_noop("Countersign {number} with {business}"),
        gettext_noop(
            "Your countersignature binds our company to what you see here. We then seal every "
            "document. You cannot take it back."
        ),
        gettext_noop("Countersign and seal"),
        template="agreements/countersign.html",
        shows=binding_terms.terms_of,
    ),
    done=lambda pack: (
        _("You countersigned %(number)s. We are sealing it now.") % {"number": pack.number}
    ),
    form=SignedSetForm,
    sends=_sends,
    verb=countersigning.countersign,
    permission=Permission.PACK_COUNTERSIGN,
    capacities=(DecisionRole.COUNTERSIGNATORY,),
    open_in=frozenset([PackStatus.APPROVED]),
    blockers=(_cannot_countersign,),
    kind="primary",
    proves=_countersigns,
    step_up=False,
)
RETRY = CaseDecision(
    route="agreements:retry",
    address="retry/",
    about=PACK,
    label=gettext_noop("Retry"),
    title="{status}",
    page=DecisionPage(
        gettext_noop("Retry {number}"),
        gettext_noop(
            "{status} after {failures} attempts. Signatures and countersignatures stay "
            "valid. We repeat only the automatic step."
        ),
        gettext_noop("Retry"),
        template="agreements/retry.html",
    ),
    done=lambda pack: _("%(number)s: we are trying again.") % {"number": pack.number},
    form=RetryForm,
    verb=packs.retry,
    permission=Permission.PACK_OPERATE,
    open_in=frozenset(STOPPED),
    blockers=(_cannot_retry,),
    kind="primary",
    step_up=False,
)
DECISIONS = (SEND_BACK, APPROVE, APPROVE_PRODUCTS, COUNTERSIGN, RETRY)
# Decisions that approve a pack, each with its own capacities.
APPROVALS = (APPROVE, APPROVE_PRODUCTS)
