"""The conditions for products to go live, computed from facts.

The same conditions apply at every step of a request and to each new live key. If one is no longer
met, no new keys can be issued, but existing keys keep working.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from agreements.approvals import approvals
from agreements.lifecycle import STANDS_SIGNED, DecisionKind, PackStatus
from agreements.models import Pack
from agreements.required_approvals import required_approvals
from apikeys.going_live import first_calls
from apikeys.lifecycle import Environment, GrantStatus
from apikeys.models import Grant
from apikeys.webhooks import verification
from console.accounts import business_access
from console.accounts.models import Business
from console.catalogue import products as catalogue
from console.catalogue.definitions import PRODUCTS, Product
from console.catalogue.lifecycle import ProductStatus
from console.catalogue.products import HeldProducts
from console.core import pages_above
from console.core.refusals import Blocker
from onboarding.checks import full

WhoseTurn = Literal["", "yours", "ours"]
_WITH_US = set(STANDS_SIGNED) - {PackStatus.EXECUTED}
# Why a product is not open, by its status; an approved one was switched off by our staff.
_NOT_OPEN: dict[str, str] = {
    ProductStatus.APPROVED: gettext_noop(
        "We turned this product off. Other products are not affected."
    ),
    ProductStatus.WITHDRAWN: gettext_noop(
        "We withdrew this product. Other products are not affected."
    ),
}


@dataclass(frozen=True)
class ReadinessLine:
    """One condition: the evidence that it is met, or what is missing and who must act.

    The business and our staff read the same words. `url` is the business's page for fixing it,
    `action` the text of the link. `evidence` and `since` show how and since when it is met,
    `request_id` names the call that proves it.
    """

    key: str
    title: str
    words: str
    turn: WhoseTurn = ""
    url: str = ""
    action: str = ""
    evidence: str = ""
    since: datetime | None = None
    request_id: str = ""
    product: str = ""

    @property
    def met(self) -> bool:
        return not self.turn

    @property
    def docs(self) -> str:
        """The page of this line's product in the documentation, or ""."""
        return pages_above.address("product_docs", self.product) if self.product else ""

    @property
    def code(self) -> str:
        return f"{self.key}.{self.product}" if self.product else self.key

    @property
    def blocker(self) -> Blocker:
        return Blocker(f"live.{self.code}", f"{self.title}: {self.words}")


def lines(
    business: Business,
    products: Collection[str],
    *,
    is_told: bool = True,
    grants: Mapping[Environment, Grant] | None = None,
    held: HeldProducts | None = None,
) -> list[ReadinessLine]:
    """Return every condition of these products, in the order in which to clear them.

    `is_told`: the business sees the result, which then says nothing about screenings.
    The number of queries does not depend on the number of products.
    """
    found = grants or {Environment(one.environment): one for one in Grant.objects.of(business)}
    sandbox, live = found.get(Environment.SANDBOX), found.get(Environment.LIVE)
    return [
        _agreement(business),
        _checks(business, is_told=is_told),
        _endpoint(business),
        _allowlist(business, live),
        *_products(business, products, held or catalogue.held_by(business)),
        _standing(business, sandbox, live, is_told=is_told),
    ]


def blockers(business: Business, products: Collection[str]) -> list[Blocker]:
    """Return what prevents these products of a business from going live."""
    found = lines(business, products, is_told=False)
    return [line.blocker for line in found if not line.met]


def unmet_of(grant: Grant) -> list[ReadinessLine]:
    """Return the conditions that live no longer meets for its open products.

    Empty before the business went live, and while a suspension stops its live keys.
    """
    if grant.environment != Environment.LIVE or not grant.live_products or not grant.keys_work:
        return []
    return [line for line in lines(grant.business, grant.products) if not line.met]


def issue_blockers(grant: Grant) -> Iterator[Blocker]:
    """Yield what prevents a new key of a live grant."""
    if grant.environment == Environment.LIVE and not grant.networks:
        yield Blocker("allowlist", _("Live keys need an allowlist. Add your networks first."))
    yield from (line.blocker for line in unmet_of(grant) if line.key != "allowlist")


def _agreement(business: Business) -> ReadinessLine:
    title = gettext_noop("Agreement executed with all approvals")
    page = reverse("agreements:pack", args=[business.public_id])
    pack = Pack.objects.of(business).executed().select_related("revision").first()
    if pack is None and Pack.objects.of(business).filter(status__in=_WITH_US).exists():
        words = _("The business has signed. We must approve and sign next.")
        return ReadinessLine("agreement", title, words, "ours")
    if pack is None:
        words = _("Both sides must sign the agreement first.")
        return ReadinessLine("agreement", title, words, "yours", page, _("Open the agreement"))
    given = Counter(
        approvals.decisions(pack)
        .filter(verdict=DecisionKind.APPROVED)
        .values_list("role", flat=True)
    )
    if any(given[role] < count for role, count in required_approvals(pack.tier).items()):
        words = _("We still have to approve it.")
        return ReadinessLine("agreement", title, words, "ours")
    words = _("Signed by both sides, approved and sealed.")
    return ReadinessLine(
        "agreement", title, words, evidence=f"Pack {pack.number}", since=pack.executed_at
    )


def _checks(business: Business, *, is_told: bool) -> ReadinessLine:
    title = gettext_noop("Our verification checks")
    if missing := full.blockers_of(business, is_told=is_told):
        words = " ".join(one.message for one in missing)
        return ReadinessLine("checks", title, words, "ours")
    return ReadinessLine("checks", title, _("We have finished all our checks."))


def _endpoint(business: Business) -> ReadinessLine:
    title = gettext_noop("A verified live webhook endpoint")
    if since := verification.verified_since(business):
        words = _("The endpoint is active and checks our signatures.")
        return ReadinessLine("endpoint", title, words, since=since)
    page = reverse("apikeys:webhooks", args=[business.public_id])
    words = _("No live endpoint is both verified and active. Create one, verify it or resume it.")
    return ReadinessLine("endpoint", title, words, "yours", page, _("Open webhooks"))


def _allowlist(business: Business, live: Grant | None) -> ReadinessLine:
    title = gettext_noop("An IP allowlist for live")
    if live is not None and live.networks:
        count = len(live.networks)
        words = _("Live keys work only from these networks.")
        networks = ngettext("%(count)s network", "%(count)s networks", count) % {"count": count}
        return ReadinessLine("allowlist", title, words, evidence=networks)
    if live is None:
        words = _("It can be added when the sandbox is open.")
        return ReadinessLine("allowlist", title, words, "ours")
    page = reverse("apikeys:edit_networks", args=[business.public_id, live.public_id])
    words = _("No networks yet. Add those that the servers of the business call from.")
    return ReadinessLine("allowlist", title, words, "yours", page, _("Add networks"))


def _products(
    business: Business, products: Collection[str], held: HeldProducts
) -> Iterator[ReadinessLine]:
    called = first_calls.calls_of(business)
    for product in (PRODUCTS[key] for key in PRODUCTS if key in products):
        title = f"{product.name}: one successful sandbox call"
        call = called.get(product.key)
        if product.key not in held.open:
            yield _not_open(business, product, held.statuses.get(product.key, ""))
        elif call is None:
            yield _not_called(title, product)
        else:
            yield ReadinessLine(
                "product", title, _("One call was successful."),
                evidence=call.operation, since=call.at, request_id=call.request_id,
                product=product.key,
            )  # fmt: skip


def _not_open(business: Business, product: Product, status: str) -> ReadinessLine:
    page = reverse("apikeys:own_products", args=[business.public_id])
    words = _(_NOT_OPEN.get(status, gettext_noop("It opens when the agreement is executed.")))
    return ReadinessLine(
        "product", f"{product.name}: available to your business", words, "ours", page,
        _("Open products"), product=product.key,
    )  # fmt: skip


def _not_called(title: str, product: Product) -> ReadinessLine:
    words = _("No successful call with a sandbox key yet. One is enough.")
    return ReadinessLine("product", title, words, "yours", product=product.key)


def _standing(
    business: Business, sandbox: Grant | None, live: Grant | None, *, is_told: bool
) -> ReadinessLine:
    title = gettext_noop("Business and sandbox active")
    found = [one.message for one in business_access.blockers(business, is_told=is_told)]
    if sandbox is None or not sandbox.is_open:
        found.append(_("The sandbox is not open."))
    if live is not None and live.status == GrantStatus.SUSPENDED:
        found.append(_("Live is suspended for now."))
    if found:
        return ReadinessLine("standing", title, " ".join(found), "ours")
    return ReadinessLine("standing", title, _("The business and its sandbox are active."))
