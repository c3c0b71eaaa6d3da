"""The time of each business's last activity, read from the audit log."""

from datetime import timedelta

from django.db.models import Max

from console.accounts.models import Business
from console.audit import history

# Entries become visible only on commit, so read the last minutes again.
_LATE = timedelta(minutes=5)
_AT_ONCE = 500


def note() -> None:
    """Update `active_at` of every business. Run by the scheduler."""
    last = Business.objects.aggregate(at=Max("active_at"))["at"]
    if last is None:
        return
    acts = history.last_acts(last - _LATE)
    found = list(Business.objects.filter(public_id__in=acts))
    for business in found:
        business.active_at = max(business.active_at, acts[business.public_id])
    Business.objects.bulk_update(found, ["active_at"], batch_size=_AT_ONCE)
