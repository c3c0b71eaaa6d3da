"""Payments that wait for compliance, because somebody of them may be on a sanctions list."""

from datetime import timedelta

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from api.payments.lifecycle import OPEN_SCREENING, ScreeningStatus
from api.payments.models import PaymentScreening
from api.providers import configured
from console.accounts.models import User
from console.accounts.roles import Permission
from console.core import clock
from console.governance.turns import StaffTurn, TurnKind, name_of
from console.shell.modules import May

# A comparison that is impossible for this long is a concern.
_LATE = timedelta(minutes=10)
_MOST = 100


def to_decide() -> QuerySet[PaymentScreening]:
    """Return the payments about which reviewers decide."""
    return PaymentScreening.objects.filter(status__in=OPEN_SCREENING)


def waiting(_person: object, _may: May) -> QuerySet[PaymentScreening]:
    """Return what the navigation counts."""
    return to_decide()


def uncompared() -> QuerySet[PaymentScreening]:
    """Return the payments that wait because nobody could be compared for a while."""
    late = clock.now() - _LATE
    return PaymentScreening.objects.filter(ask_at__isnull=False, created_at__lt=late).exclude(
        problem=""
    )


def concerns() -> list[str]:
    """Say how many live payments wait because they cannot be screened, and why."""
    if not configured.providers():
        return []
    rows = list(uncompared().order_by("created_at")[:_MOST])
    if not rows:
        return []
    said = _("%(count)s live payments wait, because nobody can be screened: %(problem)s")
    return [said % {"count": len(rows), "problem": rows[0].problem}]


def _find(subject_id: str, person: User, _may: May) -> StaffTurn | None:
    """Return the payment as a turn of a reviewer, who did not propose to block it."""
    row = to_decide().select_related("business").filter(public_id=subject_id).first()
    if row is None or row.proposed_by_id == person.pk:
        return None
    title = _("A live payment of %(business)s may concern a sanctions list")
    if row.status == ScreeningStatus.PROPOSED:
        title = _("To block a live payment of %(business)s needs a second person")
    page = reverse("api:check_payment", args=[row.public_id])
    mark = f"{row.public_id} {row.status}"
    return StaffTurn(mark, title % {"business": name_of(row.business)}, page)


TURNS = TurnKind(
    "payments_to_check",
    events=("payment_screening.matched", "payment_screening.proposed"),
    permissions=(Permission.CHECK_DECIDE,),
    find=_find,
    lists=("payments_to_check",),
)
