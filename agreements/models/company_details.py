"""CompanyDetails: our company as contracts state it, one row for each version."""

from typing import Any

from django.db import models

from console.accounts.models import User
from console.core import digests
from console.core.frozen import NeverChanges


class CompanyDetails(models.Model):
    """Details entered by one person. `publishing.Publication` records when they are in use.

    `body` is canonical JSON: the facts that documents state about us, and `is_example`.
    """

    version = models.CharField(max_length=40, unique=True)
    body = models.TextField()
    entered_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    entered_at = models.DateTimeField()

    class Meta:
        constraints = [NeverChanges(name="company_details_never_change")]

    def __str__(self) -> str:
        return f"Our company {self.version}"

    @property
    def sha256(self) -> str:
        """SHA-256 of the canonical form, in lower-case hex."""
        return digests.sha256_hex(self.body.encode())

    @property
    def facts(self) -> dict[str, Any]:
        """The facts that documents state about us (`facts_schema.Supplier`)."""
        facts: dict[str, Any] = digests.parse(self.body.encode())["facts"]
        return facts

    @property
    def is_example(self) -> bool:
        """Whether these are the demo's made-up details."""
        return bool(digests.parse(self.body.encode())["is_example"])
