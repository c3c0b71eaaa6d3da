"""Three-way merge of a form with what its page showed and what others saved meanwhile."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from onboarding.intake import typed_answers
from onboarding.intake.typed_answers import Draft, content
from onboarding.models import Answer, Application
from onboarding.questionnaire.answer_problems import Typed
from onboarding.questionnaire.edition_schema import Question, Section

Rows = Mapping[str, Answer]


@dataclass(frozen=True)
class OpenPage:
    """The page that a form was sent from: the revision it shows, and its own earlier saves.

    `name` is assigned when the page is rendered, to recognise answers that the page saved itself.
    `sequence` counts these saves, so that a late request does not undo a newer one.
    """

    revision: int
    name: str = ""
    sequence: int = 0

    def has_seen(self, row: Answer) -> bool:
        return row.revision <= self.revision or self.sent(row)

    def sent(self, row: Answer) -> bool:
        return bool(self.name and row.page == self.name)

    def is_late(self, row: Answer | None) -> bool:
        """Tell whether the page has already saved a newer answer to this question."""
        return bool(row and self.sent(row) and row.sequence > self.sequence)


@dataclass(frozen=True)
class Merge:
    """What a form changes, the unseen answers it would overwrite, and all unseen answers."""

    changed: tuple[Draft, ...] = ()
    conflicts: Mapping[str, Answer] = field(default_factory=dict)
    unseen: tuple[Answer, ...] = ()


def seen(application: Application, section: Section, rows: Rows, page: OpenPage) -> Rows:
    """Return the answers of a section as the page shows them."""
    newest = {key: row for key, row in rows.items() if row.section == section.key}
    if all(page.has_seen(row) for row in newest.values()):
        return newest
    then = Answer.objects.of(application).shown_on(section.key, page.revision, page.name)
    return {row.question: row for row in then}


def merge(
    section: Section,
    sent: list[Draft],
    rows: Rows,
    then: Rows,
    page: OpenPage,
    suggested: Mapping[str, Typed],
) -> Merge:
    """Compare what was sent with what the page showed and with what is stored (`rows`).

    It showed the answers `then` and the suggestions. A suggestion that nobody touched is saved,
    unless somebody has answered the question meanwhile.
    """
    said = {draft.question.key: draft for draft in sent}
    unseen = {
        question.key: row
        for question in section.questions
        if (row := rows.get(question.key))
        and (
            content(row) != content(then.get(question.key))
            # Emptied where the page showed a suggestion.
            or (question.key in suggested and not page.has_seen(row))
        )
    }
    changed, conflicts = list[Draft](), dict[str, Answer]()
    for draft in sent:
        key = draft.question.key
        if key in suggested and key in rows:
            touched = not draft.repeats(suggested[key])
        else:
            touched = draft.was_touched_since(then.get(key))
        if not draft.differs_from(rows.get(key)):
            # Stored already, perhaps by somebody else: note that this page sent it, and when.
            changed += [draft] * bool(page.name and (touched or page.sequence))
        elif not touched:
            continue
        elif theirs := _theirs(draft.question, section, said, unseen):
            conflicts[key] = theirs
        elif not draft.is_blocked:
            changed.append(draft)
    changed += _restated(section, changed, rows)
    return Merge(tuple(changed), conflicts, tuple(unseen.values()))


def _theirs(
    question: Question, section: Section, said: Mapping[str, Draft], unseen: Rows
) -> Answer | None:
    """Return somebody else's unseen answer to this question, or to one it is read together with."""
    if question.key in unseen:
        return unseen[question.key]
    for other in _read_with(question, section):
        row = unseen.get(other.key)
        if row and (other.key not in said or said[other.key].differs_from(row)):
            return row
    return None


def _read_with(question: Question, section: Section) -> Iterator[Question]:
    """Yield the currency of an amount, or the amounts of a currency."""
    for other in section.questions:
        if question.key == other.currency_from or other.key == question.currency_from:
            yield other


def _restated(section: Section, changed: Iterable[Draft], rows: Rows) -> list[Draft]:
    """Parse amounts again if their currency has changed and no new amount was entered."""
    said: dict[str, Any] = {draft.question.key: draft.value for draft in changed}
    again = [
        typed_answers.read(question, typed_answers.as_shown(question, rows[question.key]), said)
        for question in section.questions
        if question.currency_from in said and question.key in rows and question.key not in said
    ]
    return [draft for draft in again if draft.differs_from(rows.get(draft.question.key))]
