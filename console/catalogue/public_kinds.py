"""Public event kinds of products: enabled and disabled."""

from typing import Literal

from pydantic import Field

from console.catalogue.definitions import PRODUCTS
from console.catalogue.lifecycle import HandSetting
from console.catalogue.models import BusinessProduct, ModuleSetting
from console.core import clock
from console.events import public_kinds
from console.events.models import Event
from console.events.public_kinds import PreviousStatus, PublicData, PublicKind, Told

Switch = Literal["enabled", "disabled"]
_OTHER: dict[Switch, Switch] = {"enabled": "disabled", "disabled": "enabled"}
_EXAMPLE_ID, _EXAMPLE_SINCE = "prd_01k3vq6t9z8q4j7m2n5p0r1s3t", "2026-08-29T12:00:00Z"


class ProductData(PublicData):
    """A product of the API, and its status for your business."""

    id: str = Field(description="The id of the product of your business.")
    object: Literal["product"] = Field(default="product", description="What this is.")
    product: str = Field(description="The product, as `GET /me` lists it.")
    name: str = Field(description="What it is called.")
    status: Switch = Field(description="Whether it is on.")
    since: str = Field(description="Since when.")
    previous: PreviousStatus = Field(description="What it was before.")


def register() -> None:
    """Register the kinds. Called from AppConfig.ready(), nowhere else."""
    public_kinds.register(
        PublicKind(
            name="product.enabled",
            summary="A product was enabled for your business.",
            sample=_data(_EXAMPLE_ID, "remittance", "enabled", _EXAMPLE_SINCE),
            sources={"product.approved": _tell_approved, "module_setting.changed": _tell_released},
        ),
        PublicKind(
            name="product.disabled",
            summary="A product was disabled for your business.",
            sample=_data(_EXAMPLE_ID, "remittance", "disabled", _EXAMPLE_SINCE),
            sources={"product.withdrawn": _tell_withdrawn, "module_setting.changed": _tell_set_off},
        ),
    )


def _tell_approved(event: Event, row: BusinessProduct) -> Told | None:
    return None if _is_set_off(row) else _told(row, "enabled", event)


def _tell_withdrawn(event: Event, row: BusinessProduct) -> Told | None:
    """Skip products that were already disabled by a manual `off`."""
    return None if _is_set_off(row) else _told(row, "disabled", event)


def _tell_set_off(event: Event, setting: ModuleSetting) -> Told | None:
    """A manual `off` disables an approved product."""
    if (event.payload["was"] == HandSetting.OFF) or setting.hand != HandSetting.OFF:
        return None
    return _told_if_approved(setting, "disabled", event)


def _tell_released(event: Event, setting: ModuleSetting) -> Told | None:
    """An approved product is enabled again when its manual `off` is removed or set to `on`."""
    if event.payload["was"] != HandSetting.OFF or setting.hand == HandSetting.OFF:
        return None
    return _told_if_approved(setting, "enabled", event)


def _told_if_approved(setting: ModuleSetting, status: Switch, event: Event) -> Told | None:
    approved = BusinessProduct.objects.approved()
    row = approved.filter(business=setting.business_id, product=setting.module).first()
    return None if row is None else _told(row, status, event)


def _told(row: BusinessProduct, status: Switch, event: Event) -> Told:
    since = clock.iso(event.happened_at)
    return Told(
        business=row.business_id,
        resource_id=row.public_id,
        data=_data(row.public_id, row.product, status, since),
    )


def _is_set_off(row: BusinessProduct) -> bool:
    settings = ModuleSetting.objects.filter(business=row.business_id, module=row.product)
    return settings.set_off().exists()


def _data(public_id: str, product: str, status: Switch, since: str) -> ProductData:
    return ProductData(
        id=public_id,
        product=product,
        name=PRODUCTS[product].name,
        status=status,
        since=since,
        previous=PreviousStatus(status=_OTHER[status]),
    )
