"""The decision bar of a case: what this person may do now, and why not where they may not."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse

from agreements.approvals import approvals, countersigning
from agreements.lifecycle import APPROVERS, BEYOND_RECALL, DecisionRole, PackStatus
from agreements.models import Pack
from agreements.sealing import self_check
from console.accounts import access
from console.accounts.models import User
from console.accounts.roles import Permission, Role
from console.core.refusals import Blocker
from onboarding.models import Application

S = PackStatus
STOPPED = (S.QUARANTINED, S.SEAL_FAILED)
# What onboarding's own pages decide: the permission, the words, the kind of button.
ACTIONS = {
    "decline": (Permission.APPLICATION_DECLINE, "Decline", "danger"),
    "hold": (Permission.APPLICATION_HOLD, "Put on hold", ""),
    "return": (Permission.APPLICATION_RETURN, "Return for changes", ""),
    "release": (Permission.APPLICATION_HOLD, "Let the review go on", "primary"),
    "clear": (Permission.APPLICATION_CLEAR, "Clear to contract", "primary"),
}


@dataclass(frozen=True)
class Action:
    """One button. With `sends` it is a form of its own; with `why` it cannot be pressed now."""

    label: str
    url: str
    kind: str = ""
    why: str = ""
    sends: tuple[tuple[str, str], ...] = ()
    is_form: bool = False


@dataclass(frozen=True)
class Bar:
    """The bar: what it is about, what to know, and its buttons."""

    title: str
    words: str
    actions: tuple[Action, ...]


def bar(
    application: Application,
    pack: Pack | None,
    person: User,
    *,
    roles: frozenset[Role],
    allowed: list[str],
    eyes: list[Blocker],
    blockers: list[Blocker],
) -> Bar | None:
    """Return the bar of this person, or nothing where their role decides nothing here.

    `eyes` says why they may not decide as compliance, `blockers` why nobody can clear yet.
    """
    own = list(_on_pack(pack, person, roles)) if pack else []
    shown = _allowed_beside(pack, allowed, sends_back=any("send-back" in a.url for a in own))
    more = [
        _on_application(application, name, eyes or (blockers if name == "clear" else []))
        for name in ACTIONS
        if _shown(name, shown, roles)
    ]
    actions = (*more, *own)
    if not actions:
        return None
    reasons = list(dict.fromkeys(action.why for action in actions if action.why))
    return Bar(_title(own, pack, roles), " ".join(reasons) or _words(pack), actions)


def capacities(pack: Pack | None, person: User, roles: frozenset[Role]) -> tuple[DecisionRole, ...]:
    """Return the capacities in which this person can decide on the pack now."""
    if pack is None or pack.status != S.IN_APPROVAL:
        return ()
    held = [role for role in APPROVERS if access.allows(roles, approvals.PERMISSIONS[role])]
    return tuple(role for role in held if not approvals.blockers(pack, role, person))


def _shown(name: str, allowed: list[str], roles: frozenset[Role]) -> bool:
    return name in allowed and access.allows(roles, ACTIONS[name][0])


def _allowed_beside(pack: Pack | None, allowed: list[str], *, sends_back: bool) -> list[str]:
    """Leave out what is too late, and the return that sending the pack back already is."""
    if pack is not None and pack.status in BEYOND_RECALL:
        return []
    return [name for name in allowed if not (sends_back and name == "return")]


def _on_application(application: Application, name: str, blockers: list[Blocker]) -> Action:
    _, label, kind = ACTIONS[name]
    why = blockers[0].message if blockers else ""
    return Action(label, reverse(f"onboarding:{name}", args=[application.public_id]), kind, why)


def _on_pack(pack: Pack, person: User, roles: frozenset[Role]) -> Iterator[Action]:
    case = [pack.application.public_id]
    if pack.status == S.IN_APPROVAL:
        for role in APPROVERS:
            if access.allows(roles, approvals.PERMISSIONS[role]):
                yield from _approving(pack, role, person)
    if pack.status == S.APPROVED and access.allows(roles, Permission.PACK_COUNTERSIGN):
        found = countersigning.blockers(pack, person)
        why = found[0].message if found else ""
        url = reverse("agreements:countersign", args=case)
        sends = (("signed_set_sha256", _signed_set(pack)),)
        yield Action("Countersign and seal", url, "primary", why, sends, is_form=True)
    if pack.status in STOPPED and access.allows(roles, Permission.PACK_OPERATE):
        yield Action("Let it run again", reverse("agreements:retry", args=case), "primary")


def _approving(pack: Pack, role: DecisionRole, person: User) -> Iterator[Action]:
    case = [pack.application.public_id]
    found = approvals.blockers(pack, role, person)
    why = found[0].message if found else ""
    sends = (("role", role.value), ("signed_set_sha256", _signed_set(pack)))
    back = reverse("agreements:send_back", args=case) + f"?role={role.value}"
    yield Action("Send back", back, "", why)
    approve = reverse("agreements:approve", args=case)
    yield Action(f"Approve as {role.label.lower()}", approve, "primary", why, sends, is_form=True)


def _signed_set(pack: Pack) -> str:
    return pack.revision.signed_set_sha256 if pack.revision else ""


def _title(own: list[Action], pack: Pack | None, roles: frozenset[Role]) -> str:
    if pack is None or not own:
        return "The application"
    if pack.status == S.APPROVED:
        return "Your countersignature"
    if pack.status in STOPPED:
        return pack.get_status_display()
    mine = [r.label.lower() for r in APPROVERS if access.allows(roles, approvals.PERMISSIONS[r])]
    return f"Your decision as {' and '.join(mine)}"


def _words(pack: Pack | None) -> str:
    if pack is None:
        return "Read the findings and the answers first. Each decision says what it does."
    if pack.status == S.IN_APPROVAL:
        return "You decide on exactly what was signed. One person decides once on a pack."
    if pack.status == S.APPROVED:
        stands = "From your press the agreement stands. A worker then seals every document."
        return f"{stands} {self_check.status()}"
    if pack.status == S.QUARANTINED:
        return (
            "Look at the cause under Agreement pack. An operator lets it run again; "
            "where an answer is the cause, compliance returns it for changes and says which."
        )
    if pack.status in STOPPED:
        return "Look at the cause under Agreement pack, then let it run again."
    return "Each decision says what it does before anything happens."
