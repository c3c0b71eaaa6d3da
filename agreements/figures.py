"""Figures about packs and the seal."""

from collections.abc import Iterator

from django.db.models import Count

from agreements.lifecycle import PackStatus
from agreements.models import Pack, SealCheck
from console.observability.figures import Figure, age, single

# The statuses in which a pack waits for us. Few packs have them.
_OURS = (
    *(PackStatus.GENERATING, PackStatus.QUARANTINED),
    *(PackStatus.COUNTERSIGNING, PackStatus.SEAL_FAILED),
)


def read() -> Iterator[Figure]:
    rows = Pack.objects.filter(status__in=_OURS).values_list("status").annotate(Count("pk"))
    counts = {(status,): 0.0 for status in _OURS} | {(one,): float(many) for one, many in rows}
    yield Figure("packs", "Packs that wait for rendering or sealing.", counts, ("status",))
    check = SealCheck.objects.first()
    about = "Time since sealing was tried: infinite if it never was."
    yield single("seal_check_age_seconds", about, age(check.at if check else None))
    works = float(check is not None and not check.problem)
    yield single("seal_works", "1 if sealing worked at the last check, 0 before the first.", works)
