"""The sync: makes what modules show by themselves follow the approvals of their products.

It writes two columns, `automatic` and `automatic_since`, and never what is set by hand. It runs
with every change of a product and any time by hand; twice is once.
"""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet, Subquery

from console.accounts import access
from console.accounts.actors import Actor
from console.accounts.models import Business
from console.accounts.roles import Permission
from console.audit import log as audit
from console.catalogue.definitions import PRODUCTS
from console.catalogue.lifecycle import HandSetting
from console.catalogue.models import BusinessProduct, ModuleSetting
from console.core import clock
from console.events import outbox as events


@dataclass(frozen=True)
class SyncChange:
    """A module that the sync would change: of which business, and to what.

    `hand` is its hand setting, which stays; while there is one, nothing changes on the page.
    """

    business: Business
    module: str
    automatic: bool
    hand: str

    @property
    def name(self) -> str:
        return PRODUCTS[self.module].name

    @property
    def is_seen(self) -> bool:
        return self.hand == HandSetting.NONE


def preview(business: Business | None = None) -> list[SyncChange]:
    """Return what the sync would change, for one business or for all. Two queries."""
    gained, lost = _gained(), _lost()
    if business is not None:
        gained, lost = gained.filter(business=business), lost.filter(business=business)
    changes = [
        SyncChange(row.business, row.product, automatic=True, hand=row.hand or "")  # type: ignore[attr-defined]
        for row in gained.select_related("business")
    ]
    changes += [
        SyncChange(row.business, row.module, automatic=False, hand=row.hand)
        for row in lost.select_related("business")
    ]
    order = list(PRODUCTS)
    return sorted(changes, key=lambda one: (one.business.pk, order.index(one.module)))


@transaction.atomic
def sync(business: Business, *, by: Actor) -> list[SyncChange]:
    """Make the automatic settings of a business follow its products; return what changed."""
    business = Business.objects.locked(business)
    access.require(by, Permission.ACCOUNT_MANAGE)
    return follow(business, by=by)


def sync_all(*, by: Actor) -> list[SyncChange]:
    """Sync every business that the preview names, each in a transaction of its own."""
    businesses = {change.business.pk: change.business for change in preview()}
    return [change for one in businesses.values() for change in sync(one, by=by)]


def follow(business: Business, *, by: Actor) -> list[SyncChange]:
    """Do it within the transaction of a change, whose verb holds the business and has asked who."""
    changes, now = preview(business), clock.now()
    ModuleSetting.objects.bulk_create(
        [
            ModuleSetting(
                business=business, module=one.module, automatic=one.automatic, automatic_since=now
            )
            for one in changes
        ],
        update_conflicts=True,
        unique_fields=["business", "module"],
        update_fields=["automatic", "automatic_since"],
    )
    changed = ModuleSetting.objects.of(business).filter(module__in=[one.module for one in changes])
    for setting in changed.select_related("business"):
        audit.record(
            "module_setting.synced", setting, by=by, module=setting.module,
            before={"automatic": not setting.automatic}, after={"automatic": setting.automatic},
        )  # fmt: skip
        events.publish(
            "module_setting.changed", setting, module=setting.module, was=setting.hand,
            hand=setting.hand, business=business.public_id,
        )  # fmt: skip
    return changes


def _gained() -> QuerySet[BusinessProduct]:
    """Products that are approved while their module does not say so."""
    setting = ModuleSetting.objects.filter(
        business=OuterRef("business"), module=OuterRef("product")
    )
    return (
        BusinessProduct.objects.approved()
        .filter(~Exists(setting.filter(automatic=True)))
        .annotate(hand=Subquery(setting.values("hand")))
    )


def _lost() -> QuerySet[ModuleSetting]:
    """Modules that say so while their product is not approved."""
    product = BusinessProduct.objects.approved().filter(
        business=OuterRef("business"), product=OuterRef("module")
    )
    return ModuleSetting.objects.filter(~Exists(product), automatic=True)
