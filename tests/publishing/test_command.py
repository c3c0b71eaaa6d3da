"""`manage.py publish` lists, checks and installs, but cannot propose, put in use or withdraw."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from console.accounts.roles import Role
from console.publishing import publications, published_kinds
from console.publishing.models import Publication
from onboarding.questionnaire.loading import EDITIONS
from tests import factories


def publish(*words: str) -> str:
    said = StringIO()
    call_command("publish", *words, stdout=said)
    return said.getvalue()


def test_it_acts_in_nobodys_name():
    for verb in ("propose", "use", "withdraw"):
        with pytest.raises(CommandError, match="invalid choice"):
            publish(verb)


def test_it_lists_who_proposed_what():
    person, kind = factories.one_of_staff(Role.COMPLIANCE), published_kinds.find("questionnaire")
    assert kind is not None
    publications.propose(kind, "2026-11", by=person)

    assert "proposed" in publish("list")
    assert person.name in publish("list")


def test_beginning_again_is_harmless():
    before = Publication.objects.count()

    assert publish("begin") == publish("check") == ""
    assert Publication.objects.count() == before
    assert EDITIONS.versions()[-1] in publish("list")
