"""The log and its chain.

Entry, UnlinkedEntry, ChainLink, ChainHead, PublishedHead, ChainCheck, CountedAttempt.
"""

from typing import Any, Self

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector
from django.db import models
from django.db.models import F, Value
from django.db.models.functions import Left, Replace

from console.core import ids
from console.core.database_rule import DatabaseRule
from console.core.frozen import NeverChanges

# The words of an entry's first part, which is all of any but the longest. In JSON a line break is
# two characters, and the second would be the first letter of the next word.
_READ = 100_000
ENTRY_WORDS = SearchVector(
    Replace(Left(F("body"), _READ), Value("\\n"), Value(" ")), config="simple"
)


class EntryQuerySet(models.QuerySet["Entry"]):
    def about(self, subject_id: str) -> Self:
        return self.filter(subject_id=subject_id)

    def newest_first(self) -> Self:
        return self.order_by("-at", "-pk")


class Entry(models.Model):
    """Who did what to which object, and when.

    Subjects and users are stored as ids, not foreign keys, so the log outlives what it describes.
    `body` is the canonical JSON of the whole entry, which the chain hashes; the columns are only
    for searching. Triggers set the time, and refuse UPDATE, DELETE and TRUNCATE.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("aud"))
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
            GinIndex(ENTRY_WORDS, name="audit_by_words"),
            models.Index(
                fields=["request_id"],
                condition=~models.Q(request_id=""),
                name="audit_by_request",
            ),
        ]
        constraints = [
            DatabaseRule.beside(__file__, "audit_refuse"),
            DatabaseRule.beside(__file__, "audit_time"),
            DatabaseRule.beside(__file__, "audit_refuse_unreadable"),
            DatabaseRule.beside(__file__, "audit_link_entries"),
            DatabaseRule.beside(__file__, "audit_queue_entry"),
            DatabaseRule.beside(__file__, "audit_entries_now"),
            DatabaseRule.beside(__file__, "audit_require_entry"),
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.subject_id} at {self.at:%Y-%m-%d %H:%M:%S}"


class UnlinkedEntry(models.Model):
    """An entry that is not in the chain yet, and the transaction that wrote it.

    Only the database writes and deletes these rows.
    """

    entry = models.OneToOneField(
        Entry,
        on_delete=models.PROTECT,
        primary_key=True,
        related_name="unlinked",
        db_constraint=False,
    )
    transaction = models.BigIntegerField()

    class Meta:
        db_table = "audit_unlinked"
        indexes = [models.Index(fields=["transaction"], name="audit_unlinked_by_transaction")]

    def __str__(self) -> str:
        return f"entry {self.entry_id}"


class ChainLink(models.Model):
    """An entry's position in the chain, written by the database after the entry's commit."""

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


class ChainHead(models.Model):
    """The end of a chain: how many entries it has, and the hash of the last one."""

    chain = models.CharField(max_length=20, primary_key=True)
    count = models.BigIntegerField()
    hash = models.CharField(max_length=64)

    class Meta:
        db_table = "audit_head"

    def __str__(self) -> str:
        return f"{self.chain}: {self.count} entries"

    def anchor(self) -> dict[str, Any]:
        """Return the values to store elsewhere, as printed by `manage.py audit head`."""
        return {"chain": self.chain, "count": self.count, "hash": self.hash}


class Channel(models.TextChoices):
    """How a head was published."""

    NIGHTLY = "nightly", "E-mail to the auditors"
    BUNDLE = "bundle", "Bundle of an executed pack"


class PublishedHead(models.Model):
    """The head of the chain at one moment, as published to others. Immutable.

    `about` identifies the publication: a day, or a pack's number. The file of heads ensures that
    each is published once. There is no unique constraint, because a row forged by the site's role
    could then block the real one. The database refuses a head that the chain never had.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("hed"))
    chain = models.CharField(max_length=20)
    count = models.BigIntegerField()
    hash = models.CharField(max_length=64)
    at = models.DateTimeField()
    channel = models.CharField(max_length=20, choices=Channel)
    about = models.CharField(max_length=40)

    class Meta:
        db_table = "audit_published_head"
        constraints = [
            models.CheckConstraint(condition=models.Q(chain="main"), name="heads_are_of_one_chain"),
            models.CheckConstraint(
                condition=models.Q(channel__in=Channel.values), name="a_heads_channel_is_known"
            ),
            NeverChanges(name="published_heads_never_change"),
            DatabaseRule.beside(__file__, "audit_refuse_unknown_head"),
        ]
        indexes = [
            models.Index(fields=["-at", "-id"], name="published_heads_newest"),
            models.Index(fields=["channel", "about"], name="published_heads_by_what"),
        ]

    def __str__(self) -> str:
        return f"{self.chain} at {self.count}, {self.get_channel_display()} {self.about}"


class ChainCheck(models.Model):
    """The result of comparing the chain with every published head. Immutable."""

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("chc"))
    at = models.DateTimeField()
    entries = models.BigIntegerField()
    heads = models.PositiveIntegerField()
    found = models.PositiveIntegerField()
    findings = models.JSONField(default=list)

    class Meta:
        db_table = "audit_chain_check"
        constraints = [NeverChanges(name="chain_checks_never_change")]
        indexes = [models.Index(fields=["-at", "-id"], name="chain_checks_newest")]

    def __str__(self) -> str:
        return f"{self.found} findings in {self.entries} entries"


class CountedAttempt(models.Model):
    """How many requests from one network to one page failed within one minute.

    Attempts by strangers, and by signed-in users who keep repeating them, only increase a count, so
    a flood costs one row per network, page, outcome and minute. `network` is null if it is unknown,
    or if there were too many networks.
    """

    minute = models.DateTimeField()
    network = models.GenericIPAddressField(null=True)
    page = models.CharField(max_length=80)
    status = models.PositiveSmallIntegerField()
    refusal = models.CharField(max_length=40, blank=True)
    request_id = models.CharField(max_length=40)
    count = models.PositiveIntegerField(default=1)

    class Meta:
        db_table = "audit_counted_attempt"
        constraints = [
            models.UniqueConstraint(
                fields=["minute", "network", "page", "status", "refusal"],
                nulls_distinct=False,
                name="attempts_of_a_minute_are_counted_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.page}: {self.count} in the minute of {self.minute:%H:%M}"
