"""Receipt (a document read), SignatureAct (a signature) and Decision (a staff decision)."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from agreements.lifecycle import DecisionKind, DecisionRole
from agreements.models.pack import Document, Revision
from console.accounts.models import User
from console.catalogue.definitions import BASE_PRODUCTS
from console.core import digests, ids
from console.core.database_rule import DatabaseRule
from console.core.frozen import NeverChanges, SetOnce

METHODS = {
    "code": gettext_lazy("One-time code of an authenticator app, which only we could check"),
    "passkey": gettext_lazy("Passkey, which signed the fingerprint and verified its user"),
    "provider": gettext_lazy("Company account, which only we could check"),
    "recovery": gettext_lazy("Recovery code"),
    "stand_in": gettext_lazy("Stand-in of the demo world, and no evidence"),
}


class Receipt(models.Model):
    """One person's acceptance of one document, bound to its text and PDF.

    `html_sha256` is the text shown on the page. `opened_at` is when the page was served.
    Withdrawing the acceptance deletes the receipt; the pack's event chain still records both.
    """

    document = models.ForeignKey(Document, on_delete=models.PROTECT, related_name="receipts")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    html_sha256 = models.CharField(max_length=64, blank=True)
    unsigned_sha256 = models.CharField(max_length=64)
    opened_at = models.DateTimeField()
    accepted_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["document", "person"], name="a_paper_is_accepted_once_by_a_person"
            ),
            models.CheckConstraint(
                condition=Q(accepted_at__gte=models.F("opened_at")),
                name="what_is_accepted_was_opened",
            ),
            # The next rule protects the receipts of signed packs.
            SetOnce(
                fields=[
                    *("id", "document", "person", "html_sha256", "unsigned_sha256"),
                    *("opened_at", "accepted_at"),
                ],
                name="receipts_never_change",
                deletable=True,
            ),
            DatabaseRule.beside(__file__, "agreements_keep_receipts"),
        ]

    def __str__(self) -> str:
        return f"{self.person} read {self.document}"

    @property
    def open_seconds(self) -> int:
        """Minimum time that the page was open; the person may have opened it earlier as well."""
        return int((self.accepted_at - self.opened_at).total_seconds())


class SignatureAct(models.Model):
    """An immutable signature under a whole offer: who signed, in which capacity, proven how.

    `body` is the canonical JSON whose SHA-256 is `act_sha256`.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("act"))
    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="acts")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    offer_sha256 = models.CharField(max_length=64)
    statement = models.TextField()
    body = models.TextField()
    act_sha256 = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["revision", "person"], name="a_person_signs_once"),
            NeverChanges(name="signatures_never_change"),
            DatabaseRule.beside(__file__, "agreements_signatory_is_participant"),
            DatabaseRule.beside(__file__, "agreements_require_access"),
            DatabaseRule.beside(__file__, "agreements_require_authority"),
        ]

    def __str__(self) -> str:
        return f"{self.person} signed {self.revision}"

    @property
    def method_words(self) -> str:
        """How the person proved the signature."""
        return method_words(self.body)

    @property
    def capacity(self) -> str:
        """The person's position in the business, as its answers state it."""
        return str(digests.parse(self.body.encode())["capacity"])

    @property
    def signer(self) -> dict[str, str]:
        """The person's id, name and address when they signed."""
        return _person_in(self.body)


class Decision(models.Model):
    """A staff decision on a signed pack, bound to the hash of what was signed.

    Approvals and the countersignature share this table, so that a database constraint stops anyone
    from deciding twice on one revision in any capacity.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("apr"))
    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="decisions")
    role = models.CharField(max_length=20, choices=DecisionRole)
    place = models.PositiveIntegerField(default=1)
    verdict = models.CharField(max_length=20, choices=DecisionKind)
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    note = models.TextField(blank=True)
    # Compliance only: whether its head decided.
    as_head = models.BooleanField(default=False)
    # Commercial only: the reason that the business reads, by refused product.
    refused_products = models.JSONField(default=dict)
    signed_set_sha256 = models.CharField(max_length=64)
    body = models.TextField()
    decision_sha256 = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["revision", "person"], name="nobody_decides_twice_on_a_pack"
            ),
            models.UniqueConstraint(
                fields=["revision", "role", "place"], name="a_place_is_decided_once"
            ),
            models.CheckConstraint(
                condition=Q(role=DecisionRole.COUNTERSIGNATORY, verdict=DecisionKind.COUNTERSIGNED)
                | ~Q(role=DecisionRole.COUNTERSIGNATORY) & ~Q(verdict=DecisionKind.COUNTERSIGNED),
                name="approvers_approve_and_countersignatories_countersign",
            ),
            models.CheckConstraint(
                condition=Q(refused_products={})
                | Q(role=DecisionRole.COMMERCIAL, verdict=DecisionKind.APPROVED)
                & ~Q(refused_products__has_any_keys=list(BASE_PRODUCTS)),
                name="products_are_refused_by_commercial_and_never_the_base",
            ),
            NeverChanges(name="decisions_never_change"),
            DatabaseRule.beside(__file__, "agreements_require_reviewer"),
            DatabaseRule.beside(__file__, "agreements_bind_acts"),
        ]

    def __str__(self) -> str:
        return f"{self.get_role_display()}: {self.get_verdict_display()}"

    @property
    def method_words(self) -> str:
        """How the person proved the decision, or "" where it needed no proof."""
        return method_words(self.body)

    @property
    def decider(self) -> dict[str, str]:
        """The person's id and name when they decided."""
        return _person_in(self.body)

    @property
    def is_confidential(self) -> bool:
        """Whether only compliance reads the note: it wrote it, and not to the business."""
        return self.role == DecisionRole.COMPLIANCE and self.verdict != DecisionKind.RETURNED


def method_words(body: str) -> str:
    """Say how an act was proven, and whether others can check that. "" if it needed no proof."""
    method = str(digests.parse(body.encode()).get("method", ""))
    return str(METHODS.get(method, method))


def _person_in(body: str) -> dict[str, str]:
    said: dict[str, dict[str, str]] = digests.parse(body.encode())
    return said["person"]
