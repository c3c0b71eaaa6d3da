"""Data for the go-live pages: the checklist, the requests, and who must act next."""

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from apikeys.going_live import live_readiness, requests
from apikeys.going_live.lifecycle import GoLiveStatus
from apikeys.going_live.live_readiness import ReadinessLine, WhoseTurn
from apikeys.going_live.models import GoLiveRequest, UnmetCondition
from apikeys.key_progress import grants_of, key_to_create
from apikeys.keys import keys
from apikeys.lifecycle import Environment
from apikeys.models import ApiKey, Grant
from apikeys.products.product_overview import unserved_in_live
from console.accounts.lifecycle import Access
from console.accounts.models import Business, User
from console.catalogue import products as catalogue
from console.catalogue.definitions import PRODUCTS, Product
from console.shell.progress import StageStatus

_TAKES = gettext_noop(
    "Needs a verified webhook, an IP allowlist and one sandbox call to each product"
)


@dataclass(frozen=True)
class RequestStep:
    """A step in the history of a request. `words` is the note or reason given."""

    title: str
    person: User
    at: datetime
    words: str = ""

    @property
    def by_business(self) -> bool:
        """Tell whether the business took this step, so it may see the person's name."""
        return self.title in {"Requested", "Withdrawn", "Confirmed"}


@dataclass(frozen=True)
class LiveOverview:
    """The progress of a business towards live."""

    business: Business
    grant: Grant | None
    lines: list[ReadinessLine]
    newest: GoLiveRequest | None
    earlier: list[GoLiveRequest]
    unmet: list[UnmetCondition]
    choices: list[str]
    base: list[str]

    @property
    def unserved(self) -> list[Product]:
        """The live and requestable products that have no provider in live."""
        live = self.grant.live_products if self.grant else []
        return unserved_in_live({*live, *self.choices, *self.base})

    @property
    def missing(self) -> list[ReadinessLine]:
        return [line for line in self.lines if not line.met]

    @property
    def ready_products(self) -> list[str]:
        """The products that can be requested now; none if a condition for all is unmet."""
        if any(not one.product or one.product in self.base for one in self.missing):
            return []
        red = {line.product for line in self.missing}
        return [key for key in self.choices if key not in red]

    @property
    def may_ask(self) -> bool:
        """Tell whether something can be requested and no request is open."""
        if self.newest is not None and self.newest.is_open:
            return False
        return bool(self.ready_products) or bool(self.base and not self.missing)

    @property
    def turn(self) -> WhoseTurn:
        if self.newest is not None and self.newest.is_open:
            return "ours"
        if self.newest is not None and self.newest.waits_for_confirmation:
            return "yours"
        if self.is_live and not self.missing and not self.choices:
            return ""
        turns = {line.turn for line in self.missing}
        return "yours" if "yours" in turns or not turns else "ours"

    @property
    def state(self) -> str:
        """The newest request and its status as one token: the page reloads when it changes."""
        newest = self.newest
        return f"{newest.public_id}-{newest.status}-{bool(newest.proposed_at)}" if newest else ""

    @property
    def may_create_key(self) -> bool:
        return self.grant is not None and not keys.issue_blockers(self.grant)

    @property
    def is_live(self) -> bool:
        return self.grant is not None and self.grant.is_open


def overview_of(business: Business) -> LiveOverview:
    """Return the progress of a business, for all products that are live or could go live."""
    grants = {Environment(one.environment): one for one in Grant.objects.of(business)}
    return _overview(business, grants, list(GoLiveRequest.objects.of(business).with_people()))


def _overview(
    business: Business, grants: dict[Environment, Grant], asked: list[GoLiveRequest]
) -> LiveOverview:
    grant = grants.get(Environment.LIVE)
    live = set(grant.live_products) if grant else set[str]()
    held = catalogue.held_by(business)
    choices, base = requests.choices(business, live, held), requests.with_base(business, (), live)
    return LiveOverview(
        business,
        grant,
        live_readiness.lines(business, {*live, *choices, *base}, grants=grants, held=held),
        asked[0] if asked else None,
        asked[1:],
        # Only live can lose a condition.
        list(UnmetCondition.objects.of(business)) if grant and grant.opened_at else [],
        choices,
        base,
    )


def stage(business: Business) -> StageStatus:
    """The stage “Live keys” of a business's progress."""
    page = reverse("apikeys:go_live", args=[business.public_id])
    held = grants_of(business)
    live = held.get(Environment.LIVE)
    if live is not None and live.opened_at is not None:
        return _live_stage(live, page)
    if (sandbox := held.get(Environment.SANDBOX)) is None or not sandbox.is_open:
        return StageStatus("todo", _TAKES)
    asked = list(GoLiveRequest.objects.of(business).with_people())
    newest = asked[0] if asked else None
    if newest is not None and newest.is_open:
        return StageStatus(
            "current", gettext_noop("We are reviewing your request"), page, gettext_noop("View")
        )
    if newest is not None and newest.waits_for_confirmation:
        return StageStatus(
            "current",
            gettext_noop("Approved. Confirm to open live."),
            page,
            gettext_noop("Confirm"),
        )
    return _before_asking(_overview(business, held, asked), page)


def _before_asking(overview: LiveOverview, page: str) -> StageStatus:
    """What a business with a sandbox does before it asks: only what is still open."""
    if overview.may_ask:
        return StageStatus(
            "current", _("You can ask to go live now"), page, gettext_noop("Ask to go live")
        )
    if needed := _needed(overview):
        words = _("Needs %(what)s") % {"what": get_text_list(needed, _("and"))}
        return StageStatus("current", words, page, gettext_noop("View requirements"))
    words = _("You meet your requirements. We are still working on ours.")
    return StageStatus("current", words, page, gettext_noop("View requirements"))


def _needed(overview: LiveOverview) -> list[str]:
    """Name in short the conditions that the business must still meet."""
    mine = [line for line in overview.missing if line.turn == "yours"]
    found = {
        "agreement": _("an executed agreement"),
        "endpoint": _("a verified webhook endpoint"),
        "allowlist": _("an IP allowlist"),
    }
    names = [PRODUCTS[line.product].name for line in mine if line.product]
    if names:
        found["product"] = ngettext(
            "one sandbox call to %(name)s",
            "one sandbox call to each of %(count)s products",
            len(names),
        ) % {"name": names[0], "count": len(names)}
    keys = {line.key for line in mine}
    return [words for key, words in found.items() if key in keys]


def _live_stage(live: Grant, page: str) -> StageStatus:
    if live.business.status != Access.ACTIVE:
        return StageStatus(
            "problem", f"Your access is {live.business.status}", page, gettext_noop("View")
        )
    if not live.is_open:
        return StageStatus("problem", gettext_noop("Suspended for now"), page, gettext_noop("View"))
    if UnmetCondition.objects.of(live.business).exists():
        return StageStatus(
            "problem",
            gettext_noop("Open, but a requirement is no longer met"),
            page,
            gettext_noop("View requirements"),
        )
    if not ApiKey.objects.of(live.business).filter(grant=live).exists():
        return key_to_create(live, "current", gettext_noop("Live is open"))
    return StageStatus("done", gettext_noop("Open"), page, gettext_noop("View"))


def steps(request: GoLiveRequest, *, for_staff: bool) -> list[RequestStep]:
    """Return the steps of a request in order. Only our staff may see the note of a proposal."""
    decided = {
        GoLiveStatus.APPROVED: gettext_noop("Approved"),
        GoLiveStatus.DECLINED: gettext_noop("Declined"),
    }
    found = [
        (gettext_noop("Requested"), request.requested_by, request.requested_at, ""),
        (gettext_noop("Proposed"), request.proposed_by, request.proposed_at,
         request.proposal * for_staff),
        (decided.get(GoLiveStatus(request.status), ""), request.decided_by, request.decided_at,
         request.decision_reason),
        (gettext_noop("Withdrawn"), request.withdrawn_by, request.withdrawn_at, ""),
        (gettext_noop("Confirmed"), request.confirmed_by, request.confirmed_at, ""),
    ]  # fmt: skip
    return [
        RequestStep(title, person, at, words)
        for title, person, at, words in found
        if person is not None and at is not None
    ]
