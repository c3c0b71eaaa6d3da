"""InformationRequest: what a reviewer asks of a business. InformationItem: one question of it."""

from typing import Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from console.accounts.models import Business, User
from console.audit.recorded import Recorded
from console.core import ids
from console.core.frozen import SetOnce
from console.core.moves_constraint import MovesConstraint
from onboarding.evidence.models import EvidenceFile, EvidenceKind
from onboarding.information.lifecycle import LIFECYCLE, InformationStatus
from onboarding.models import Application

EXPLAIN, CORRECT = "explain", "correct"
#: What an item asks for: words, another answer, or a document of one kind.
NEEDS = [
    (EXPLAIN, _("Explain in words")),
    (CORRECT, _("Correct the answer")),
    *EvidenceKind.choices,
]


class InformationRequestQuerySet(models.QuerySet["InformationRequest"]):
    """Queries for requests."""

    def of(self, application: Application) -> Self:
        """Return the requests of an application with their items, newest first."""
        rows = self.filter(application=application).select_related("asked_by")
        return rows.prefetch_related("items__file", "items__about_file").order_by("-pk")

    def open(self) -> Self:
        return self.filter(status=InformationStatus.OPEN)

    def locked(self, asked: "InformationRequest") -> "InformationRequest":
        """Return the current row, with its application locked until the transaction ends."""
        application = Application.objects.locked(asked.application)
        found = self.select_related("asked_by").get(pk=asked.pk)
        found.application = application
        return found


class InformationRequest(models.Model):
    """Questions that a reviewer sent together. `note` is why it was opened again.

    `reminders` counts the reminders since it was last opened.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("rfi"))
    application = models.ForeignKey(
        Application, on_delete=models.PROTECT, related_name="information_requests"
    )
    status = models.CharField(
        max_length=20, choices=InformationStatus, default=InformationStatus.OPEN
    )
    note = models.TextField(blank=True)
    asked_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField()
    opened_at = models.DateTimeField()
    due_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    reminders = models.PositiveSmallIntegerField(default=0)

    objects = InformationRequestQuerySet.as_manager()

    class Meta:
        constraints = [
            MovesConstraint(arrows=LIFECYCLE.arrows(), name="request_moves_by_the_table"),
            models.CheckConstraint(
                condition=Q(status__in=InformationStatus.values), name="request_status_is_known"
            ),
            SetOnce(
                fields=["id", "public_id", "application", "asked_by", "asked_at", "closed_at"],
                name="a_request_is_of_one_case",
            ),
            Recorded(fields=["status"], name="requests_are_recorded", added=True),
        ]
        indexes = [
            models.Index(
                fields=["due_at"],
                condition=Q(status=InformationStatus.OPEN),
                name="requests_to_remind",
            )
        ]

    def __str__(self) -> str:
        return f"request {self.public_id}"

    @property
    def business(self) -> Business:
        return self.application.business

    @property
    def is_open(self) -> bool:
        return self.status == InformationStatus.OPEN

    @property
    def is_answered(self) -> bool:
        return self.status == InformationStatus.ANSWERED

    @property
    def corrects(self) -> bool:
        """Whether it asks for other answers, so the application must be submitted again."""
        return any(item.need == CORRECT for item in self.items.all())

    @property
    def awaits_correction(self) -> bool:
        return any(item.is_correction and not item.replied_at for item in self.items.all())

    @property
    def is_complete(self) -> bool:
        return all(item.is_replied for item in self.items.all())


class InformationItem(models.Model):
    """One question of a request, perhaps about an answer or a file, and the reply.

    A correction without a question opens all answers.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("rfq"))
    request = models.ForeignKey(InformationRequest, on_delete=models.PROTECT, related_name="items")
    need = models.CharField(max_length=20, choices=NEEDS)
    question = models.CharField(max_length=60, blank=True)
    about_file = models.ForeignKey(
        EvidenceFile, null=True, on_delete=models.PROTECT, related_name="+"
    )
    words = models.TextField()
    reply = models.TextField(blank=True)
    file = models.ForeignKey(EvidenceFile, null=True, on_delete=models.PROTECT, related_name="+")
    replied_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(need__in=[need for need, _label in NEEDS]), name="a_need_is_known"
            ),
            SetOnce(
                fields=["id", "public_id", "request", "need", "question", "about_file", "words"],
                name="a_question_is_as_it_was_sent",
            ),
        ]

    def __str__(self) -> str:
        return self.words

    @property
    def is_replied(self) -> bool:
        """Whether there is a reply. A document that was removed is none."""
        return self.replied_at is not None and not (self.file and self.file.removed_at)

    @property
    def is_correction(self) -> bool:
        return self.need == CORRECT

    @property
    def wants_document(self) -> bool:
        return self.need in EvidenceKind.values

    @property
    def wants_words(self) -> bool:
        return self.need == EXPLAIN
