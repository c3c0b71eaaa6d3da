"""Check that each signature and decision on a pack has its file and its person's audit entry.

The rows alone prove nothing: whoever has the site's database role can insert them.
"""

from collections.abc import Iterator
from typing import Any

from agreements.models import Decision, Pack, SignatureAct
from agreements.packs import authority
from agreements.verification import assertions
from console.audit import history
from console.core import blobs, digests


def problems(pack: Pack) -> Iterator[str]:
    """Return a sentence about each one on the newest revision that was not made in the console."""
    revision = pack.revision
    assert revision is not None
    written = [digests.parse(one.body.encode()) for one in history.about([pack.public_id])]
    acts = list(SignatureAct.objects.filter(revision=revision).select_related("person"))
    if not authority.is_met(revision, [act.signer["email"] for act in acts]):
        yield f"{pack}: not everybody has signed whose signature binds the business."
    for act in acts:
        said = {"pack": pack.number, "offer_sha256": revision.offer_sha256}
        yield from _problems_of(act, said, {"act_sha256": act.act_sha256}, written)
    for decision in Decision.objects.filter(revision=revision).select_related("person"):
        both = {"role": decision.role, "verdict": decision.verdict}
        said = {"pack": pack.number, "signed_set_sha256": revision.signed_set_sha256, **both}
        told = {"decision_sha256": decision.decision_sha256, **both}
        yield from _problems_of(decision, said, told, written)


def _problems_of(
    act: SignatureAct | Decision, said: dict[str, str], told: dict[str, str], written: list[Any]
) -> Iterator[str]:
    """Compare it with its file, which says `said`, and with the log's details, which say `told`."""
    person = act.person.public_id
    try:
        file = blobs.get(next(iter(told.values())))
    except blobs.BlobDamaged as fault:
        yield f"{act}: {fault}"
        return
    body = digests.parse(file)
    if act.body.encode() != file or body["person"]["id"] != person or not _has(body, said):
        yield f"{act}: its row says something else than its file."
    for wrong in assertions.problems(body):
        yield f"{act}: {wrong}."
    if not any(one["actor"]["id"] == person and _has(one["details"], told) for one in written):
        yield f"{act}: the audit log has no entry of its person about it."


def _has(members: dict[str, Any], expected: dict[str, str]) -> bool:
    return all(members.get(name) == value for name, value in expected.items())
