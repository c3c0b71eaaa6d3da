"""Reading an edition from its file: every member known, every reference real, hashed."""

import json
from collections.abc import Iterable
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from console.core.digests import digest
from onboarding.questionnaire import predicates
from onboarding.questionnaire.faults import EditionFault, faults_of
from onboarding.questionnaire.schema import (
    AnswerRule,
    Due,
    Edition,
    Option,
    Question,
    QuestionKind,
    Section,
)
from onboarding.restrictions.restricted_list import RestrictionScope

FOLDER = Path(__file__).parent / "editions"
CURRENT = "2026-11.2"
DOMAIN = "onboarding.edition.v1"
T = TypeVar("T")


def current() -> Edition:
    """Return the edition that a new application is given."""
    return edition(CURRENT)


@cache
def edition(version: str) -> Edition:
    """Return an edition by its version, or raise EditionFault when there is none."""
    path = next((p for p in FOLDER.glob("*.json") if p.stem == version), None)
    if path is None:
        raise EditionFault(f"There is no edition {version}.")
    return parse(json.loads(path.read_text()))


def parse(document: dict[str, Any]) -> Edition:
    """Build an edition from its JSON form, or raise EditionFault with all that is wrong."""
    sections = tuple(_section(item) for item in document.get("sections", ()))
    built = _build(Edition, {**document, "sections": sections})
    if faults := faults_of(built):
        raise EditionFault("\n".join(faults))
    return replace(built, sha256=digest(DOMAIN, document))


def _section(data: dict[str, Any]) -> Section:
    questions = tuple(_question(item) for item in data.get("questions", ()))
    rules = tuple(_build(AnswerRule, item) for item in data.get("rules", ()))
    return _build(Section, {**data, "questions": questions, "rules": rules})


def _question(data: dict[str, Any]) -> Question:
    try:
        members = {
            **data,
            "kind": QuestionKind(data["kind"]),
            "due": Due(data.get("due", Due.SUBMIT)),
            "visible": predicates.parse(data.get("visible")),
            "options": _each(Option, data.get("options", ())),
            "columns": tuple(_question(item) for item in data.get("columns", ())),
            "restricted_as": RestrictionScope(data["restricted_as"])
            if "restricted_as" in data
            else None,
            "scope": tuple(data.get("scope", ())),
            "feeds": tuple(data.get("feeds", ())),
        }
    except (KeyError, ValueError) as fault:
        raise EditionFault(f"{data.get('key', 'A question')}: {fault}") from fault
    return _build(Question, members)


def _each(kind: type[T], items: Iterable[dict[str, Any]]) -> tuple[T, ...]:
    return tuple(_build(kind, item) for item in items)


def _build(kind: type[T], members: dict[str, Any]) -> T:
    known = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    if unknown := sorted(set(members) - known):
        raise EditionFault(
            f"{members.get('key', kind.__name__)}: {', '.join(unknown)} is not known."
        )
    try:
        return kind(**members)
    except TypeError as fault:
        raise EditionFault(f"{members.get('key', kind.__name__)}: {fault}") from fault
