"""Entry: one immutable line of the audit log. Link and Head: the chain that holds it."""

from typing import Any, Self

from django.db import models

from console.core import ids


class EntryQuerySet(models.QuerySet["Entry"]):
    """The log, as people ask for it."""

    def about(self, subject_id: str) -> Self:
        return self.filter(subject_id=subject_id)

    def newest_first(self) -> Self:
        return self.order_by("-at", "-pk")


class Entry(models.Model):
    """Who did what to which thing, when.

    Subjects and people are named, not linked, so the log outlives what it describes. `body` is
    the canonical JSON of the whole entry: it is what the chain hashes; the columns beside it
    only find it. Triggers refuse UPDATE, DELETE and TRUNCATE.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.entry_id)
    at = models.DateTimeField()
    code = models.CharField(max_length=80)
    actor_id = models.CharField(max_length=40, blank=True)
    actor_name = models.CharField(max_length=200)
    business_id = models.CharField(max_length=40, blank=True)
    subject_type = models.CharField(max_length=40)
    subject_id = models.CharField(max_length=80)
    request_id = models.CharField(max_length=40, blank=True)
    body = models.TextField()

    objects = EntryQuerySet.as_manager()

    class Meta:
        db_table = "audit_entry"
        indexes = [
            models.Index(fields=["subject_id", "-at"], name="audit_by_subject"),
            models.Index(fields=["business_id", "-at"], name="audit_by_business"),
            models.Index(fields=["actor_id", "-at"], name="audit_by_actor"),
            models.Index(fields=["-at", "-id"], name="audit_newest"),
            models.Index(fields=["code", "-at"], name="audit_by_code"),
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.subject_id} at {self.at:%Y-%m-%d %H:%M:%S}"


class Link(models.Model):
    """An entry's place in the chain, written by the database when the entry commits."""

    chain = models.CharField(max_length=20)
    seq = models.BigIntegerField()
    entry = models.OneToOneField(
        Entry, on_delete=models.PROTECT, related_name="link", db_constraint=False
    )
    prev = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    class Meta:
        db_table = "audit_link"
        constraints = [
            models.UniqueConstraint(fields=["chain", "seq"], name="audit_chain_has_no_fork"),
        ]

    def __str__(self) -> str:
        return f"{self.chain} {self.seq}"


class Head(models.Model):
    """Where a chain ends: how many entries it has, and the hash of the last."""

    chain = models.CharField(max_length=20, primary_key=True)
    count = models.BigIntegerField()
    hash = models.CharField(max_length=64)

    class Meta:
        db_table = "audit_head"

    def __str__(self) -> str:
        return f"{self.chain}: {self.count} entries"

    def anchor(self) -> dict[str, Any]:
        """Return what is kept outside, by whoever runs `manage.py audit head`."""
        return {"chain": self.chain, "count": self.count, "hash": self.hash}
