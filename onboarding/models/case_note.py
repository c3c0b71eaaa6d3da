"""CaseNote: a staff note about a case, visible only to staff."""

from typing import Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from console.accounts.models import User
from console.audit.recorded import Recorded
from console.core import ids
from console.core.frozen import NeverChanges
from onboarding.models.application import Application


class CaseNoteQuerySet(models.QuerySet["CaseNote"]):
    """Queries for the case page."""

    def of(self, application: Application) -> Self:
        """Return the notes on a case, newest first."""
        return self.filter(application=application).order_by("-pk")


class CaseNote(models.Model):
    """A staff note about a case. Rows are added, never changed.

    Only compliance reads it if it `is_confidential`, because one of compliance wrote it.
    `mentioned` are the public IDs of the colleagues who were notified by e-mail.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("nte"))
    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="notes")
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    text = models.TextField()
    mentioned = ArrayField(models.CharField(max_length=40), default=list)
    at = models.DateTimeField()
    # As are notes from before this column.
    is_confidential = models.BooleanField(default=True, db_default=True)

    objects = CaseNoteQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(text=""), name="a_note_says_something"),
            NeverChanges(name="case_notes_never_change"),
            Recorded(fields=["text"], name="case_notes_are_recorded", added=True),
        ]

    def __str__(self) -> str:
        return f"note {self.public_id} on {self.application_id}"
