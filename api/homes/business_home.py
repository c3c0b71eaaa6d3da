"""What the home page of a business shows: what needs it, whether all is well, and what is new.

Everything counted comes from daily counters, so the page costs the same after ten calls or ten
million.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from operator import itemgetter
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, Sum, Value
from django.db.models.functions import JSONObject
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from api.checkout.lifecycle import DomainStatus
from api.checkout.models import CheckoutDomain
from api.models import RefusalCount, UsageCount
from api.payments.models import Balance
from api.problems import CODES
from api.v1.router import OPERATIONS
from apikeys.api_reference import unserved
from apikeys.going_live.models import UnmetCondition
from apikeys.key_progress import grants_of
from apikeys.lifecycle import Environment, KeyStatus
from apikeys.models import ApiKey, Grant
from apikeys.webhooks.models import DeliveryDay, PublicEvent, WebhookEndpoint
from apikeys.webhooks.pages import endpoint_health, health_strip
from apikeys.webhooks.pages.endpoint_health import HealthLine
from console.accounts.models import Business
from console.accounts.roles import Permission
from console.catalogue.definitions import PRODUCTS, Product
from console.core import clock
from console.core.money import Money
from console.events import public_kinds
from console.shell import charts
from console.shell.charts import DayChart
from console.shell.modules import May
from onboarding.information.lifecycle import InformationStatus
from onboarding.information.models import InformationRequest

DAYS = 30
ENDS_SOON = timedelta(days=30)
NEWEST = 10
_MOST_OF_A_KIND = 10
_ASKED = "request"
_MOST_REFUSALS = 5
_PATHS = {operation.name: f"{operation.method} {operation.path}" for operation in OPERATIONS}


@dataclass(frozen=True)
class Need:
    """Something that the business should do, with the page where it is done."""

    words: str
    url: str
    action: str
    tone: str = "warning"
    since: datetime | None = None


@dataclass(frozen=True)
class Refusal:
    """How often an operation was refused with one code."""

    code: str
    path: str
    calls: int


@dataclass(frozen=True)
class EndpointStrip:
    """An endpoint's health in a line, and its attempts day by day."""

    line: HealthLine
    chart: DayChart


@dataclass(frozen=True)
class MoneyLine:
    """A balance: what it holds, and what came and left today (UTC)."""

    total: Money
    held: Money
    came: Money
    left: Money


@dataclass(frozen=True)
class NewEvent:
    """An event, in the words of the documentation."""

    kind: str
    summary: str
    resource_id: str
    at: datetime


@dataclass(frozen=True)
class ProductGroup:
    """Products that are open alike, and in which environment to show them: "" for none."""

    title: str
    environment: str
    products: list[Product]


class BusinessHome:
    """The parts of a business's home page in one environment. Each is read when it is shown."""

    def __init__(self, business: Business, may: May, *, chosen: str = "") -> None:
        self.business = business
        self.may = may
        found = grants_of(business)
        self._has_grants = bool(found)
        self._grants: dict[Environment, Grant] = {
            environment: one for environment, one in found.items() if one.keys_work
        }
        self.environments = sorted(self._grants, reverse=True)
        is_open = chosen in self._grants
        newest = Environment.LIVE if self.is_live else Environment.SANDBOX
        self.environment = Environment(chosen) if is_open else newest

    @property
    def is_live(self) -> bool:
        return Environment.LIVE in self._grants

    @property
    def has_keys(self) -> bool:
        """Whether calls are possible in any environment."""
        return bool(self._grants)

    @property
    def moves_no_money(self) -> bool:
        """Whether live is open, and a product of it has no provider there."""
        live = self._grants.get(Environment.LIVE)
        return live is not None and bool(unserved(Environment.LIVE) & set(live.products))

    def read(self) -> dict[str, Any]:
        """Return all parts that the reader may see, by name."""
        # Without a grant there is no endpoint yet.
        sees = self._has_grants and self.may(Permission.WEBHOOK_VIEW)
        lines = self._endpoints() if sees else []
        parts: dict[str, Any] = {"needs": [*self._needs_of_endpoints(lines), *self._other_needs()]}
        if self.has_keys:
            if self.may(Permission.WEBHOOK_VIEW):
                here = [line for line in lines if line.endpoint.environment == self.environment]
                parts |= {"endpoints": _strips(here)}
            if self.may(Permission.KEY_VIEW):
                parts |= self._calls()
            if self.may(Permission.PRODUCT_VIEW):
                parts |= {
                    "balances": self._balances(),
                    "groups": self._products(),
                    "events": self._events(),
                }
        return parts

    def _endpoints(self) -> list[HealthLine]:
        """Return the endpoints of both environments, with their daily counts. One query."""
        since = clock.now().date() - timedelta(days=health_strip.DAYS)
        days = DeliveryDay.objects.filter(endpoint=OuterRef("pk"), day__gte=since)
        counted = JSONObject(day="day", succeeded="succeeded", failed="failed")
        rows = WebhookEndpoint.objects.of(self.business).select_related("lane")
        found = rows.annotate(counted=ArraySubquery(days.values(told=counted)))
        return [endpoint_health.line(one, *_last_week(one)) for one in found]

    def _needs_of_endpoints(self, lines: Sequence[HealthLine]) -> list[Need]:
        return [
            Need(
                f"{line.endpoint.host}: {line.words}",
                self._page("apikeys:endpoint", line.endpoint.public_id),
                _("See the endpoint"),
                tone=line.tone,
                since=line.since,
            )
            for line in lines
            if line.endpoint.holds or line.endpoint.lane.failing_since
        ]

    def _other_needs(self) -> list[Need]:
        """Return everything else that needs the business. One query."""
        found = self._found()
        rows = found[0].union(*found[1:], all=True) if found else ()
        needs: list[Need] = []
        asked = 0
        for what, public_id, name, at in sorted(rows, key=itemgetter(3)):
            if what == _ASKED:
                asked += 1
            else:
                needs.append(self._need(what, public_id, name, at))
        if asked:
            words = ngettext(
                "%(count)s request for information waits for your answer",
                "%(count)s requests for information wait for your answer",
                asked,
            )
            page = self._page("onboarding:requests")
            needs.insert(0, Need(words % {"count": asked}, page, _("Answer")))
        return needs

    def _found(self) -> list[Any]:
        """Return querysets of one shape: what it is, its ID, its name, and a time."""
        found = []
        if self.may(Permission.APPLICATION_VIEW):
            asked = InformationRequest.objects.filter(
                application__business=self.business, status=InformationStatus.OPEN
            )
            found.append(_row(asked, _ASKED, "public_id", "asked_at"))
        if self.may(Permission.KEY_VIEW):
            keys = ApiKey.objects.held().filter(grant__business=self.business)
            ending = keys.filter(expires_at__lte=clock.now() + ENDS_SOON)
            ending = ending.exclude(status=KeyStatus.DISABLED)
            found.append(_row(ending, "key", "name", "expires_at"))
            disabled = keys.filter(status=KeyStatus.DISABLED)
            found.append(_row(disabled, "disabled", "name", "expires_at"))
            unmet = UnmetCondition.objects.filter(business=self.business, settled_at=None)
            found.append(_row(unmet, "condition", "title", "found_at"))
            domains = CheckoutDomain.objects.filter(business=self.business)
            unproved = domains.exclude(status=DomainStatus.VERIFIED)
            found.append(_row(unproved, "domain", "domain", "created_at"))
        return found

    def _need(self, what: str, public_id: str, name: str, at: datetime) -> Need:
        match what:
            case "key":
                days = (at - clock.now()).days
                words = ngettext(
                    "The key “%(name)s” ends in %(days)s day",
                    "The key “%(name)s” ends in %(days)s days",
                    days,
                )
                page = self._page("apikeys:key", public_id)
                return Need(words % {"name": name, "days": days}, page, _("Rotate or replace it"))
            case "disabled":
                words = _("The key “%(name)s” is disabled") % {"name": name}
                return Need(words, self._page("apikeys:key", public_id), _("See the key"))
            case "condition":
                words = _("No longer met in live: %(title)s") % {"title": name}
                return Need(
                    words, self._page("apikeys:go_live"), _("See what is missing"), since=at
                )
        words = _("The domain %(domain)s is not verified") % {"domain": name}
        return Need(words, self._page("api:checkout_settings"), _("Verify it"), tone="neutral")

    def _calls(self) -> dict[str, Any]:
        """Return the chart of calls and the most frequent refusals. One query."""
        here = {"business": self.business, "environment": self.environment}
        first = clock.now().date() - timedelta(days=DAYS - 1)
        midnight = datetime.combine(first, time(), UTC)
        all_calls = UsageCount.objects.filter(**here, created_at__gte=midnight)
        refused = RefusalCount.objects.filter(**here, day__gte=first)
        rows = (
            all_calls.order_by()
            .values_list("day", Value(""), Value(""))
            .annotate(Sum("calls"))
            .union(refused.values_list("day", "operation", "code").annotate(Sum("calls")), all=True)
        )
        calls, refusals = Counter[date](), Counter[tuple[str, str]]()
        by_client, by_us = Counter[date](), Counter[date]()
        for day, operation, code, count in rows:
            if not code:
                calls[day] += count
                continue
            refusals[operation, code] += count
            is_ours = code not in CODES or CODES[code].status >= 500
            (by_us if is_ours else by_client)[day] += count
        series = {"ok": _("Succeeded"), "refused": _("Refused"), "failed": _("Failed")}
        counts = {
            # A refusal of the days before refusals were counted is in no series of its own.
            day: (max(0, total - by_client[day] - by_us[day]), by_client[day], by_us[day])
            for day, total in calls.items()
        }
        top = [
            Refusal(code, _PATHS.get(operation, ""), count)
            for (operation, code), count in refusals.most_common(_MOST_REFUSALS)
        ]
        chart = charts.day_chart(_("Calls day by day"), series, counts, days=DAYS)
        return {"calls": chart, "refusals": top}

    def _balances(self) -> list[MoneyLine]:
        rows = Balance.objects.filter(
            business=self.business, environment=self.environment, removed_at=None
        )
        today = clock.now().date()
        return [
            MoneyLine(
                row.total,
                Money(row.pending + row.reserved, row.currency),
                Money(row.in_on_day if row.day == today else 0, row.currency),
                Money(row.out_on_day if row.day == today else 0, row.currency),
            )
            for row in rows.order_by("currency")
        ]

    def _products(self) -> list[ProductGroup]:
        """Group the catalogue by how far each product is open."""
        live = self._open(Environment.LIVE)
        sandbox = self._open(Environment.SANDBOX) - live
        rest = PRODUCTS.keys() - live - sandbox
        groups = (
            (_("Live"), self.environment, live),
            (_("Sandbox"), Environment.SANDBOX, sandbox),
            (_("Can be requested"), "", rest),
        )
        return [
            ProductGroup(title, shown_in, [PRODUCTS[key] for key in PRODUCTS if key in keys])
            for title, shown_in, keys in groups
            if keys
        ]

    def _open(self, environment: Environment) -> set[str]:
        grant = self._grants.get(environment)
        return set(grant.products) if grant else set()

    def _events(self) -> list[NewEvent]:
        since = clock.now() - timedelta(days=DAYS)
        rows = PublicEvent.objects.filter(
            business=self.business, environment=self.environment, created_at__gte=since
        )
        newest = rows.order_by("-created_at", "-id").only("kind", "resource_id", "created_at")
        summaries = {kind.name: kind.summary for kind in public_kinds.every()}
        return [
            NewEvent(row.kind, summaries.get(row.kind, ""), row.resource_id, row.created_at)
            for row in newest[:NEWEST]
        ]

    def _page(self, route: str, *ids: str) -> str:
        return reverse(route, args=[self.business.public_id, *ids])


def _row(rows: Any, what: str, name: str, at: str) -> Any:
    """Return rows in the shape that all needs share, so that one query reads them."""
    return rows.order_by().values_list(Value(what), "public_id", name, at)[:_MOST_OF_A_KIND]


def _last_week(endpoint: Any) -> tuple[int, int]:
    """Return the succeeded and failed attempts that its health line counts."""
    since = (clock.now().date() - endpoint_health.COUNTED).isoformat()
    days = [one for one in endpoint.counted if one["day"] > since]
    return sum(one["succeeded"] for one in days), sum(one["failed"] for one in days)


def _strips(lines: Sequence[Any]) -> list[EndpointStrip]:
    return [
        EndpointStrip(
            line,
            health_strip.drawn(
                {
                    date.fromisoformat(one["day"]): (one["succeeded"], one["failed"])
                    for one in line.endpoint.counted
                }
            ),
        )
        for line in lines
    ]
