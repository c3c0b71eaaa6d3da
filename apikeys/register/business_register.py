"""The register: every business with its stage, owners and last activity."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Case, Exists, OuterRef, Prefetch, Q, QuerySet, Subquery, Value, When
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from agreements.lifecycle import STOPPED, PackStatus
from agreements.models import Pack
from apikeys.models import Grant
from apikeys.models.grant import LIVE_GRANT
from console.accounts.lifecycle import Access
from console.accounts.models import Business, Membership, User
from console.accounts.roles import Role
from console.core import clock
from console.core.status_table import Tone
from console.core.subqueries import half_of_rows
from onboarding.lifecycle import IN_REVIEW, LIFECYCLE, ApplicationStatus
from onboarding.models import Application

STALLED_DAYS = 14
SORTS = {
    "": ("-created_at", gettext_noop("Newest first")),
    "name": ("name", gettext_noop("Name")),
    "active": ("-active_at", gettext_noop("Last activity, newest first")),
    "quiet": ("active_at", gettext_noop("Last activity, oldest first")),
}
_WITH_US = (PackStatus.IN_APPROVAL, PackStatus.APPROVED, PackStatus.COUNTERSIGNING, *STOPPED)
A = ApplicationStatus


def _applied(*statuses: str) -> "QuerySet[Any]":
    return Application.objects.filter(status__in=statuses)


_LIVE = Grant.objects.filter(LIVE_GRANT)
_ENDED = LIFECYCLE.final - {A.EXECUTED}


@dataclass(frozen=True)
class BusinessStage:
    """One stage. A business's stage is the first whose condition it meets.

    `among` are rows that an index finds: they include a row of each business with this stage.
    """

    label: str
    tone: Tone
    condition: Q
    among: "QuerySet[Any]"


def _newest(label: str, tone: Tone, *statuses: ApplicationStatus) -> BusinessStage:
    """Return the stage of businesses whose newest application has one of these statuses."""
    return BusinessStage(label, tone, Q(application_status__in=statuses), _applied(*statuses))


STAGES = {
    "live": BusinessStage(gettext_noop("Live"), "ok", Q(live__isnull=False), _LIVE),
    "sandbox": BusinessStage(
        gettext_noop("Sandbox"), "accent", Q(executed__isnull=False), _applied(A.EXECUTED)
    ),
    "approval": BusinessStage(
        gettext_noop("With our staff"),
        "accent",
        Q(application_status=A.CLEARED, pack_status__in=_WITH_US),
        Pack.objects.filter(status__in=_WITH_US),
    ),
    "agreement": _newest(gettext_noop("To be signed"), "warning", A.CLEARED),
    "review": _newest(gettext_noop("In review"), "accent", *IN_REVIEW),
    "returned": _newest(gettext_noop("Changes requested"), "warning", A.RETURNED),
    "draft": _newest(gettext_noop("Draft"), "neutral", A.DRAFT),
    "ended": BusinessStage(
        gettext_noop("Ended"), "quiet", Q(application_status__isnull=False), _applied(*_ENDED)
    ),
    "new": BusinessStage(
        gettext_noop("Not started"),
        "quiet",
        Q(),
        Business.objects.filter(~Exists(Application.objects.filter(business=OuterRef("pk")))),
    ),
}


def rows(chosen: Mapping[str, Any], person: User) -> "QuerySet[Any]":
    """Return the businesses that match the filters, each with its `stage`."""
    found = _staged()
    if words := chosen.get("q"):
        found = found.filter(name__icontains=words)
    if stage := chosen.get("stage"):
        found = _in_stage(found, stage)
    if chosen.get("activity"):
        found = found.filter(_stalled())
    if manager := chosen.get("manager"):
        known = {"me": Q(account_manager=person), "none": Q(account_manager=None)}
        found = found.filter(known.get(manager, Q(account_manager__public_id=manager)))
    owners = Membership.objects.filter(role=Role.OWNER).select_related("user").order_by("pk")
    return found.select_related("account_manager").prefetch_related(
        Prefetch("membership_set", owners, to_attr="owners")
    )


def one(public_id: str) -> "QuerySet[Any]":
    """Return a query for one business, with its `stage`."""
    return _staged().filter(public_id=public_id).select_related("account_manager")


def is_stalled(business: Any) -> bool:
    """Tell whether an active business, neither live nor ended, was inactive for STALLED_DAYS."""
    return (
        business.status == Access.ACTIVE
        and business.stage not in ("live", "ended")
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
            one.name, one.public_id, _(STAGES[one.stage].label), one.get_status_display(),
            _("Yes") if is_stalled(one) else _("No"), ", ".join(str(o) for o in owners),
            ", ".join(o.email for o in owners), one.account_manager or "",
            clock.iso(one.active_at), clock.iso(one.created_at),
        ]  # fmt: skip


def _in_stage(found: "QuerySet[Any]", stage: str) -> "QuerySet[Any]":
    """Keep the businesses with this stage.

    PostgreSQL starts from `among` if these rows are few. Otherwise, it reads the businesses in
    their order until the page is full, and computes the stage only of those that have such a row.
    """
    among = STAGES[stage].among
    business = "pk" if among.model is Business else "business"
    row = Subquery(among.filter(**{business: OuterRef("pk")}).values("pk")[:1])
    is_in = half_of_rows(Q(row__isnull=False) & Q(stage=stage))
    found = found.alias(row=row)
    return found.filter(is_in, pk__in=among.values(business))


def _staged() -> "QuerySet[Any]":
    """Return every business, annotated with its stage."""
    applications = Application.objects.filter(business=OuterRef("pk"))
    packs = Pack.objects.filter(business=OuterRef("pk")).order_by("-pk")
    newest = applications.order_by("-pk")
    # Not `Exists`: PostgreSQL would read all executed applications for a page of businesses.
    staged = Business.objects.annotate(
        live=Subquery(_LIVE.filter(business=OuterRef("pk")).values("pk")[:1]),
        executed=Subquery(applications.filter(status=A.EXECUTED).values("pk")[:1]),
        application_status=Subquery(newest.values("status")[:1]),
        pack_status=Subquery(packs.values("status")[:1]),
    )
    *conditions, last = STAGES
    cases = [When(STAGES[key].condition, then=Value(key)) for key in conditions]
    return staged.annotate(stage=Case(*cases, default=Value(last)))


def _stalled() -> Q:
    since = clock.now() - timedelta(days=STALLED_DAYS)
    return Q(active_at__lt=since, status=Access.ACTIVE) & ~Q(stage__in=("live", "ended"))
