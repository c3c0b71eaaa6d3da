"""The questionnaire's forms as a browser sends them, and responses as one line."""

import re
from typing import Any

from django.urls import reverse

from onboarding.models import Application
from onboarding.questionnaire import loading
from onboarding.questionnaire.question_kinds import ADDRESS_PARTS
from tests.onboarding import answered


def address(application: Application, name: str = "access", *args: str) -> str:
    return reverse(f"onboarding:{name}", args=[application.business.public_id, *args])


def sent(section: str, *, revision: int = 0, **changes: Any) -> dict[str, Any]:
    """Return a section's form data as a browser sends it."""
    typed = answered.answers(**changes)
    questions = [q for q in loading.EDITIONS.newest().section(section).questions if q.key in typed]
    body: dict[str, Any] = {"revision": revision, "asked": [q.key for q in questions]}
    for question in questions:
        body |= flat(question.key, typed[question.key])
    return body


def flat(key: str, typed: Any) -> dict[str, Any]:
    if isinstance(typed, dict):
        return {f"{key}.{part}": typed.get(part, "") for part in ADDRESS_PARTS}
    if isinstance(typed, list) and typed and isinstance(typed[0], dict):
        return {f"{key}.{n}.{c}": v for n, row in enumerate(typed) for c, v in row.items()}
    return {key: typed}


def body(answer: Any) -> str:
    return re.sub(r"\s+", " ", answer.content.decode())
