"""Answer: the answer to one question, from one save of its section."""

from typing import Self

from django.db import models
from django.db.models import Q

from console.accounts.models import User
from console.core.database_rule import DatabaseRule
from console.core.frozen import NeverChanges
from onboarding.models.application import Application
from onboarding.reference import register_numbers


class AnswerQuerySet(models.QuerySet["Answer"]):
    """Queries for answers."""

    def of(self, application: Application) -> Self:
        return self.filter(application=application)

    def shown_on(self, section: str, revision: int, page: str) -> Self:
        """Return a section's answers as a page shows them: up to its revision, and its own."""
        shown = Q(revision__lte=revision)
        if page:
            shown |= Q(page=page)
        return self.filter(shown, section=section).newest()

    def of_registration(self, number: str) -> Self:
        """The answers that ever gave this registration number, or as a register writes it."""
        typed = {number, number.upper(), "".join(number.split()).upper()}
        typed |= {register_numbers.canonical(country, number) for country in register_numbers.KINDS}
        return self.filter(question="li_registration_number", value__in=sorted(typed))

    def newest(self) -> Self:
        """Return the last answer to each question."""
        return self.order_by("question", "-revision").distinct("question")


class Answer(models.Model):
    """The answer to one question, from one save of its section. Immutable.

    `value` is the parsed answer. `typed` is the input if it was not valid yet, so that nothing is
    lost. With neither, the answer was cleared. `page` is the open page that sent it, and `sequence`
    the number of that page's save.
    """

    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="answers")
    section = models.CharField(max_length=40)
    question = models.CharField(max_length=60)
    revision = models.PositiveIntegerField()
    page = models.CharField(max_length=32, blank=True)
    sequence = models.PositiveIntegerField(default=0)
    value = models.JSONField(null=True)
    typed = models.JSONField(null=True)
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    objects = AnswerQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["application", "question", "revision"], name="one_answer_for_each_saving"
            ),
            NeverChanges(name="answers_never_change"),
            models.CheckConstraint(
                condition=Q(value__isnull=True) | Q(typed__isnull=True),
                name="an_answer_is_a_value_or_what_was_typed",
            ),
            DatabaseRule.beside(__file__, "onboarding_note_participant"),
        ]
        indexes = [
            models.Index(
                fields=["value"],
                condition=Q(question="li_registration_number"),
                name="registration_numbers",
            )
        ]

    def __str__(self) -> str:
        return f"{self.question} of {self.application_id} at {self.revision}"
