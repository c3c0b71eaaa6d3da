"""ServiceOrder: a digital service that a business buys for somebody."""

from typing import Any

from django.db import models

from api.sandbox.models import Disbursement, EntryType, disbursement
from console.core import ids


class ServiceOrder(Disbursement):
    """A disbursement for a service of the catalogue, whose id stays when the catalogue changes."""

    TYPE = EntryType.DIGITAL_SERVICE
    FAILURE = "rejected_by_supplier"

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("dso"))
    service_id = models.CharField(max_length=40)
    recipient = models.CharField(max_length=30)

    class Meta:
        indexes = [disbursement.waiting("service_order")]
        constraints = disbursement.constraints("service_order")

    def audit_details(self) -> dict[str, Any]:
        return super().audit_details() | {"service": self.service_id}
