"""What waits for staff about live's providers, and what needs their attention."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Min, Q, QuerySet
from django.utils.translation import gettext as _

from api.payments.lifecycle import InstructionStatus
from api.payments.models import ProviderBreak, ProviderInstruction
from api.providers import configured
from console.core import clock

_SILENT = Q(status=InstructionStatus.WAITING, attempts__gt=0)
# Attempts without an answer after which a notice says that the provider is silent.
_NOTED = 4
CSV = (
    *("break", "found_at", "provider", "business", "kind", "object", "currency", "says"),
    *("closed_at", "closed_by", "reason"),
)


@dataclass(frozen=True)
class ProviderState:
    """A connected provider: what it does, and how many instructions wait for it."""

    name: str
    url: str
    work: tuple[str, ...]
    waiting: int
    silent: int
    silent_since: datetime | None


def providers() -> list[ProviderState]:
    """Return every connected provider with its counts."""
    open_now = ProviderInstruction.objects.filter(ask_at__isnull=False)
    counted = open_now.values("provider").annotate(
        waiting=Count("pk"),
        silent=Count("pk", filter=_SILENT),
        since=Min("created_at", filter=_SILENT),
    )
    found: Mapping[str, Any] = {row["provider"]: row for row in counted}
    nothing = {"waiting": 0, "silent": 0, "since": None}
    return [
        ProviderState(
            one.name, one.url or one.adapter, one.work, row["waiting"], row["silent"], row["since"]
        )
        for one in configured.providers()
        for row in [found.get(one.name, nothing)]
    ]


def states(most: int) -> dict[str, int]:
    """Count the instructions without a result, each state up to `most`.

    `silent` are those whose provider has not answered several times.
    """
    rows = ProviderInstruction.objects.all()
    return {
        "waiting": rows.filter(ask_at__isnull=False)[:most].count(),
        "silent": _noted()[:most].count(),
        "stuck": stuck()[:most].count(),
    }


def _noted() -> QuerySet[ProviderInstruction]:
    """Return the instructions about which a provider is silent for longer than a moment."""
    return ProviderInstruction.objects.filter(_SILENT, attempts__gte=_NOTED, ask_at__isnull=False)


def stuck() -> QuerySet[ProviderInstruction]:
    """Return the instructions about which staff decide, oldest first."""
    found = ProviderInstruction.objects.filter(status=InstructionStatus.STUCK)
    return found.select_related("business").order_by("created_at", "pk")


def breaks() -> QuerySet[ProviderBreak]:
    """Return the open differences, oldest first."""
    found = ProviderBreak.objects.filter(closed_at=None)
    return found.select_related("business").order_by("found_at", "pk")


def waiting(_person: object, _may: object) -> QuerySet[ProviderBreak]:
    """Return what the navigation counts."""
    return ProviderBreak.objects.filter(closed_at=None)


def table(rows: Iterable[ProviderBreak]) -> Iterator[tuple[object, ...]]:
    """Yield the rows of the CSV file of all differences."""
    yield CSV
    for one in rows:
        closed_by = one.closed_by.name if one.closed_by else ""
        yield (
            *(one.public_id, clock.iso(one.found_at), one.provider, one.business.public_id),
            *(one.kind, one.object_id, one.currency, one.says),
            *(clock.iso(one.closed_at) if one.closed_at else "", closed_by, one.reason),
        )


def concerns() -> list[str]:
    """Describe silent providers, stuck instructions and open differences."""
    names = _noted().order_by("provider").values_list("provider", flat=True).distinct()
    said = [_("The provider %(name)s does not answer.") % {"name": name} for name in names]
    if count := stuck().count():
        said.append(_("%(count)s live instructions wait for a decision.") % {"count": count})
    if count := breaks().count():
        said.append(
            _("%(count)s differences between providers and our ledger are open.") % {"count": count}
        )
    return said
