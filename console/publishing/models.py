"""Publication: a version of a file, proposed by one person and put in use by another."""

from typing import Self

from django.db import models
from django.db.models import F, Q

from console.accounts.actors import SYSTEM, Actor
from console.accounts.models import User
from console.core import ids
from console.core.database_rule import DatabaseRule


class PublicationQuerySet(models.QuerySet["Publication"]):
    """Queries for publications."""

    def put_in_use(self) -> Self:
        """Return those that were ever put in use."""
        return self.filter(in_use_from__isnull=False)

    def in_use(self) -> Self:
        """Return those in use now: the newest of each kind."""
        newest = self.put_in_use().order_by("kind", "-in_use_from", "-pk").distinct("kind")
        return self.filter(pk__in=newest.values("pk"))

    def proposed(self) -> Self:
        """Return open proposals."""
        return self.filter(in_use_from=None, withdrawn_at=None)

    def with_people(self) -> Self:
        return self.select_related("proposed_by", "put_in_use_by", "withdrawn_by")

    def locked(self, publication: "Publication") -> "Publication":
        """Return the current row, locked until the transaction ends."""
        return self.select_for_update(no_key=True, of=("self",)).get(pk=publication.pk)


class Publication(models.Model):
    """A version that was proposed, then put in use or withdrawn, identified by its file's hash.

    The newest of each kind that was put in use is the one in use; older ones are kept. A row
    without people was put in use by the system (`SYSTEM`) at the first start, once for each kind.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("pub"))
    kind = models.CharField(max_length=40)
    version = models.CharField(max_length=40)
    sha256 = models.CharField(max_length=64)
    proposed_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    proposed_at = models.DateTimeField()
    put_in_use_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    in_use_from = models.DateTimeField(null=True)
    withdrawn_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    withdrawn_at = models.DateTimeField(null=True)

    objects = PublicationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(proposed_by=None, put_in_use_by=None, in_use_from__isnull=False)
                | Q(proposed_by__isnull=False, put_in_use_by=None, in_use_from=None)
                | Q(proposed_by__isnull=False, in_use_from__isnull=False)
                & Q(put_in_use_by__isnull=False)
                & ~Q(put_in_use_by=F("proposed_by")),
                name="two_people_put_a_version_in_use",
            ),
            models.CheckConstraint(
                condition=Q(withdrawn_by=None, withdrawn_at=None)
                | Q(withdrawn_by__isnull=False, withdrawn_at__isnull=False, in_use_from=None),
                name="only_a_proposal_is_withdrawn",
            ),
            models.UniqueConstraint(
                fields=["kind"],
                condition=Q(in_use_from=None, withdrawn_at=None),
                name="one_proposal_of_a_kind_at_a_time",
            ),
            models.UniqueConstraint(
                fields=["kind"],
                condition=Q(proposed_by=None),
                name="the_system_begins_a_kind_once",
            ),
            DatabaseRule.beside(__file__, "publishing_keep_history"),
            DatabaseRule.beside(__file__, "publishing_require_two_people"),
        ]
        indexes = [models.Index(fields=["kind", "-in_use_from", "-id"], name="publications_newest")]

    def __str__(self) -> str:
        return f"{self.kind} {self.version}"

    @property
    def proposer(self) -> Actor:
        return self.proposed_by or SYSTEM

    @property
    def publisher(self) -> Actor:
        """Who put it in use: a user, or the system at the first start."""
        return self.put_in_use_by or SYSTEM
