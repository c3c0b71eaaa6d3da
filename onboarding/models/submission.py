"""Submission: the frozen answers on which the review and the agreements are based."""

from functools import cached_property
from typing import Any

from django.db import models
from django.db.models import BooleanField, F, Func, Value

from console.accounts.models import User
from console.audit.recorded import RecordedAs
from console.core import digests, ids
from console.core.database_rule import DatabaseRule
from console.core.frozen import NeverChanges
from onboarding.models.application import Application


class Names(Func):
    """Tell whether answers of a business contain an address that a user has or had."""

    function = "public.onboarding_names"
    output_field = BooleanField()

    def __init__(self, business: str, user: User) -> None:
        super().__init__(F(business), Value(user.pk))


class Submission(models.Model):
    """The answers as submitted. `body` is canonical JSON, identified by its SHA-256.

    `left_out` are the questions that had an answer but no longer applied.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("sub"))
    application = models.ForeignKey(
        Application, on_delete=models.PROTECT, related_name="submissions"
    )
    number = models.PositiveIntegerField()
    edition = models.CharField(max_length=20)
    body = models.TextField()
    submission_sha256 = models.CharField(max_length=64)
    left_out = models.JSONField(default=list, blank=True)
    restricted_list = models.CharField(max_length=40)
    declaration = models.TextField()
    submitted_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    submitted_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["application", "number"], name="submissions_are_numbered"
            ),
            NeverChanges(name="submissions_never_change"),
            models.UniqueConstraint(
                fields=["id", "application"], name="a_submission_and_its_application"
            ),
            RecordedAs(
                fields=[],
                added=True,
                about="application_id",
                of="onboarding_application",
                says={"details,sha256": "submission_sha256"},
                name="submissions_are_recorded",
            ),
            DatabaseRule.beside(__file__, "onboarding_names"),
        ]

    def __str__(self) -> str:
        return f"{self.application_id}, submission {self.number}"

    @cached_property
    def answers(self) -> dict[str, Any]:
        """The applicable answers, by question."""
        answers: dict[str, Any] = digests.parse(self.body.encode())["answers"]
        return answers
