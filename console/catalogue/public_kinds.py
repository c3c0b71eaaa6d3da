"""The public kinds of a product: that it is on for a business, or no longer."""

from typing import Literal

from pydantic import Field

from console.catalogue.models import BusinessProduct
from console.core import clock
from console.events import public_kinds
from console.events.models import Event
from console.events.public_kinds import PreviousStatus, PublicData, PublicKind, Told

Switch = Literal["enabled", "disabled"]
_OTHER: dict[Switch, Switch] = {"enabled": "disabled", "disabled": "enabled"}


class ProductData(PublicData):
    """A product of the API, as it is for your business."""

    id: str = Field(description="The id of the product of your business.")
    object: Literal["product"] = Field(default="product", description="What this is.")
    product: str = Field(description="The product, as `GET /me` lists it.")
    name: str = Field(description="What it is called.")
    status: Switch = Field(description="Whether it is on.")
    since: str = Field(description="Since when.")
    previous: PreviousStatus = Field(description="What it was before.")


def register() -> None:
    """Register the kinds. Called from AppConfig.ready(), nowhere else."""
    _register("enabled", "product.approved", "A product was enabled for your business.")
    _register("disabled", "product.withdrawn", "A product was disabled for your business.")


def _register(status: Switch, source: str, summary: str) -> None:
    def tell(event: Event, row: BusinessProduct) -> Told:
        return Told(
            business=row.business_id,
            resource_id=row.public_id,
            data=ProductData(
                id=row.public_id,
                product=row.product,
                name=row.name,
                status=status,
                since=clock.iso(row.since),
                previous=PreviousStatus(status=_OTHER[status]),
            ),
        )

    sample = ProductData(
        id="prd_01k3vq6t9z8q4j7m2n5p0r1s3t",
        product="remittance",
        name="Remittance",
        status=status,
        since="2026-08-29T12:00:00Z",
        previous=PreviousStatus(status=_OTHER[status]),
    )
    public_kinds.register(
        PublicKind(
            name=f"product.{status}", summary=summary, sample=sample, source=source, tell=tell
        )
    )
