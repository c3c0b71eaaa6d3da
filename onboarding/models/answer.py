"""Answer: the answer to one question, from one save of its section."""

import re
from typing import Self

from django.contrib.postgres.indexes import GinIndex, OpClass
from django.db import models
from django.db.models import Q

from console.accounts.models import User
from console.core.database_rule import DatabaseRule
from console.core.frozen import NeverChanges
from onboarding.models.application import Application
from onboarding.reference import register_numbers

# Of a number that is searched inside others: a shorter one would be in many.
_FEWEST = 5
_ZEROS = re.compile(r"(?<![0-9])0+(?=[0-9])")


class PlainNumber(models.Func):
    """The letters A to Z and digits of a registration number."""

    template = "regexp_replace(upper((%(expressions)s)::text), '[^0-9A-Z]', '', 'g')"
    output_field = models.TextField()


def _plain(number: str) -> str:
    return re.sub("[^0-9A-Z]", "", number.upper())


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
        """The answers that ever gave this registration number, as a register writes it or as typed.

        What is beside it does not matter: a court, a town, blanks, or zeros at the start.
        """
        typed = {number, number.upper(), "".join(number.split()).upper()}
        typed |= {register_numbers.canonical(country, number) for country in register_numbers.KINDS}
        rows = self.filter(question="li_registration_number").alias(plain=PlainNumber("value"))
        asked = Q(value__in=sorted(typed))
        for plain in sorted(
            {_plain(one) for text in typed for one in (text, _ZEROS.sub("", text))}
        ):
            if len(plain) >= _FEWEST and re.search(r"[0-9]", plain):
                asked |= Q(plain__contains=plain)
        return rows.filter(asked)

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
            ),
            GinIndex(
                OpClass(PlainNumber("value"), "gin_trgm_ops"),
                condition=Q(question="li_registration_number"),
                fastupdate=False,
                name="plain_registration_numbers",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.question} of {self.application_id} at {self.revision}"
