"""Every status of every model has its tone (a guard, and the fault that shows it can fail)."""

import pytest
from django.apps import apps
from django.db import models

from console.shell import tones

OURS = ("console", "onboarding", "agreements", "apikeys", "api")


def with_a_status() -> list[type[models.Model]]:
    """Return our models that a `pill` can show."""
    return [
        model
        for model in apps.get_models()
        if model.__module__.split(".")[0] in OURS
        and any(field.name == "status" and field.choices for field in model._meta.fields)
    ]


def missing(model: type[models.Model]) -> set[str]:
    (status,) = (field for field in model._meta.fields if field.name == "status")
    return {str(value) for value, _ in status.flatchoices} - tones.known(model._meta.label)


@pytest.mark.parametrize("model", with_a_status(), ids=lambda model: model._meta.label)
def test_every_status_has_a_tone(model):
    assert missing(model) == set()


def test_a_status_without_one_is_seen(monkeypatch):
    monkeypatch.setitem(tones._tones, "accounts.Business", {"active": "ok"})
    assert missing(apps.get_model("accounts", "Business")) == {"suspended", "closed"}
