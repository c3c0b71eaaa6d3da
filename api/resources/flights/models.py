"""FlightBooking: seats on one flight, for some passengers."""

from typing import Any

from django.db import models

from api.sandbox.models import Disbursement, EntryType, disbursement
from console.core import ids


class FlightBooking(Disbursement):
    """A disbursement for the seats of an offer. `flight` is what the offer said of the flight."""

    TYPE = EntryType.FLIGHT
    FAILURE = "rejected_by_supplier"

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("fbk"))
    offer_id = models.CharField(max_length=80)
    flight = models.JSONField()
    passengers = models.JSONField()

    class Meta:
        indexes = [disbursement.waiting("flight_booking")]
        constraints = disbursement.constraints("flight_booking")

    def audit_details(self) -> dict[str, Any]:
        return super().audit_details() | {
            "offer": self.offer_id,
            "passengers": len(self.passengers),
        }
