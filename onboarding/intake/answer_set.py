"""AnswerSet: an application's answers at one moment, with their edition."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from onboarding.information import open_questions
from onboarding.information.models import InformationItem
from onboarding.models import Answer, Application
from onboarding.questionnaire.edition_schema import Edition


@dataclass(frozen=True)
class AnswerSet:
    """The newest answers of an application."""

    edition: Edition
    rows: Mapping[str, Answer]

    @property
    def values(self) -> dict[str, Any]:
        return {key: row.value for key, row in self.rows.items() if row.value is not None}

    @property
    def unreadable(self) -> frozenset[str]:
        return frozenset(key for key, row in self.rows.items() if row.typed is not None)

    def typed(self, key: str) -> Any:
        row = self.rows.get(key)
        return None if row is None else row.typed

    def open_keys(
        self, application: Application, asked: Sequence[InformationItem] | None = None
    ) -> frozenset[str] | None:
        """Return the questions whose answers the business may change, or None for all.

        `asked`: the open questions of our reviewers, if they were read already.
        """
        return open_questions.open_keys(
            application, self.edition, self.values, self.unreadable, asked
        )
