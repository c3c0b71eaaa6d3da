"""Event chain of a pack: appended while the pack is locked, with its head in the manifest."""

from typing import Any

from agreements.models import Pack, PackEvent
from console.accounts.actors import Actor
from console.accounts.models import User
from console.core import clock, digests

DOMAIN = "agr.event.v1"
START = "0" * 64


def append(pack: Pack, kind: str, *, by: Actor, **details: Any) -> PackEvent:
    """Append an event. The caller must hold the pack's row lock, so that the chain cannot fork."""
    end = head(pack)
    body = digests.canonical(
        DOMAIN,
        {
            "seq": end["count"],
            "prev": end["head"],
            "time": clock.iso(clock.now()),
            "pack": pack.public_id,
            "type": kind,
            "actor": by.public_id if isinstance(by, User) else "system",
            **details,
        },
    )
    return PackEvent.objects.create(
        pack=pack, seq=end["count"], body=body.decode(), hash=digests.sha256_hex(body)
    )


def lines(pack: Pack) -> bytes:
    """Return the whole chain as `events.jsonl`, one canonical body per line."""
    bodies = PackEvent.objects.filter(pack=pack).order_by("seq").values_list("body", flat=True)
    return "".join(f"{body}\n" for body in bodies).encode()


def head(pack: Pack) -> dict[str, Any]:
    """Return the number of events and the hash of the last one."""
    last = PackEvent.objects.filter(pack=pack).order_by("-seq").first()
    return {"count": last.seq + 1 if last else 0, "head": last.hash if last else START}
