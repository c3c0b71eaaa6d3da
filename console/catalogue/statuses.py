"""How a product of a business is shown, status by status."""

from console.catalogue.lifecycle import ProductStatus
from console.core.status_table import StatusRow

PRODUCT: dict[str, StatusRow] = {
    ProductStatus.NONE: StatusRow("neutral"),
    ProductStatus.REQUESTED: StatusRow("accent"),
    ProductStatus.APPROVED: StatusRow("ok"),
    ProductStatus.REFUSED: StatusRow("danger"),
    ProductStatus.WITHDRAWN: StatusRow("neutral"),
}
