"""PayrollRun: what many people are paid on one day, out of one balance."""

from datetime import UTC, datetime, time
from typing import Any

from django.db import models

from api.sandbox.models import Disbursement, EntryType, disbursement
from console.core import ids


class PayrollRun(Disbursement):
    """One disbursement of all that its `items` come to: all of them are paid, or none.

    Each item has the `amount` as a decimal text, the `bank_account` and perhaps a `reference`.
    """

    TYPE = EntryType.PAYROLL
    FAILURE = "rejected_by_bank"

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("prl"))
    pay_date = models.DateField()
    items = models.JSONField()

    class Meta:
        indexes = disbursement.indexes("payroll_run")
        constraints = disbursement.constraints("payroll_run")

    @property
    def not_before(self) -> datetime:
        """The beginning of the pay date, in UTC."""
        return datetime.combine(self.pay_date, time(), UTC)

    def audit_details(self) -> dict[str, Any]:
        return super().audit_details() | {
            "pay_date": self.pay_date.isoformat(),
            "items": len(self.items),
        }
