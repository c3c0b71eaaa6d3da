"""The form of one section: every control with its name, value, hint and errors."""

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from console.accounts.models import Business, User
from console.core.text import isolated
from onboarding.information import open_questions
from onboarding.information.models import InformationItem
from onboarding.intake import answers, ownership_form, suggestions, typed_answers
from onboarding.intake.answer_set import AnswerSet
from onboarding.intake.section_control import Control
from onboarding.models import Answer, Application
from onboarding.questionnaire import answering, register_entry, showing
from onboarding.questionnaire.answer_problems import AnswerProblem, Typed
from onboarding.questionnaire.edition_schema import Edition, Question, QuestionKind, Section
from onboarding.reference import towns


def _part(key: str, label: str, autocomplete: str, *, required: bool = True) -> Question:
    kind = QuestionKind.COUNTRY if key == "country" else QuestionKind.TEXT
    return Question(key, label, kind, required=required, autocomplete=autocomplete)


ADDRESS = (
    _part("line1", gettext_noop("Address line 1"), "address-line1"),
    _part("line2", gettext_noop("Address line 2"), "address-line2", required=False),
    _part("city", gettext_noop("Town or city"), "address-level2"),
    _part("state", gettext_noop("State or region"), "address-level1", required=False),
    _part("postal_code", gettext_noop("Postcode"), "postal-code", required=False),
    _part("country", gettext_noop("Country"), "country"),
)
# Where the usual words mislead.
_LOCAL_PARTS = {
    ("AE", "state"): gettext_noop("Emirate"),
    ("HK", "city"): gettext_noop("District"),
    ("JP", "state"): gettext_noop("Prefecture"),
    ("US", "state"): gettext_noop("State"),
    ("US", "postal_code"): gettext_noop("ZIP code"),
    ("IE", "postal_code"): gettext_noop("Eircode"),
    ("IN", "postal_code"): gettext_noop("PIN code"),
}
FEWEST_ROWS = {QuestionKind.ROWS: 2, QuestionKind.COUNTRIES: 2}


@dataclass(frozen=True)
class SectionForm:
    """A section's form: its controls, its problems, and who saved it last.

    `revision` and `page` are sent back with the form: the revision it shows, and the page's name.
    """

    section: Section
    number: int
    total: int
    revision: int
    controls: tuple[Control, ...]
    page: str = field(default_factory=lambda: secrets.token_hex(8))
    problems: tuple[tuple[str, str], ...] = ()
    last: Answer | None = None
    has_conflicts: bool = False

    @property
    def has_locked(self) -> bool:
        return any(control.is_locked for control in self.controls)

    @property
    def has_unsaved(self) -> bool:
        return any(control.is_unsaved for control in self.controls)


@dataclass(frozen=True)
class Sent:
    """What of a submitted form could not be saved, and why."""

    unsaved: Mapping[str, Typed] = field(default_factory=dict)
    problems: tuple[AnswerProblem, ...] = ()
    conflicts: Mapping[str, Answer] = field(default_factory=dict)
    more_rows_of: str = ""


def outline(
    section: Section, given: AnswerSet, *, business: Business, reader: User
) -> tuple[list[tuple[str, str, Typed | None]], list[AnswerProblem]]:
    """Return what decides how a section's form is drawn, besides its answers.

    These are its questions with their hints and suggestions, and what is wrong with the answers.
    """
    shown = answering.visible(given.edition, given.values)
    suggested = suggestions.suggestions(given, business, reader)
    asked = [
        (q.key, _drawn_as(q, given), suggested.get(q.key))
        for q in section.questions
        if q.key in shown
    ]
    return asked, answers.problems_in(given, section)


def _drawn_as(question: Question, given: AnswerSet) -> str:
    """Return what the answers so far change in the words of a question."""
    if question.kind is QuestionKind.ADDRESS:
        shown = typed_answers.as_shown(question, given.rows.get(question.key))
        return str(shown.get("country", "")) if isinstance(shown, dict) else ""
    return register_entry.worded(question, given.values).help


def form_for(
    application: Application,
    section: Section,
    given: AnswerSet,
    sent: Sent,
    *,
    suggested: Mapping[str, Typed],
    reader: User,
) -> SectionForm:
    """Return a section's form for its reader. `suggested` fills questions without an answer."""
    shown = answering.visible(given.edition, given.values)
    controls = [
        _control(register_entry.worded(question, given.values), given, sent, suggested, reader)
        for question in section.questions
        if question.key in shown or question.key in sent.unsaved
    ]
    asked = open_questions.waiting(application)
    if (allowed := given.open_keys(application, asked)) is not None:
        controls = [replace(c, is_locked=c.question.key not in allowed) for c in controls]
    if asked:
        controls = [replace(c, asked=_asked(c.question, asked)) for c in controls]
    mine = [row for row in given.rows.values() if row.section == section.key]
    return SectionForm(
        section=section,
        number=given.edition.sections.index(section) + 1,
        total=len(given.edition.sections),
        revision=application.revision_of(section.key),
        controls=tuple(controls),
        problems=tuple(_summary(given, problem, controls) for problem in _told(sent.problems)),
        last=max(mine, key=lambda row: row.at, default=None),
        has_conflicts=bool(sent.conflicts),
    )


def _asked(question: Question, asked: Iterable[InformationItem]) -> tuple[str, ...]:
    return tuple(item.words for item in asked if item.question == question.key)


def _control(
    question: Question,
    given: AnswerSet,
    sent: Sent,
    suggested: Mapping[str, Typed],
    reader: User,
) -> Control:
    kept = typed_answers.as_shown(question, given.rows.get(question.key))
    typed = sent.unsaved.get(question.key, suggested.get(question.key, kept))
    more = question.key == sent.more_rows_of
    control = _drawn(question, question.key, typed, sent.problems, spare=1 if more else 0)
    if question.kind is QuestionKind.OWNERSHIP:
        drawn = ownership_form.fields(question, typed, sent.problems, sent.more_rows_of)
        control = replace(control, parties=drawn, told=tuple(ownership_form.sentences(given)))
    theirs = sent.conflicts.get(question.key)
    return replace(
        control,
        theirs=_said(given.edition, question, theirs, reader) if theirs else "",
        is_unsaved=question.key in sent.unsaved,
        is_suggested=question.key in suggested and question.key not in sent.unsaved,
        currency=str({**suggested, **given.values}.get(question.currency_from, "")),
    )


def _drawn(
    question: Question,
    path: str,
    typed: Typed,
    problems: Iterable[AnswerProblem],
    *,
    spare: int = 0,
    in_row: bool = False,
) -> Control:
    # A stored answer and the new one may have the same problem.
    errors = tuple(dict.fromkeys(one.message for one in problems if one.path == path))
    control = Control(question, path, errors=errors, in_row=in_row)
    match question.kind, typed:
        case QuestionKind.MULTI, list(keys):
            return replace(control, chosen=tuple(map(str, keys)))
        case QuestionKind.COUNTRIES, list(codes):
            return replace(control, parts=_country_slots(question, path, codes, problems, spare))
        case QuestionKind.ADDRESS, dict(parts):
            asked = _address_parts(str(parts.get("country", "")))
            drawn = (_drawn(p, f"{path}.{p.key}", parts.get(p.key, ""), problems) for p in asked)
            return replace(control, parts=tuple(drawn))
        case QuestionKind.ROWS, list(rows):
            return replace(control, rows=_rows(question, path, rows, problems, spare))
    return replace(control, text=typed if isinstance(typed, str) else "")


def _address_parts(country: str) -> tuple[Question, ...]:
    """Return the parts of an address in the words of its country, which may have no towns."""
    return tuple(
        replace(
            part,
            label=_LOCAL_PARTS.get((country, part.key), part.label),
            required=(
                part.required
                and not (
                    part.key == "city" and country in towns.WITHOUT_TOWNS | towns.REGION_INSTEAD
                )
            )
            or (part.key == "state" and country in towns.REGION_INSTEAD),
        )
        for part in ADDRESS
    )


def _country_slots(
    question: Question, path: str, codes: list[Any], problems: Iterable[AnswerProblem], spare: int
) -> tuple[Control, ...]:
    slots = [str(code) for code in codes if code]
    slots += [""] * max(1 + spare, FEWEST_ROWS[QuestionKind.COUNTRIES] - len(slots))
    one = replace(question, kind=QuestionKind.COUNTRY, help="", columns=())
    return tuple(_drawn(one, f"{path}.{n}", code, problems) for n, code in enumerate(slots))


def _rows(
    question: Question, path: str, rows: list[Any], problems: Iterable[AnswerProblem], spare: int
) -> tuple[tuple[Control, ...], ...]:
    filled = list(rows) + [{}] * max(spare, FEWEST_ROWS[QuestionKind.ROWS] - len(rows))
    return tuple(
        tuple(
            _drawn(c, f"{path}.{n}.{c.key}", str(row.get(c.key, "")), problems, in_row=True)
            for c in question.columns
        )
        for n, row in enumerate(filled)
    )


def _said(edition: Edition, question: Question, row: Answer, reader: User) -> str:
    """Describe what somebody saved meanwhile, for this question or one it is read together with."""
    asked = edition.by_key[row.question]
    typed = row.typed
    if asked.kind is QuestionKind.OWNERSHIP and isinstance(typed, list):
        typed = [cells.get("name", "") for cells in typed if isinstance(cells, dict)]
    told = _as_text(typed) or "; ".join(showing.lines(asked, row.value))
    who = _("You, in another window,") if row.by == reader else isolated(row.by.name)
    said = _("%(who)s saved “%(answer)s” on %(at)s UTC.")
    if asked != question:
        said = _("%(who)s saved “%(answer)s” as “%(question)s” on %(at)s UTC.")
    if not told:
        said = _("%(who)s cleared “%(question)s” on %(at)s UTC.")
    at = f"{row.at:%-d %b at %H:%M}"
    return said % {"who": who, "answer": isolated(told), "question": asked.label, "at": at}


def _as_text(typed: Any) -> str:
    """Return unparsed input as readable text."""
    match typed:
        case dict(parts):
            return ", ".join(filter(None, map(_as_text, parts.values())))
        case list(items):
            return "; ".join(filter(None, map(_as_text, items)))
    return "" if typed is None else str(typed)


def _told(problems: Iterable[AnswerProblem]) -> list[AnswerProblem]:
    return list({(p.path, p.message): p for p in problems}.values())


def _summary(
    given: AnswerSet, problem: AnswerProblem, controls: Iterable[Control]
) -> tuple[str, str]:
    """Return a line of the error summary: its link's anchor, and its text."""
    question = given.edition.by_key[problem.question]
    names_itself = problem.code in ("missing", "contradiction", "COMPLIANCE_BLOCKED")
    where = _label_of(question, problem.path)
    words = problem.message if names_itself else f"{where}: {problem.message}"
    return _anchor(problem, controls), words


def _label_of(question: Question, path: str) -> str:
    """Return the question's label, with row and column for a table cell."""
    match path.split("."):
        case [_key, row, *_cell] if question.kind is QuestionKind.OWNERSHIP:
            words = _("%(question)s, number %(number)s")
            return words % {"question": question.label, "number": int(row) + 1}
        case [_, row, column]:
            label = next(one.label for one in question.columns if one.key == column)
            return _("%(question)s, row %(number)s, %(column)s") % {
                "question": question.label,
                "number": int(row) + 1,
                "column": label,
            }
    return question.label


def _anchor(problem: AnswerProblem, controls: Iterable[Control]) -> str:
    control = next((c for c in controls if c.path == problem.question), None)
    anchor = "q-" + problem.path.replace(".", "-")
    if control is None or "." in problem.path:
        return anchor
    if control.parts:
        return control.parts[0].id
    if control.rows:
        return control.rows[0][0].id
    if control.parties:
        return control.parties[0].who[0].id
    return f"{anchor}-0" if control.shape in ("radios", "boxes") else anchor
