"""Pack: an application's documents, in revisions. Document: one document of a revision."""

from typing import Self

from django.db import models
from django.db.models import Q
from django.urls import reverse

from agreements.lifecycle import (
    ABANDONED,
    DOCUMENT_LIFECYCLE,
    LIFECYCLE,
    STANDS_APPROVED,
    STANDS_SIGNED,
    WITH_STAFF,
    DocumentStatus,
    PackStatus,
)
from console.accounts.models import Business
from console.audit.recorded import Recorded, recorded_status
from console.core import ids
from console.core.database_rule import DatabaseRule
from console.core.frozen import KeptWhile, SetOnce
from console.core.immediate_key import ImmediateForeignKey
from console.core.moves_constraint import MovesConstraint
from onboarding.models import Application


class PackQuerySet(models.QuerySet["Pack"]):
    """Queries for packs."""

    def of(self, business: Business) -> Self:
        """Return the packs of a business, newest first."""
        return self.filter(business=business).order_by("-pk")

    def live(self) -> Self:
        return self.exclude(status__in=ABANDONED)

    def executed(self) -> Self:
        return self.filter(status=PackStatus.EXECUTED)

    def locked(self, pack: "Pack") -> "Pack":
        """Return the current row, locked after its application until the transaction ends."""
        Application.objects.locked(pack.application)
        rows = self.select_for_update(no_key=True, of=("self",))
        return rows.select_related("business", "application", "revision").get(pk=pack.pk)


class Pack(models.Model):
    """The documents of one application: read one by one, signed once, approved and sealed.

    `revision` is the newest one. `fence` increases with each attempt to seal, so that a late
    attempt changes nothing. `salt` makes the manifest's hash impossible to guess. `versions` are
    the rules, law and prices that were in use when the pack was opened, by kind. The database keeps
    the `awaits_` columns: whether approvals of that role are missing.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("pak"))
    number = models.CharField(max_length=20, unique=True)
    business = models.ForeignKey(Business, on_delete=models.PROTECT)
    application = models.ForeignKey(Application, on_delete=models.PROTECT)
    status = models.CharField(max_length=20, choices=PackStatus, default=PackStatus.GENERATING)
    tier = models.CharField(max_length=10)
    versions = models.JSONField(default=dict)
    revision = models.ForeignKey("Revision", null=True, on_delete=models.PROTECT, related_name="+")
    failures = models.PositiveIntegerField(default=0)
    trouble = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    offered_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)
    signed_at = models.DateTimeField(null=True)
    approved_at = models.DateTimeField(null=True)
    executed_at = models.DateTimeField(null=True)
    fence = models.PositiveIntegerField(default=0)
    manifest_sha256 = models.CharField(max_length=64, blank=True)
    certificate_sha256 = models.CharField(max_length=64, blank=True)
    bundle_sha256 = models.CharField(max_length=64, blank=True)
    seal_state = models.JSONField(default=dict)
    awaits_compliance = models.BooleanField(default=False, db_default=False)
    awaits_commercial = models.BooleanField(default=False, db_default=False)
    awaits_legal = models.BooleanField(default=False, db_default=False)

    objects = PackQuerySet.as_manager()

    class Meta:
        constraints = [
            MovesConstraint(arrows=LIFECYCLE.arrows(), name="pack_moves_by_the_table"),
            models.CheckConstraint(
                condition=Q(status__in=PackStatus.values), name="pack_status_is_known"
            ),
            models.UniqueConstraint(
                fields=["application"],
                condition=~Q(status__in=ABANDONED),
                name="one_live_pack_per_application",
            ),
            models.CheckConstraint(
                condition=~Q(status=PackStatus.EXECUTED)
                | Q(executed_at__isnull=False, revision__isnull=False)
                & ~Q(manifest_sha256="")
                & ~Q(certificate_sha256="")
                & ~Q(bundle_sha256=""),
                name="what_is_executed_is_sealed",
            ),
            SetOnce(
                fields=[
                    *("id", "public_id", "created_at", "number", "business", "application"),
                    *("executed_at", "manifest_sha256", "certificate_sha256", "bundle_sha256"),
                ],
                name="what_was_sealed_never_changes",
            ),
            KeptWhile(
                fields=["revision", "offered_at", "expires_at", "signed_at"],
                statuses=STANDS_SIGNED,
                name="what_was_signed_is_kept",
            ),
            KeptWhile(
                fields=["approved_at"], statuses=STANDS_APPROVED, name="an_approval_keeps_its_time"
            ),
            KeptWhile(fields=["seal_state"], statuses=[PackStatus.EXECUTED], name="a_seal_is_kept"),
            # Another tier means other documents and approvers, so they start again.
            SetOnce(fields=["tier"], anew=PackStatus.GENERATING, name="a_packs_tier_is_kept"),
            # An operator can restart it with the versions that are then in use.
            SetOnce(
                fields=["versions"], anew=PackStatus.GENERATING, name="a_packs_versions_are_kept"
            ),
            ImmediateForeignKey(
                fields=["application", "business"],
                to="onboarding.Application",
                to_fields=["id", "business"],
                name="a_pack_is_of_its_own_application",
            ),
            ImmediateForeignKey(
                fields=["revision", "id"],
                to="agreements.Revision",
                to_fields=["id", "pack"],
                name="a_pack_has_its_own_revision",
            ),
            DatabaseRule.beside(__file__, "agreements_require_tier_of_case"),
            DatabaseRule.beside(__file__, "agreements_require_decisions"),
            DatabaseRule.beside(__file__, "agreements_note_awaited"),
            Recorded(fields=[], added=True, name="packs_are_recorded"),
            recorded_status("packs"),
        ]
        indexes = [
            models.Index(fields=["status", "expires_at"], name="packs_by_status"),
            models.Index(
                fields=["id"], condition=Q(status__in=WITH_STAFF), name="packs_with_staff"
            ),
            *(
                models.Index(
                    fields=["id"], condition=Q((f"awaits_{role}", True)), name=f"packs_for_{role}"
                )
                for role in ("compliance", "commercial", "legal")
            ),
        ]

    def __str__(self) -> str:
        return self.number

    def get_absolute_url(self) -> str:
        """The page where the business sees it."""
        return reverse("agreements:pack", args=[self.business.public_id])

    @property
    def supersedes(self) -> str:
        """The number of the executed pack that this one replaces, or nothing."""
        earlier = Pack.objects.of(self.business).executed().filter(pk__lt=self.pk).first()
        return earlier.number if earlier else ""


class Revision(models.Model):
    """One set of a pack's documents, fixed to the facts and rules that it was made from.

    Every `_sha256` column identifies a blob or canonical JSON, and never changes once set.
    """

    pack = models.ForeignKey(Pack, on_delete=models.PROTECT, related_name="revisions")
    number = models.PositiveIntegerField()
    facts_sha256 = models.CharField(max_length=64)
    ruleset_sha256 = models.CharField(max_length=64)
    trace_sha256 = models.CharField(max_length=64)
    profile_sha256 = models.CharField(max_length=64, blank=True)
    offer_sha256 = models.CharField(max_length=64, blank=True, db_index=True)
    signed_set_sha256 = models.CharField(max_length=64, blank=True, db_index=True)
    signatory = models.JSONField(default=dict)
    products = models.JSONField(default=list)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pack", "number"], name="revisions_of_a_pack_are_counted"
            ),
            models.CheckConstraint(
                condition=Q(signed_set_sha256="") | ~Q(offer_sha256=""),
                name="only_an_offer_is_signed",
            ),
            SetOnce(
                fields=[
                    "id",
                    "made_at",
                    "pack",
                    "number",
                    "facts_sha256",
                    "ruleset_sha256",
                    "trace_sha256",
                    "profile_sha256",
                    "offer_sha256",
                    "signed_set_sha256",
                    "signatory",
                    "products",
                ],
                name="what_was_offered_never_changes",
            ),
            models.UniqueConstraint(fields=["id", "pack"], name="a_revision_and_its_pack"),
        ]

    def __str__(self) -> str:
        return f"{self.pack} revision {self.number}"


class DocumentQuerySet(models.QuerySet["Document"]):
    """Queries for documents."""

    def in_order(self) -> Self:
        return self.order_by("order", "pk")


class Document(models.Model):
    """A document of one revision: its template, the PDF to read, and the sealed copy."""

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("doc"))
    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="documents")
    order = models.PositiveIntegerField()
    code = models.CharField(max_length=20)
    title = models.CharField(max_length=200)
    reference = models.CharField(max_length=140)
    status = models.CharField(
        max_length=20, choices=DocumentStatus, default=DocumentStatus.RENDERING
    )
    html_sha256 = models.CharField(max_length=64, blank=True)
    unsigned_sha256 = models.CharField(max_length=64, blank=True)
    unsigned_bytes = models.PositiveIntegerField(default=0)
    pages = models.PositiveIntegerField(default=0)
    sealed_sha256 = models.CharField(max_length=64, blank=True, db_index=True)

    objects = DocumentQuerySet.as_manager()

    class Meta:
        constraints = [
            MovesConstraint(arrows=DOCUMENT_LIFECYCLE.arrows(), name="document_moves_by_the_table"),
            models.UniqueConstraint(
                fields=["revision", "code"], name="a_document_stands_once_in_a_pack"
            ),
            models.CheckConstraint(
                condition=Q(status__in=[DocumentStatus.RENDERING, DocumentStatus.DROPPED])
                | ~Q(unsigned_sha256="") & ~Q(html_sha256="") & Q(pages__gt=0),
                name="what_is_offered_was_rendered",
            ),
            models.CheckConstraint(
                condition=~Q(status=DocumentStatus.IN_FORCE) | ~Q(sealed_sha256=""),
                name="what_is_in_force_is_sealed",
            ),
            SetOnce(
                fields=[
                    "id",
                    "public_id",
                    "revision",
                    "order",
                    "code",
                    "title",
                    "reference",
                    "html_sha256",
                    "unsigned_sha256",
                    "unsigned_bytes",
                    "pages",
                    "sealed_sha256",
                ],
                name="what_was_rendered_never_changes",
            ),
            DatabaseRule.beside(__file__, "agreements_refuse_late_document"),
        ]
        indexes = [models.Index(fields=["unsigned_sha256"], name="documents_by_unsigned")]

    def __str__(self) -> str:
        return f"{self.code} of {self.revision}"

    @property
    def version(self) -> str:
        return self.reference.partition("@")[2].partition("#")[0]

    @property
    def file_name(self) -> str:
        """Use a code: company names may contain characters that file systems do not allow."""
        return f"{self.order:02d}-{self.code}.pdf"
