"""Question templates: wording that reviewers pick for a request for information, and may edit.

The wording is a file, as all our wording is: nobody edits it in a browser, and a change is reviewed
like code. What was sent is kept with the request.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class QuestionTemplate:
    """A question: its title for reviewers, its words, its need, and the answer it is about."""

    key: str
    title: str
    words: str
    need: str
    about: str = ""


@cache
def every() -> Mapping[str, QuestionTemplate]:
    """Return all templates, by key."""
    rows = json.loads((Path(__file__).parent / "question_templates.json").read_text())
    return {row["key"]: QuestionTemplate(**row) for row in rows}


def initial(keys: Sequence[str], most: int) -> dict[str, str]:
    """Return the fields of a request that these templates fill, the first `most` of them."""
    known = every()
    picked = [known[key] for key in dict.fromkeys(keys) if key in known][:most]
    return {
        f"{name}_{number}": value
        for number, one in enumerate(picked, 1)
        for name, value in (("words", one.words), ("need", one.need), ("about", one.about))
    }
