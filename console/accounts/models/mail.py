"""StoppedMail: an address that no longer wants e-mail. EmailChange: a person's new address."""

from datetime import datetime, timedelta
from typing import Self

from django.db import models
from django.db.models.functions import Coalesce

from console.accounts.models.business import Business
from console.accounts.models.person import User
from console.audit.recorded import RecordedAs
from console.core import clock, ids
from console.core.database_rule import DatabaseRule
from console.core.frozen import SetOnce

# How long the old address can object. Long enough for a user who is on holiday.
OBJECTION = timedelta(days=14)


class StoppedMail(models.Model):
    """Stops e-mails to an address from a business, or from our public pages."""

    email = models.EmailField()
    business = models.ForeignKey(Business, null=True, on_delete=models.PROTECT)
    stopped_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["email", "business"], nulls_distinct=False, name="mail_is_stopped_once"
            ),
        ]

    def __str__(self) -> str:
        return f"no e-mail to {self.email} from {self.business or 'public pages'}"


class EmailChangeQuerySet(models.QuerySet["EmailChange"]):
    def waiting(self) -> Self:
        return self.filter(confirmed_at=None, ended_at=None)

    def open_to_objection(self) -> Self:
        """Return the changes that the old address can still object to."""
        began = Coalesce("confirmed_at", "asked_at")
        return self.alias(began=began).filter(ended_at=None, began__gt=clock.now() - OBJECTION)


class EmailChange(models.Model):
    """A new address, which counts once the link sent to it is opened.

    It ends when another one is asked for, or when the owner of the old address objects.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("emc"))
    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="email_changes")
    old_email = models.EmailField()
    new_email = models.EmailField()
    asked_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    objects = EmailChangeQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["person"],
                condition=models.Q(confirmed_at=None, ended_at=None),
                name="one_new_address_waits_at_a_time",
            ),
            # Reviewers are compared with the addresses that they had.
            SetOnce(
                fields=[
                    *("id", "public_id", "person", "old_email", "new_email"),
                    *("asked_at", "confirmed_at", "ended_at"),
                ],
                name="an_address_changes_once",
                deletable=True,
            ),
            RecordedAs(
                fields=["confirmed_at", "ended_at"],
                added=True,
                removed=True,
                about="person_id",
                name="email_changes_are_recorded",
            ),
            DatabaseRule.beside(__file__, "accounts_mailbox"),
            DatabaseRule.beside(__file__, "accounts_mailboxes_of"),
            DatabaseRule.beside(__file__, "accounts_same_person"),
        ]
        indexes = [models.Index(fields=["old_email"], name="email_changes_by_old_address")]

    def __str__(self) -> str:
        return f"{self.old_email} to {self.new_email}"

    @property
    def objection_ends_at(self) -> datetime:
        return (self.confirmed_at or self.asked_at) + OBJECTION
