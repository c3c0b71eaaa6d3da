"""When a business becomes the turn of its account manager: it waits for us, or is stuck."""

from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from agreements.lifecycle import STOPPED
from agreements.models import Pack
from apikeys.models.staged_business import BusinessStage
from apikeys.register import business_register
from console.accounts.lifecycle import Access
from console.accounts.models import User
from console.accounts.roles import Permission
from console.core import clock
from console.events import outbox as events
from console.events.models import Event
from console.governance.turns import StaffTurn, TurnKind, name_of
from console.shell.modules import May
from onboarding.models import Application

STALLED = "business.stalled"


def find(subject_id: str, person: User, _may: May) -> StaffTurn | None:
    """Return the business of this account manager, named by its own, its case's or pack's id."""
    owned: tuple[QuerySet[Any], ...] = (Application.objects.all(), Pack.objects.all())
    for rows in owned:
        about = rows.filter(public_id=subject_id).values_list("business__public_id", flat=True)
        subject_id = about.first() or subject_id
    found = business_register.one(subject_id)
    business = found.filter(account_manager=person, status=Access.ACTIVE).first()
    if business is None or (said := _state(business)) is None:
        return None
    mark, title = said
    path = reverse("apikeys:business", args=[business.public_id])
    names = {"business": name_of(business), "days": business_register.STALLED_DAYS}
    return StaffTurn(f"{business.public_id} {mark}", title % names, path)


def _state(business: Any) -> tuple[str, str] | None:
    """Return why a business needs its account manager now: a mark and a title."""
    pack = Pack.objects.of(business).order_by("-pk").first()
    if pack is not None and pack.status in STOPPED:
        return f"{pack.public_id} {pack.events.count()}", _(
            "%(business)s is stuck: its agreement has stopped"
        )
    if business_register.is_stalled(business):
        return f"{STALLED} {clock.iso(business.active_at)}", _(
            "%(business)s is stuck: nothing has happened for %(days)s days"
        )
    if business.stage == BusinessStage.APPROVAL and pack is not None:
        return f"{pack.public_id} {pack.revision_id}", _(
            "%(business)s waits for us: its agreement is with our approvers"
        )
    if business.stage == BusinessStage.REVIEW:
        newest = Application.objects.of(business).first()
        return f"{newest and newest.submission_id}", _("%(business)s waits for us: it is in review")
    return None


def note_stalled() -> None:
    """Publish each business with an account manager that has stalled, once. Run nightly."""
    known = Event.objects.filter(
        kind=STALLED, subject_id=OuterRef("public_id"), happened_at__gt=OuterRef("active_at")
    )
    rows = business_register.stalled().exclude(account_manager=None).filter(~Exists(known))
    for business in rows.order_by("pk"):
        with transaction.atomic():
            events.publish("business.stalled", business)


KIND = TurnKind(
    "accounts",
    events=(
        "application.reviewer_needed",
        "pack.in_approval",
        "pack.quarantined",
        "pack.seal_failed",
        STALLED,
        "business.account_manager_set",
    ),
    permissions=(Permission.ACCOUNT_MANAGE,),
    find=find,
)
