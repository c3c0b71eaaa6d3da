"""The fields for the parties that own, run and control a business, and sentences about them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from console.core import clock
from onboarding.intake import typed_answers
from onboarding.intake.answer_set import AnswerSet
from onboarding.intake.section_control import Control, PartyFields
from onboarding.ownership import structure
from onboarding.ownership.owners import ownership_of
from onboarding.ownership.sentences import sentences as owners_in_words
from onboarding.ownership.structure import BUSINESS, Interest, PartyKind, RoleKind
from onboarding.questionnaire import ownership_answer as answer
from onboarding.questionnaire.answer_problems import AnswerProblem, Typed
from onboarding.questionnaire.edition_schema import Option, Question, QuestionKind, Section

# With more parties, only those that act for others are asked for whom.
MOST_ASKED_FOR_WHOM = 30
WHO = (
    *(answer.NAME, answer.KIND, answer.COUNTRY, answer.BORN),
    *(answer.NUMBER, answer.MARKET, answer.END),
)


def fields(
    question: Question, typed: Any, problems: Iterable[AnswerProblem], more: str
) -> tuple[PartyFields, ...]:
    """Return the fields of every party, and of those to add.

    `more` asks for one more party (the question's key), or for one more holding (key and party).
    """
    rows = [cells for cells in typed if isinstance(cells, dict)] if isinstance(typed, list) else []
    rows += _to_add(rows, another=more == question.key)
    drawing = _Drawing(question, rows, tuple(problems))
    wanted = more.removeprefix(f"{question.key}.")
    return tuple(
        drawing.party(number, cells, with_more=drawing.ids[number] == wanted)
        for number, cells in enumerate(rows)
    )


def sentences(given: AnswerSet) -> list[str]:
    """Return a sentence for each party with a part of the business or control over it."""
    if not structure.is_given(given.values):
        return []
    found = ownership_of(given.values, on=clock.now().date())
    return list(owners_in_words(found).values())


def without(
    section: Section, given: AnswerSet, typed: Mapping[str, Typed], removed: str
) -> dict[str, Typed]:
    """Return the parties of a form or, if it was not sent, as saved, without the removed one."""
    key, _dot, party = removed.partition(".")
    question = section.question(key)
    if question is None or question.kind is not QuestionKind.OWNERSHIP:
        return {}
    rows: Any = typed.get(key) or typed_answers.as_shown(question, given.rows.get(key))
    if not isinstance(rows, list):
        return {}
    pairs = zip(answer.ids_of(rows), rows, strict=True)
    return {key: [cells for one, cells in pairs if one != party]}


def _to_add(rows: list[dict[str, str]], *, another: bool) -> list[dict[str, str]]:
    """Return the parties to ask for: the owners of what has none, the people of trusts."""
    ids = answer.ids_of(rows)
    owned = {one.get("owned") for cells in rows for one in answer.numbered(cells, "holds").values()}
    acts = [one for cells in rows for one in answer.numbered(cells, "acts").values()]
    missing: list[dict[str, str]] = []
    for party, cells in zip(ids, rows, strict=True):
        name, kind = cells.get("name", ""), cells.get("kind")
        if name and kind == PartyKind.ENTITY and party not in owned and not cells.get("end"):
            missing.append({"holds.0.owned": party})
        if name and kind == PartyKind.ARRANGEMENT:
            missing += [
                {"acts.0.role": role, "acts.0.of": party}
                for role in (RoleKind.SETTLOR, RoleKind.TRUSTEE)
                if not any(one.get("role") == role and one.get("of") == party for one in acts)
            ]
    if another or not rows:
        missing.append({"holds.0.owned": BUSINESS})
    return missing


class _Drawing:
    """The controls of parties. `ids` are theirs, in the form's order."""

    def __init__(
        self, question: Question, rows: list[dict[str, str]], problems: tuple[AnswerProblem, ...]
    ) -> None:
        self.question, self.problems = question, problems
        self.ids = answer.ids_of(rows)
        named = [
            (party, str(cells.get("name", "")), cells.get("kind"))
            for party, cells in zip(self.ids, rows, strict=True)
            if cells.get("name")
        ]
        self.names = {party: name for party, name, _kind in named}
        business = Option(BUSINESS, _("The business"))
        owned = [Option(party, name) for party, name, kind in named if kind in answer.OWNED]
        self.owned = _choice("owned", _("Owns a part of"), (business, *owned))
        everyone = tuple(Option(party, name) for party, name, _kind in named)
        self.of = _choice("of", _("For whom?"), (business, *everyone))
        self.asks_for_whom = len(rows) <= MOST_ASKED_FOR_WHOM

    def party(self, number: int, cells: Mapping[str, str], *, with_more: bool) -> PartyFields:
        path = f"{self.question.key}.{number}"
        cells = {"kind": str(PartyKind.PERSON), **cells}
        holds = answer.numbered(cells, "holds") or {0: {}}
        acts = answer.numbered(cells, "acts") or ({0: {}} if self.asks_for_whom else {})
        if with_more:
            holds[max(holds) + 1], acts[max(acts, default=-1) + 1] = {}, {}
        holdings = [self._holding(f"{path}.holds.{at}", one) for at, one in holds.items()]
        told = [self._act(f"{path}.acts.{at}", one) for at, one in acts.items()]
        rights = [pair[2:] for pair in holdings]
        return PartyFields(
            path=path,
            id=self.ids[number],
            name=str(cells.get("name", "")),
            title=self._title(cells),
            who=tuple(
                self._cell(f"{path}.{one.key}", _worded(one), cells.get(one.key)) for one in WHO
            ),
            holdings=tuple(pair[:2] for pair in holdings),
            rights=tuple(rights),
            acts=tuple(told),
            ticks=tuple(self._ticks(path, cells)),
            is_open=with_more or any(map(_is_used, (*rights, *told))),
        )

    def _title(self, cells: Mapping[str, str]) -> str:
        if name := str(cells.get("name", "")):
            return name
        role, of = cells.get("acts.0.role"), cells.get("acts.0.of")
        if role in answer.ROLES and of in self.names:
            words = {"role": _(answer.ROLES[RoleKind(role)]), "name": self.names[of]}
            return _("%(role)s of %(name)s") % words
        if (owned := cells.get("holds.0.owned")) in self.names:
            return _("An owner of %(name)s") % {"name": self.names[owned]}
        return _("An owner, director or other person")

    def _holding(self, at: str, one: Mapping[str, str]) -> tuple[Control, ...]:
        return (
            self._cell(f"{at}.owned", self.owned, one.get("owned")),
            self._cell(f"{at}.share", _line("share", _("Share in %")), one.get("share")),
            self._cell(
                f"{at}.interest",
                _choice("interest", _("What they hold"), _named(answer.INTERESTS)),
                answer.interest_of(one),
            ),
            self._cell(
                f"{at}.votes", _line("votes", _("Votes in %, if different")), one.get("votes")
            ),
        )

    def _act(self, at: str, one: Mapping[str, str]) -> tuple[Control, ...]:
        role = _choice("role", _("Other role"), _named(answer.ROLES))
        return (
            self._cell(f"{at}.role", role, one.get("role")),
            self._cell(f"{at}.of", self.of, one.get("of")),
        )

    def _ticks(self, path: str, cells: Mapping[str, str]) -> Iterator[Control]:
        human = (answer.IS_HUMAN, _("This is a person’s name"))
        for key, words in (human, *((str(k), _(w)) for k, w in answer.TICKS.items())):
            asked = Question(key, words, QuestionKind.TEXT, required=False)
            yield self._cell(f"{path}.{key}", asked, cells.get(key))

    def _cell(self, path: str, asked: Question, text: Any) -> Control:
        errors = dict.fromkeys(one.message for one in self.problems if one.path == path)
        return Control(asked, path, str(text or ""), errors=tuple(errors), in_row=True)


def _choice(key: str, label: str, options: tuple[Option, ...]) -> Question:
    return Question(key, label, QuestionKind.CHOICE, required=False, options=options)


def _line(key: str, label: str) -> Question:
    return Question(key, label, QuestionKind.PERCENT, required=False)


def _named(names: Mapping[Any, str]) -> tuple[Option, ...]:
    return tuple(Option(str(key), _(words)) for key, words in names.items())


def _worded(asked: Question) -> Question:
    """Return a question in the reader's language."""
    options = tuple(Option(one.key, _(one.label)) for one in asked.options)
    words = _(asked.help) if asked.help else ""
    return replace(asked, label=_(asked.label), help=words, options=options)


def _is_used(cells: Iterable[Control]) -> bool:
    """Tell whether a right or a role says anything, or has an error."""
    return any(
        one.errors
        or (one.question.key in ("votes", "role") and one.text)
        or (one.question.key == "interest" and one.text != Interest.SHAREHOLDING)
        for one in cells
    )
