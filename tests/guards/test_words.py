"""Every model says what it is: in its docstring, and as text."""

from django.apps import apps
from django.db import models

from tests.guards.tree import PACKAGES


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
