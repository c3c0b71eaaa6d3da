"""Decisions on a signed pack that nobody made, written in SQL as the site's role."""

from typing import Any

from django.db import connection

from agreements.lifecycle import DecisionRole
from agreements.models import Pack
from agreements.packs import event_chain
from console.accounts.models import User
from console.accounts.roles import Role
from console.core import digests, ids
from tests import factories

APPROVERS = {
    DecisionRole.COMPLIANCE: Role.COMPLIANCE,
    DecisionRole.COMMERCIAL: Role.COMMERCIAL,
    DecisionRole.LEGAL: Role.LEGAL,
    DecisionRole.COUNTERSIGNATORY: Role.COUNTERSIGNATORY,
}
REVIEWER = """
INSERT INTO onboarding_reviewer (application_id, person_id, capacity, since)
VALUES (%s, %s, %s, now()) RETURNING id
"""
ACT = """
INSERT INTO onboarding_caseact (reviewer_id, kind, outcome, note, at)
VALUES (%s, %s, '', '', now())
"""
DECISION = """
INSERT INTO agreements_decision (public_id, revision_id, role, place, verdict, person_id, note,
    as_head, refused_products, signed_set_sha256, body, decision_sha256, at)
VALUES (%s, %s, %s, 1, %s, %s, '', false, '{}', %s, %s, %s, now())
"""
EVENT = "INSERT INTO agreements_packevent (pack_id, seq, body, hash) VALUES (%s, %s, %s, %s)"
STATUS = """
UPDATE agreements_pack SET status = %s, approved_at = COALESCE(approved_at, now()) WHERE id = %s
"""
ENTRY = """
INSERT INTO audit_entry (public_id, at, code, actor_id, actor_name, business_id, subject_type,
    subject_id, request_id, body) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, '', %s)
"""


def execute(statement: str, *values: Any) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchone() if "RETURNING" in statement else None


def reviewer(pack: Pack, role: DecisionRole, person: User) -> int:
    return int(execute(REVIEWER, pack.application_id, person.pk, role)[0])


def act(reviewer_id: int, role: DecisionRole) -> None:
    countersigns = role == DecisionRole.COUNTERSIGNATORY
    execute(ACT, reviewer_id, "countersign" if countersigns else "approve")


def decision(
    pack: Pack, role: DecisionRole, person: User, other: dict[str, Any] | None = None
) -> str:
    """Insert a decision and its event, and return its hash."""
    verdict = "countersigned" if role == DecisionRole.COUNTERSIGNATORY else "approved"
    said = {
        "pack": pack.number, "signed_set_sha256": factories.signed_set(pack), "role": str(role),
        "place": 1, "person": {"id": person.public_id, "name": person.name}, "verdict": verdict,
        "note": "", "time": "2026-11-28T12:00:00Z",
    } | (other or {})  # fmt: skip
    body = digests.canonical("agr.decision.v1", said)
    sha256 = digests.sha256_hex(body)
    execute(
        DECISION, ids.new("apr"), pack.revision_id, role, verdict, person.pk,
        factories.signed_set(pack), body.decode(), sha256,
    )  # fmt: skip
    end = event_chain.head(pack)
    event = digests.canonical(
        event_chain.DOMAIN,
        {
            "seq": end["count"], "prev": end["head"], "time": "2026-11-28T12:00:00Z",
            "pack": pack.public_id, "type": f"pack.decision.{verdict}", "actor": person.public_id,
            "decision_sha256": sha256,
        },
    )  # fmt: skip
    execute(EVENT, pack.pk, end["count"], event.decode(), digests.sha256_hex(event))
    return sha256


def entry(subject: Any, person: User | None, code: str, business: Any, **members: Any) -> None:
    """Insert an audit entry, as a console would write it."""
    at, public_id = "2026-11-28T12:00:00.000000+00:00", ids.new("aud")
    actor = (person.public_id, person.name) if person else ("", "The system")
    kind = type(subject).__name__.lower()
    said = {
        "id": public_id, "at": at, "code": code,
        "actor": {"id": actor[0], "name": actor[1], "roles": []},
        "business": business.public_id,
        "subject": {"type": kind, "id": subject.public_id},
        "request": {"id": "", "ip": "", "via": "system"}, "before": {}, "after": {}, "details": {},
    } | members  # fmt: skip
    body = digests.canonical("console.audit.entry.v1", said).decode()
    execute(ENTRY, public_id, at, code, *actor, business.public_id, kind, subject.public_id, body)


def decided(pack: Pack, *, entries: bool) -> None:
    """Invent every decision on a low-risk pack, up to its countersignature."""
    for role, held in APPROVERS.items():
        person = factories.one_of_staff(held)
        act(reviewer(pack, role, person), role)
        sha256 = decision(pack, role, person)
        verdict = "countersigned" if role == DecisionRole.COUNTERSIGNATORY else "approved"
        if entries:
            code = "pack.countersigned" if verdict == "countersigned" else "pack.approval_given"
            details = {"role": str(role), "verdict": verdict, "decision_sha256": sha256}
            entry(pack, person, code, pack.business, details=details)
        if role in (DecisionRole.LEGAL, DecisionRole.COUNTERSIGNATORY):
            status = "approved" if role == DecisionRole.LEGAL else "countersigning"
            execute(STATUS, status, pack.pk)
            if entries:
                entry(pack, person, f"pack.{status}", pack.business, after={"status": status})
