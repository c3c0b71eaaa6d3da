"""Sanctions lists as rows, what each version changed, and who is screened against a change."""

from datetime import datetime
from typing import Self

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from console.audit.recorded import Recorded
from console.core import ids
from console.core.database_rule import DatabaseRule
from console.core.frozen import SetOnce
from onboarding.models import Check


class ListKind(models.TextChoices):
    """A sanctions list that we can import."""

    OFAC = "ofac", _("OFAC Specially Designated Nationals")
    UN = "un", _("United Nations Security Council")
    EU = "eu", _("European Union")
    UK = "uk", _("United Kingdom")
    OPENSANCTIONS = "opensanctions", _("OpenSanctions")


class ListedType(models.TextChoices):
    """What a list entry is about."""

    PERSON = "person", _("Person")
    ORGANISATION = "organisation", _("Organisation")
    VESSEL = "vessel", _("Vessel")
    OTHER = "other", _("Other")


class NameKind(models.TextChoices):
    """How the publisher describes a name. A weak alias alone identifies nobody."""

    PRIMARY = "primary", _("Primary name")
    ALIAS = "alias", _("Alias")
    WEAK = "weak", _("Weak alias")


class ListVersionQuerySet(models.QuerySet["ListVersion"]):
    """Queries for versions of lists."""

    def in_force(self) -> Self:
        return self.filter(in_force_from__isnull=False, superseded_at=None)


class ListVersion(models.Model):
    """A file of a list: in force, superseded by a newer one, or refused with a reason.

    `checked_at` is when its source last had this same file. `validators` are the headers for
    conditional requests, by URL.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("slv"))
    kind = models.CharField(max_length=20, choices=ListKind)
    source = models.CharField(max_length=500)
    sha256 = models.CharField(max_length=64)
    published_at = models.DateTimeField(null=True)
    imported_at = models.DateTimeField()
    checked_at = models.DateTimeField()
    validators = models.JSONField(default=dict)
    entry_count = models.PositiveIntegerField(default=0)
    name_count = models.PositiveIntegerField(default=0)
    in_force_from = models.DateTimeField(null=True)
    superseded_at = models.DateTimeField(null=True)
    refused_because = models.TextField(blank=True)

    objects = ListVersionQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["kind", "-id"], name="list_versions_newest")]
        constraints = [
            models.UniqueConstraint(
                fields=["kind"],
                condition=Q(in_force_from__isnull=False, superseded_at=None),
                name="one_version_of_a_list_in_force",
            ),
            models.CheckConstraint(
                condition=(Q(in_force_from=None, superseded_at=None) & ~Q(refused_because=""))
                | Q(in_force_from__isnull=False, refused_because=""),
                name="a_list_version_is_in_force_or_refused",
            ),
            SetOnce(
                fields=[
                    *("id", "public_id", "kind", "sha256", "published_at"),
                    *("imported_at", "entry_count", "name_count"),
                    *("in_force_from", "superseded_at"),
                ],
                name="a_list_version_keeps_its_file",
            ),
            Recorded(
                fields=["in_force_from", "refused_because"],
                added=True,
                name="versions_of_lists_are_recorded",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.dated:%-d %b %Y}"

    @property
    def dated(self) -> datetime:
        """When it was published or, if the file does not say, imported."""
        return self.published_at or self.imported_at


class ListEntryQuerySet(models.QuerySet["ListEntry"]):
    """Queries for entries."""

    def current(self) -> Self:
        """Return the entries of the versions in force."""
        return self.filter(gone=None)


class ListEntry(models.Model):
    """One entry with certain content. Changed content is a new row; the old row is kept.

    `since` is the first version with this content, `gone` the first one without it. `birth_dates`
    are as precise as the list: `1961`, `1961-04` or `1961-04-12`. `countries` are ISO codes;
    `identifiers` are objects with `kind`, `value` and, if known, `country`.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("sle"))
    kind = models.CharField(max_length=20, choices=ListKind)
    uid = models.CharField(max_length=200)
    type = models.CharField(max_length=20, choices=ListedType)
    name = models.TextField()
    programme = models.TextField(blank=True)
    birth_dates = ArrayField(models.CharField(max_length=10), default=list)
    countries = ArrayField(models.CharField(max_length=2), default=list)
    identifiers = models.JSONField(default=list)
    url = models.CharField(max_length=500, blank=True)
    details = models.JSONField(default=dict)
    sha256 = models.CharField(max_length=64)
    since = models.ForeignKey(ListVersion, on_delete=models.PROTECT, related_name="added_entries")
    gone = models.ForeignKey(
        ListVersion, null=True, on_delete=models.PROTECT, related_name="removed_entries"
    )

    objects = ListEntryQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "uid"], condition=Q(gone=None), name="one_current_entry_of_a_uid"
            ),
            models.CheckConstraint(
                condition=Q(gone=None) | Q(gone__gt=F("since")), name="an_entry_goes_after_it_came"
            ),
            SetOnce(
                fields=[
                    *("id", "public_id", "kind", "uid", "type", "name", "programme"),
                    *("birth_dates", "countries", "identifiers", "url", "details", "sha256"),
                    *("since", "gone"),
                ],
                name="a_list_entry_keeps_its_content",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.uid}: {self.name}"


class ListName(models.Model):
    """One name of an entry, and its index: `normal` for trigrams, `keys` for exact lookups."""

    entry = models.ForeignKey(ListEntry, on_delete=models.PROTECT, related_name="names")
    name = models.TextField()
    kind = models.CharField(max_length=10, choices=NameKind)
    normal = models.TextField()
    keys = ArrayField(models.TextField())
    keys_version = models.PositiveSmallIntegerField()

    class Meta:
        indexes = [
            GinIndex(fields=["keys"], name="list_names_by_key"),
            GinIndex(fields=["normal"], name="list_names_by_trigram", opclasses=["gin_trgm_ops"]),
            models.Index(fields=["keys_version"], name="list_names_by_keys_version"),
        ]
        constraints = [
            SetOnce(fields=["entry", "name", "kind"], name="a_listed_name_keeps_its_letters"),
            DatabaseRule.beside(__file__, "screening_record_lists"),
        ]

    def __str__(self) -> str:
        return self.name


class ListDownload(models.Model):
    """When we last tried to download a list, and why that failed."""

    kind = models.CharField(max_length=20, choices=ListKind, primary_key=True)
    attempted_at = models.DateTimeField()
    error = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"{self.kind}, {self.error or 'downloaded'}"


class Rescreening(models.Model):
    """The screening of known parties against what a version of a list added or changed.

    `match_count` is for how many parties the check was run again, because a name is similar.
    """

    version = models.OneToOneField(ListVersion, on_delete=models.PROTECT)
    party_count = models.PositiveIntegerField()
    match_count = models.PositiveIntegerField(default=0)
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [SetOnce(fields=["id", "version"], name="a_rescreening_is_of_one_version")]

    def __str__(self) -> str:
        return f"against version {self.version_id}"


class WaitingParty(models.Model):
    """A party that is still to be screened. The row is removed when that is done."""

    rescreening = models.ForeignKey(Rescreening, on_delete=models.PROTECT, related_name="waiting")
    screening = models.ForeignKey(Check, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["rescreening", "screening"], name="a_party_waits_once_for_a_version"
            ),
        ]

    def __str__(self) -> str:
        return f"check {self.screening_id}"
