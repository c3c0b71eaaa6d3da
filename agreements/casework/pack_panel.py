"""Pack panels on the case page: milestones, documents, decisions and activity."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _

from agreements.lifecycle import (
    OFFERED,
    WITH_A_WORKER,
    DecisionKind,
    DecisionRole,
    PackStatus,
)
from agreements.models import Decision, Document, Pack, SignatureAct
from agreements.our_company import company_versions
from agreements.packs import authority, packs
from agreements.required_approvals import APPROVERS, required_approvals
from console.accounts import business_access
from console.audit import history, messages
from console.audit.history import HistoryLine
from console.catalogue.definitions import PRODUCTS
from console.catalogue.models import BusinessProduct
from console.core import pages_above
from console.core.status_table import StageState
from console.core.text import isolated
from onboarding import application_facts
from onboarding.intake import signing_authority
from onboarding.lifecycle import OPEN
from onboarding.models import Application

S = PackStatus
SYSTEM = "System"
RECENT = 12
# Left out of summaries, because the next entry says the same.
STEPS = ("check.running", "pack.signed", "pack.generated")
LONGEST = 300
BEFORE_SIGNING = (S.GENERATING, S.QUARANTINED, S.GENERATED, *OFFERED)
ICONS = {
    "application": "file-text",
    "check": "shield-check",
    "pack": "files",
    "document": "book-open-check",
}


@dataclass(frozen=True)
class CaseMilestone:
    """A milestone: who completed it, and when."""

    title: str
    state: StageState | str
    who: str = ""
    when: str = ""


@dataclass(frozen=True)
class PackHistoryItem:
    """An entry in the activity list."""

    icon: str
    actor: str
    words: str
    note: str
    at: datetime


@dataclass(frozen=True)
class PackPanel:
    """A pack with the documents, signatures and decisions of its newest revision."""

    pack: Pack
    documents: list[Document]
    acts: list[SignatureAct]
    decisions: list[Decision]

    @property
    def pages(self) -> int:
        return sum(document.pages for document in self.documents)

    @property
    def obstacle(self) -> str:
        """Why a worker cannot prepare or seal the pack, or ""."""
        if self.pack.status not in WITH_A_WORKER:
            return ""
        for blocker in business_access.blockers(self.pack.business, is_told=False):
            return blocker.message
        waits = self.pack.status == S.GENERATING and not company_versions.is_in_use()
        return company_versions.MISSING if waits else ""

    @property
    def is_signed(self) -> bool:
        """Whether enough people have signed the newest revision."""
        revision = self.pack.revision
        signed = [act.signer["email"] for act in self.acts]
        return revision is not None and bool(signed) and authority.is_met(revision, signed)

    @property
    def is_executed(self) -> bool:
        return self.pack.status == S.EXECUTED

    def of(self, role: DecisionRole) -> list[Decision]:
        return [decision for decision in self.decisions if decision.role == role]


def panel_for(pack: Pack | None) -> PackPanel | None:
    """Return a pack's panel, using three queries."""
    if pack is None:
        return None
    revision = pack.revision
    acts = SignatureAct.objects.filter(revision=revision).select_related("person")
    decided = Decision.objects.filter(revision=revision).select_related("person")
    return PackPanel(
        pack,
        packs.documents_of(pack),
        list(acts.order_by("at", "pk")) if revision else [],
        list(decided.order_by("at", "pk")) if revision else [],
    )


# Milestones ----------------------------------------------------------------------------------


def milestones(
    application: Application, panel: PackPanel | None, mine: Collection[DecisionRole] = ()
) -> list[CaseMilestone]:
    """Return the six milestones of a case; `mine` lists the approvals that the reader can give."""
    roles = [_approval(role, panel, mine) for role in APPROVERS]
    return [_submitted(application), _signed(panel), *roles, _sealed(panel)]


def _submitted(application: Application) -> CaseMilestone:
    submission = application.submission
    assert submission is not None
    if application.is_writable:
        return CaseMilestone(
            _("Submitted"), "current", _("With the business"), _("Must be submitted again")
        )
    who = submission.submitted_by.name
    return CaseMilestone(_("Submitted"), "done", who, _when(submission.submitted_at))


def _signed(panel: PackPanel | None) -> CaseMilestone:
    if panel is None:
        return CaseMilestone(_("Signed"), "locked", "", _("After clearance"))
    who = ", ".join(act.signer["name"] for act in panel.acts)
    if panel.is_signed:
        return CaseMilestone(_("Signed"), "done", who, _when(panel.acts[-1].at))
    status = panel.pack.status
    if status == S.PARTLY_SIGNED and panel.pack.revision:
        needed = authority.needed(panel.pack.revision)
        said = _("%(count)s of %(needed)s signatures") % {
            "count": len(panel.acts),
            "needed": needed,
        }
        return CaseMilestone(_("Signed"), "current", who, said)
    if status == S.QUARANTINED:
        return CaseMilestone(_("Signed"), "problem", _("Preparation stopped"))
    if status in OFFERED and authority.blockers(panel.pack):
        return CaseMilestone(_("Signed"), "problem", _("Nobody can sign it"))
    here = status in BEFORE_SIGNING
    who = _("With the business") if status in OFFERED else panel.pack.get_status_display()
    return CaseMilestone(_("Signed"), "current" if here else "todo", who)


def _approval(
    role: DecisionRole, panel: PackPanel | None, mine: Collection[DecisionRole]
) -> CaseMilestone:
    label, decided = str(role.label), panel.of(role) if panel else []
    if panel is None or not panel.is_signed:
        return CaseMilestone(label, "locked", "", _("After the signature"))
    sent_back = [one for one in decided if one.verdict == DecisionKind.RETURNED]
    if sent_back:
        return CaseMilestone(label, "problem", sent_back[0].decider["name"], _("Asked for changes"))
    needed = required_approvals(panel.pack.tier)[role]
    names = ", ".join(one.decider["name"] for one in decided)
    if len(decided) >= needed:
        return CaseMilestone(label, "done", names, _when(decided[-1].at))
    open_ = panel.pack.status == S.IN_APPROVAL and (role in mine or not mine)
    who = _("Waiting for you") if role in mine else names or _("Not decided")
    count = (
        _("%(count)s of %(needed)s given") % {"count": len(decided), "needed": needed}
        if needed > 1
        else ""
    )
    return CaseMilestone(label, "current" if open_ else "todo", who, count)


def _sealed(panel: PackPanel | None) -> CaseMilestone:
    title = _("Countersign and seal")
    status = panel.pack.status if panel else ""
    signers = panel.of(DecisionRole.COUNTERSIGNATORY) if panel else []
    who = signers[0].decider["name"] if signers else ""
    if panel is not None and panel.is_executed:
        return CaseMilestone(title, "done", who, _when(panel.pack.executed_at))
    if status == S.SEAL_FAILED:
        return CaseMilestone(title, "problem", who, _("Sealing stopped"))
    if status == S.COUNTERSIGNING:
        return CaseMilestone(title, "current", who, _("Being sealed"))
    if status == S.APPROVED:
        return CaseMilestone(title, "current", _("Not countersigned"))
    return CaseMilestone(title, "locked", "", _("After the approvals"))


def _when(at: datetime | None) -> str:
    return f"{at:%-d %b %Y, %H:%M}" if at else ""


# About the business --------------------------------------------------------------------------


def about(application: Application) -> dict[str, Any]:
    """Return the business's details as submitted, for the sidebar."""
    submission = application.submission
    assert submission is not None
    told, wanted = (
        application_facts.submitted_facts(application),
        application_facts.products(submission),
    )
    own = BusinessProduct.objects.filter(business=application.business)
    states = {row.product: row for row in own}
    return {
        "answers": submission.answers,
        "facts": told["business"],
        "signatory": told["signatory"],
        "authority": signing_authority.instruction(told["signatory"])
        if application.status in OPEN
        else "",
        "products_url": pages_above.address("products", application.business.public_id),
        "products": [(PRODUCTS[key], states.get(key)) for key in PRODUCTS if key in wanted],
    }


# Activity ------------------------------------------------------------------------------------


def names(
    application: Application, panel: PackPanel | None, checks: dict[str, str]
) -> dict[str, str]:
    """Return the public IDs whose audit entries are shown, with their display names."""
    found = {application.public_id: "the application", **checks}
    if panel is not None:
        found[panel.pack.public_id] = panel.pack.number
        found |= {document.public_id: document.title for document in panel.documents}
    return found


def happened(
    watched: dict[str, str], *, most: int = RECENT, all_reasons: bool
) -> list[PackHistoryItem]:
    """Return the activity, newest first, with one person's acceptances combined into one entry.

    `all_reasons` means that the reader may read what compliance writes.
    """
    lines = list(history.lines(history.about(watched)[:LONGEST], all_reasons=all_reasons))
    if most == RECENT:
        lines = [line for line in lines if line.code not in STEPS]
    runs = groupby(lines, key=lambda line: (line.code, line.actor, _folds(line)))
    return [_event(list(run), watched) for _key, run in runs][:most]


def _folds(line: HistoryLine) -> datetime | None:
    return None if line.code == "document.accepted" else line.at


def _event(run: list[HistoryLine], watched: dict[str, str]) -> PackHistoryItem:
    line = run[0]
    said = messages.sentence(line.code, actor=line.actor, subject=watched[line.subject_id])
    actor = isolated(line.actor)
    named = said.startswith(actor)
    words = said.removeprefix(actor).strip()
    if len(run) > 1:
        words = _("accepted %(number)s documents") % {"number": len(run)}
    kind = line.code.partition(".")[0]
    icon = "bot" if line.actor == SYSTEM else ICONS.get(kind, "circle-dot")
    return PackHistoryItem(icon, line.actor if named else "", words, _note(line), line.at)


def _note(line: HistoryLine) -> str:
    told = {**line.body["after"], **line.body["details"]}
    if "verdict" in told:
        return f"{DecisionRole(told['role']).label}: {DecisionKind(told['verdict']).label.lower()}"
    if line.code == "application.assessed":
        points = int(told["score_x100"])
        return f"Score {points // 100}.{points % 100:02}, tier {told['tier'].lower()}"
    return str(told.get("note") or told.get("reason") or "")
