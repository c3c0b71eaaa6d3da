"""EvidenceFile: a document of an applicant. CheckEvidence: a decision that is based on one."""

from typing import Self

from django.apps import apps
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from console.accounts.models import Business, User
from console.audit.recorded import Recorded
from console.core import clock, ids
from console.core.database_rule import DatabaseRule
from console.core.frozen import NeverChanges, SetOnce
from onboarding.evidence.media_types import ENDINGS, PDF
from onboarding.models import Application, CaseAct


class EvidenceKind(models.TextChoices):
    """What a file proves."""

    PASSPORT = "passport", _("Passport or identity card")
    ADDRESS = "address", _("Proof of address")
    INCORPORATION = "incorporation", _("Incorporation document")
    LICENCE = "licence", _("Licence")
    OWNERSHIP = "ownership", _("Ownership chart")
    AUTHORITY = "authority", _("Authority to sign")
    OTHER = "other", _("Other document")


class RemovalCause(models.TextChoices):
    """Why a file was removed."""

    WITHDRAWN = "withdrawn", _("Removed by the business")
    INFECTED = "infected", _("Removed: it contains a virus")
    OUTLIVED = "outlived", _("Removed: no longer needed")


class EvidenceFileQuerySet(models.QuerySet["EvidenceFile"]):
    """Queries for files."""

    def of(self, application: Application) -> Self:
        """Return the files of an application, removed ones too, oldest first."""
        return self.filter(application=application).select_related("uploaded_by").order_by("pk")

    def stored(self) -> Self:
        return self.filter(removed_at=None)

    def locked(self, file: "EvidenceFile") -> "EvidenceFile":
        """Return the current row, with its application locked until the transaction ends."""
        Application.objects.locked(file.application)
        return self.select_related("application__business").get(pk=file.pk)


class EvidenceFile(models.Model):
    """A file that proves what an application says. The row stays when the file is removed.

    `sha256` and `size` are of the copy that we wrote of the file and keep, `preview_sha256` is of a
    smaller picture of it.
    `scanned_at` is when the virus scanner found nothing. `erased_at` is when the bytes were
    deleted, after `removed_at`.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("evf"))
    application = models.ForeignKey(
        Application, on_delete=models.PROTECT, related_name="evidence_files"
    )
    kind = models.CharField(max_length=20, choices=EvidenceKind)
    name = models.CharField(max_length=200)
    media_type = models.CharField(max_length=40)
    size = models.PositiveIntegerField()
    pages = models.PositiveIntegerField(null=True)
    sha256 = models.CharField(max_length=64)
    preview_sha256 = models.CharField(max_length=64, blank=True)
    uploaded_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    uploaded_at = models.DateTimeField()
    scanned_at = models.DateTimeField(null=True)
    removed_at = models.DateTimeField(null=True)
    removed_because = models.CharField(max_length=20, choices=RemovalCause, blank=True)
    erased_at = models.DateTimeField(null=True)

    objects = EvidenceFileQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=EvidenceKind.values), name="a_kind_of_file_is_known"
            ),
            models.CheckConstraint(
                condition=Q(removed_at=None, removed_because="", erased_at=None)
                | Q(removed_at__isnull=False, removed_because__in=RemovalCause.values),
                name="a_removed_file_says_why",
            ),
            models.UniqueConstraint(
                fields=["application", "kind", "sha256"],
                condition=Q(removed_at=None),
                name="a_file_is_uploaded_once",
            ),
            SetOnce(
                fields=[
                    "id", "public_id", "application", "kind", "name", "media_type", "size",
                    "pages", "sha256", "preview_sha256", "uploaded_by", "uploaded_at",
                    "scanned_at", "removed_at", "removed_because", "erased_at",
                ],
                name="a_file_is_what_was_uploaded",
            ),
            Recorded(
                fields=["scanned_at", "removed_at"],
                name="evidence_files_are_recorded",
                added=True,
            ),
        ]  # fmt: skip
        indexes = [
            models.Index(
                fields=["id"],
                condition=Q(removed_at=None, scanned_at=None),
                name="evidence_to_scan",
            )
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.name}"

    @property
    def business(self) -> Business:
        return self.application.business

    @property
    def is_picture(self) -> bool:
        return self.media_type != PDF

    @property
    def download_name(self) -> str:
        """A name that ends as its content does, whatever it was called."""
        return f"{self.public_id}{ENDINGS[self.media_type]}"

    @property
    def awaits_scan(self) -> bool:
        """Tell whether nobody may see it yet, because the virus scanner has not answered."""
        return bool(settings.CLAMAV) and self.scanned_at is None

    @property
    def is_shown(self) -> bool:
        return self.removed_at is None and not self.awaits_scan

    def may_be_withdrawn(self) -> bool:
        """Tell whether its business may remove it: until it submits the application with it."""
        submitted = self.application.submitted_at
        fresh = submitted is None or self.uploaded_at > submitted
        mine = self.removed_at is None and self.application.is_writable and fresh
        return mine and not self.is_used()

    def is_used(self) -> bool:
        """Tell whether a decision is based on it, or our reviewers got it as a reply."""
        replies = apps.get_model("information", "InformationItem").objects.filter(file=self)
        return self.decisions.exists() or replies.exclude(request__status="open").exists()

    def remove(self, because: RemovalCause) -> None:
        self.removed_at, self.removed_because = clock.now(), because
        self.save(update_fields=["removed_at", "removed_because"])


class CheckEvidence(models.Model):
    """A file on which a reviewer rested a decision, with its hash at that time. Immutable."""

    act = models.ForeignKey(CaseAct, on_delete=models.PROTECT, related_name="evidence")
    file = models.ForeignKey(EvidenceFile, on_delete=models.PROTECT, related_name="decisions")
    sha256 = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["act", "file"], name="a_decision_names_a_file_once"),
            NeverChanges(name="evidence_of_decisions_never_changes"),
            DatabaseRule.beside(__file__, "evidence_require_head"),
        ]

    def __str__(self) -> str:
        return f"{self.act_id}: {self.sha256}"
