"""Every module has a docstring, a limited length and a meaningful name."""

import ast

import pytest
from django.apps import apps
from django.db import models

from tests.guards.tree import ALSO, PACKAGES, Module, modules

LONGEST = 300
# Test modules may be longer, because their tests are read one by one.
LONGEST_OF_TESTS = 400
# Generic names that say nothing about the content.
NAMELESS = {
    f"{name}.py"
    for name in (
        "base", "common", "constants", "enums", "exceptions", "helpers", "managers", "misc",
        "mixins", "services", "util", "utils",
    )
}  # fmt: skip
# Django imports a backend by this name.
DATABASE_BACKEND = "console/core/postgresql/base.py"


def without_a_sentence(module: Module) -> list[str]:
    """Return modules that do not begin with a sentence; empty packages need none."""
    if not module.text.strip():
        return []
    said = (ast.get_docstring(module.syntax) or "").split("\n\n")[0]
    ends = said.endswith((".", "?", "!", ".”"))
    return [] if said[:1].strip() and ends else [module.says(1, "begins without a sentence")]


def too_long(module: Module) -> list[str]:
    lines, most = module.text.count("\n"), LONGEST
    if module.path.startswith("tests/"):
        most = LONGEST_OF_TESTS
    return [module.says(lines, f"has more than {most} lines")] if lines > most else []


def named_after_nothing(module: Module) -> list[str]:
    ours = module.path.split("/")[0] in PACKAGES
    ours = ours and module.path != DATABASE_BACKEND
    return [module.says(1, "is named after nothing")] if ours and module.name in NAMELESS else []


WORDS = (without_a_sentence, too_long, named_after_nothing)


@pytest.mark.parametrize("guard", WORDS, ids=lambda guard: guard.__name__)
def test_every_module(guard):
    assert [found for module in modules(*PACKAGES, *ALSO) for found in guard(module)] == []


def wordless(model: type[models.Model]) -> list[str]:
    """Return what is missing; without a `__str__`, logs and shells show only a number."""
    said = model.__doc__ or ""
    found = []
    if not said or said.startswith(f"{model.__name__}("):
        found.append(f"{model._meta.label} has no docstring")
    if model.__str__ is models.Model.__str__:
        found.append(f"{model._meta.label} has no __str__")
    return found


def ours() -> list[type[models.Model]]:
    return [model for model in apps.get_models() if model.__module__.split(".")[0] in PACKAGES]


def test_every_model():
    assert len(ours()) > 20
    assert [found for model in ours() for found in wordless(model)] == []
