"""The register: every business with its stage, owners and last activity."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from typing import Any

from django.db.models import Count, F, Prefetch, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apikeys.models.staged_business import BusinessStage, StagedBusiness
from console.accounts.lifecycle import Access
from console.accounts.models import Business, Membership, User
from console.accounts.models.folded import NameOrder
from console.accounts.roles import Role
from console.core import clock
from console.shell import charts
from console.shell.charts import FunnelBar

STALLED_DAYS = 14
# The stages from the first to the last.
_STAGES = (
    BusinessStage.NEW,
    BusinessStage.DRAFT,
    BusinessStage.RETURNED,
    BusinessStage.REVIEW,
    BusinessStage.AGREEMENT,
    BusinessStage.APPROVAL,
    BusinessStage.SANDBOX,
    BusinessStage.LIVE,
)
_BEYOND = (BusinessStage.LIVE, BusinessStage.ENDED)
SORTS = {
    "": ("-created_at", gettext_lazy("Newest first")),
    "name": ("name_order", gettext_lazy("Name")),
    "active": ("-active_at", gettext_lazy("Last activity, newest first")),
    "quiet": ("active_at", gettext_lazy("Last activity, oldest first")),
}


def rows(chosen: Mapping[str, Any], person: User) -> QuerySet[Any]:
    """Return the businesses that match the filters, each with its `stage`."""
    found: QuerySet[Any] = _staged().annotate(name_order=NameOrder("name"))
    if words := chosen.get("q"):
        found = found.filter(name__folded__contains=words)
    if stage := chosen.get("stage"):
        found = found.filter(stage=stage)
    if chosen.get("activity"):
        found = found.filter(_stalled())
    if manager := chosen.get("manager"):
        known = {"me": Q(account_manager=person), "none": Q(account_manager=None)}
        found = found.filter(known.get(manager, Q(account_manager__public_id=manager)))
    owners = Membership.objects.filter(role=Role.OWNER).select_related("user").order_by("pk")
    return found.select_related("account_manager").prefetch_related(
        Prefetch("membership_set", owners, to_attr="owners")
    )


def one(public_id: str) -> QuerySet[Any]:
    """Return a query for one business, with its `stage`."""
    return _staged().filter(public_id=public_id).select_related("account_manager")


def funnel(manager: User) -> list[FunnelBar]:
    """Return how many businesses of an account manager are at each stage, without the ended."""
    mine = StagedBusiness.objects.filter(business__account_manager=manager)
    counts = dict(mine.order_by().values_list("stage").annotate(Count("pk")))
    page = reverse("apikeys:businesses")
    return charts.funnel(
        [
            (str(stage.label), counts.get(stage, 0), f"{page}?manager=me&stage={stage}")
            for stage in _STAGES
        ]
    )


def stalled() -> QuerySet[Any]:
    """Return every stalled business, with its `stage`."""
    return _staged().filter(_stalled())


def is_stalled(business: Any) -> bool:
    """Tell whether an active business, neither live nor ended, was inactive for STALLED_DAYS."""
    return (
        business.status == Access.ACTIVE
        and business.stage not in _BEYOND
        and business.active_at < clock.now() - timedelta(days=STALLED_DAYS)
    )


def table(businesses: Iterable[Any]) -> Iterator[list[object]]:
    """Yield the rows of the CSV file, starting with the column names."""
    yield [
        _("Business"), _("Id"), _("Stage"), _("Access"), _("Stalled"), _("Owners"), _("E-mail"),
        _("Account manager"), _("Last activity"), _("Registered"),
    ]  # fmt: skip
    for one in businesses:
        owners = [row.user for row in one.owners]
        yield [
            one.name, one.public_id, BusinessStage(one.stage).label, one.get_status_display(),
            _("Yes") if is_stalled(one) else _("No"), ", ".join(str(o) for o in owners),
            ", ".join(o.email for o in owners), one.account_manager or "",
            clock.iso(one.active_at), clock.iso(one.created_at),
        ]  # fmt: skip


def _staged() -> QuerySet[Any]:
    """Return every business, annotated with its stage."""
    return Business.objects.annotate(stage=F("staged__stage"))


def _stalled() -> Q:
    since = clock.now() - timedelta(days=STALLED_DAYS)
    return Q(active_at__lt=since, status=Access.ACTIVE) & ~Q(stage__in=_BEYOND)
