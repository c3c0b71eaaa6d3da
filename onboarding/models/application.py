"""Application: a business's request for API access, under one edition of the questionnaire."""

from datetime import datetime
from typing import Self

from django.db import models
from django.db.models import Q
from django.urls import reverse

from console.accounts.models import Business, Invitation, User
from console.audit.recorded import Recorded, recorded_status
from console.core import clock, ids, pages_above
from console.core.database_rule import DatabaseRule
from console.core.frozen import SetOnce
from console.core.immediate_key import ImmediateForeignKey
from console.core.moves_constraint import MovesConstraint
from onboarding.lifecycle import (
    IN_REVIEW,
    LIFECYCLE,
    OPEN,
    WRITABLE,
    ApplicationStatus,
)

# Waits for our reviewers.
FOR_REVIEW = Q(status__in=IN_REVIEW) | Q(open_again=True)


class ApplicationQuerySet(models.QuerySet["Application"]):
    """Queries for applications."""

    def of(self, business: Business) -> Self:
        """Return a business's applications, newest first."""
        return self.filter(business=business).order_by("-pk")

    def in_review(self) -> Self:
        """Return those waiting for our reviewers, longest wait first.

        Among them are accepted ones with a check that was run again and did not pass.
        """
        return self.filter(FOR_REVIEW).order_by("submitted_at", "pk")

    def seen_by_staff(self) -> Self:
        """Return those that have been submitted at least once."""
        return self.exclude(submission=None)

    def forgotten(self, since: datetime) -> Self:
        """Return those that the business can edit and has not changed since then."""
        return self.filter(status__in=WRITABLE, touched_at__lt=since).order_by("pk")

    def locked(self, application: "Application") -> "Application":
        """Return the current row, locked until the transaction ends."""
        rows = self.select_for_update(no_key=True, of=("self",))
        related = ("business", "submission", "assessment", "invitation")
        return rows.select_related(*related).get(pk=application.pk)


class Application(models.Model):
    """A business's request for API access, under one edition of the questionnaire.

    `revisions` counts the savings of each section, so that a page that is out of date is noticed.
    `submission` and `assessment` are the newest; `message` is what the business was last told;
    `released_at` is when a person released the newest submission from a hold; `invitation` is the
    newest one to the signatory whom the answers name. `withdrawn_at` is when its business took it
    back: one on hold then reads as withdrawn to the business, and stays on hold for our reviewers.
    `case_owner` is the reviewer to whom it is assigned, which changes nobody's rights. The database
    keeps `open_again`: whether it is accepted and has a check that was run again and did not pass.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("app"))
    business = models.ForeignKey(Business, on_delete=models.PROTECT)
    status = models.CharField(
        max_length=20, choices=ApplicationStatus, default=ApplicationStatus.DRAFT
    )
    edition = models.CharField(max_length=20)
    revisions = models.JSONField(default=dict, blank=True)
    message = models.TextField(blank=True)
    started_at = models.DateTimeField(default=clock.now)
    touched_at = models.DateTimeField(default=clock.now)
    submitted_at = models.DateTimeField(null=True)
    released_at = models.DateTimeField(null=True)
    decided_at = models.DateTimeField(null=True)
    withdrawn_at = models.DateTimeField(null=True)
    case_owner = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    open_again = models.BooleanField(default=False, db_default=False)
    submission = models.ForeignKey(
        "Submission", null=True, on_delete=models.PROTECT, related_name="+"
    )
    assessment = models.ForeignKey(
        "Assessment", null=True, on_delete=models.PROTECT, related_name="+"
    )
    invitation = models.ForeignKey(
        Invitation, null=True, on_delete=models.PROTECT, related_name="+"
    )

    objects = ApplicationQuerySet.as_manager()

    class Meta:
        constraints = [
            MovesConstraint(arrows=LIFECYCLE.arrows(), name="application_moves_by_the_table"),
            models.CheckConstraint(
                condition=Q(status__in=ApplicationStatus.values), name="application_status_is_known"
            ),
            models.UniqueConstraint(
                fields=["business"],
                condition=Q(status__in=OPEN, withdrawn_at=None),
                name="one_open_application_per_business",
            ),
            models.CheckConstraint(
                condition=Q(
                    status__in=[*WRITABLE, ApplicationStatus.WITHDRAWN, ApplicationStatus.EXPIRED]
                )
                | Q(submission__isnull=False, submitted_at__isnull=False),
                name="what_is_reviewed_was_submitted",
            ),
            models.CheckConstraint(
                condition=~Q(status__in=[ApplicationStatus.CLEARED, ApplicationStatus.EXECUTED])
                | Q(assessment__isnull=False),
                name="what_is_cleared_was_assessed",
            ),
            # Who may review it depends on the business it belongs to.
            SetOnce(
                fields=["id", "public_id", "business"], name="an_application_is_of_one_business"
            ),
            models.UniqueConstraint(
                fields=["id", "business"], name="an_application_and_its_business"
            ),
            ImmediateForeignKey(
                fields=["submission", "id"],
                to="onboarding.Submission",
                to_fields=["id", "application"],
                name="an_application_has_its_own_submission",
            ),
            ImmediateForeignKey(
                fields=["assessment", "id"],
                to="onboarding.Assessment",
                to_fields=["id", "application"],
                name="an_application_has_its_own_assessment",
            ),
            ImmediateForeignKey(
                fields=["invitation", "business"],
                to="accounts.Invitation",
                to_fields=["id", "business"],
                name="an_application_has_its_own_invitation",
            ),
            DatabaseRule.beside(__file__, "onboarding_require_act"),
            DatabaseRule.beside(__file__, "onboarding_require_access"),
            DatabaseRule.beside(__file__, "onboarding_note_open_again"),
            DatabaseRule.beside(__file__, "onboarding_require_newest"),
            Recorded(
                fields=["case_owner"],
                name="case_owners_are_recorded",
                condition="OLD.case_owner_id IS DISTINCT FROM NEW.case_owner_id",
            ),
            Recorded(fields=[], added=True, name="applications_are_recorded"),
            recorded_status("applications"),
        ]
        indexes = [
            models.Index(fields=["status", "submitted_at"], name="applications_by_status"),
            models.Index(
                fields=["submitted_at", "id"],
                condition=Q(status__in=IN_REVIEW),
                name="applications_in_review",
            ),
            # The queue's first page reads in this order, so its cost does not depend on the queue's
            # length.
            models.Index(
                fields=["submitted_at", "id"], condition=FOR_REVIEW, name="applications_for_review"
            ),
            models.Index(
                fields=["submitted_at", "id"],
                condition=Q(submission__isnull=False),
                name="applications_seen_by_staff",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.public_id} ({self.status})"

    def get_absolute_url(self) -> str:
        """Return the URL of its page for the business."""
        return reverse("onboarding:access", args=[self.business.public_id])

    @property
    def case_url(self) -> str:
        """Return the URL of its page for our reviewers."""
        return pages_above.address("case", self.public_id)

    @property
    def other_legal_name(self) -> str:
        """The legal name last submitted if it differs from the business's name, else ""."""
        stated = self.submission.answers["li_legal_name"] if self.submission else ""
        return "" if stated == self.business.name else str(stated)

    @property
    def told_status(self) -> ApplicationStatus:
        """The status shown to the business, which never reveals a hold."""
        if self.withdrawn_at is not None:
            return ApplicationStatus.WITHDRAWN
        if self.status == ApplicationStatus.HELD:
            return ApplicationStatus.SUBMITTED
        return ApplicationStatus(self.status)

    @property
    def tier(self) -> str:
        """The tier of the newest score, or "" before the first one."""
        return self.assessment.tier if self.assessment else ""

    @property
    def is_writable(self) -> bool:
        return self.status in WRITABLE

    def revision_of(self, section: str) -> int:
        return int(self.revisions.get(section, 0))

    @property
    def saves(self) -> str:
        """How often answers were saved: whoever saw another number has not seen these answers."""
        return str(sum(self.revisions.values()))
