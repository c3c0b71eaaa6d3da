"""The module sync, which makes automatic module settings follow product approvals.

It writes only `automatic` and `automatic_since`, never manual settings. It runs with every change
of a product, or from a command. Idempotent.
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
    """A module setting that the sync would change.

    `hand` is its manual setting. It stays, and while there is one the page does not change.
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
    """Make a business's automatic settings follow its products. Return what changed."""
    business = Business.objects.locked(business)
    access.require(by, Permission.ACCOUNT_MANAGE)
    return follow(business, by=by)


def sync_all(*, by: Actor) -> list[SyncChange]:
    """Sync every business in the preview, each in its own transaction."""
    businesses = {change.business.pk: change.business for change in preview()}
    return [change for one in businesses.values() for change in sync(one, by=by)]


def follow(business: Business, *, by: Actor) -> list[SyncChange]:
    """Sync in the caller's transaction, who has locked the business and checked permissions."""
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
    """Return approved products whose module is not shown automatically."""
    setting = ModuleSetting.objects.filter(
        business=OuterRef("business"), module=OuterRef("product")
    )
    return (
        BusinessProduct.objects.approved()
        .filter(~Exists(setting.filter(automatic=True)))
        .annotate(hand=Subquery(setting.values("hand")))
    )


def _lost() -> QuerySet[ModuleSetting]:
    """Return modules that are shown automatically although their product is not approved."""
    product = BusinessProduct.objects.approved().filter(
        business=OuterRef("business"), product=OuterRef("module")
    )
    return ModuleSetting.objects.filter(~Exists(product), automatic=True)
