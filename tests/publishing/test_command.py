"""`manage.py publish` names the same two people, and obeys the same rule."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from console.accounts.roles import Role
from console.publishing.models import Publication
from onboarding.questionnaire.loading import EDITIONS
from tests import factories


def publish(*words: object) -> str:
    said = StringIO()
    call_command("publish", *map(str, words), stdout=said)
    return said.getvalue()


def test_two_people_put_a_version_in_use():
    one, other = (
        factories.one_of_staff(Role.COMPLIANCE),
        factories.one_of_staff(Role.HEAD_OF_COMPLIANCE),
    )

    assert "proposed" in publish("propose", "questionnaire", "2026-11", "--by", one.email)
    said = publish("use", "questionnaire", "2026-11", "--by", other.email.upper())

    row = Publication.objects.filter(kind="questionnaire").in_use().get()
    assert (row.version, row.proposed_by, row.put_in_use_by) == ("2026-11", one, other)
    assert f"{row.sha256[:12]}  {one.name}, {other.name}" in said


def test_one_person_in_both_roles_is_refused():
    person = factories.one_of_staff(Role.COMPLIANCE, Role.HEAD_OF_COMPLIANCE)
    publish("propose", "questionnaire", "2026-11", "--by", person.email)

    with pytest.raises(CommandError, match="Somebody else puts it in use"):
        publish("use", "questionnaire", "2026-11", "--by", person.email)


def test_a_proposal_is_withdrawn():
    one = factories.one_of_staff(Role.COMPLIANCE)
    publish("propose", "questionnaire", "2026-11", "--by", one.email)

    assert "proposed" not in publish("withdraw", "questionnaire", "2026-11", "--by", one.email)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("propose", "questionnaire", "2026-11", "--by", "auditor"), "role does not include"),
        (("propose", "questionnaire", "2099-01", "--by", "compliance"), "no version"),
        (("use", "questionnaire", "2026-11", "--by", "head_of_compliance"), "is not proposed"),
        (("propose", "questionnaire", "2026-11", "--by", "nobody"), "Nobody with that address"),
        (("propose", "wallpaper", "1", "--by", "compliance"), "invalid choice"),
        (("propose", "questionnaire", "2026-11"), "--by"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_changes(words, says):
    people = {role: factories.one_of_staff(Role(role)).email for role in (
        "auditor", "compliance", "head_of_compliance"
    )} | {"nobody": "nobody@example.com"}  # fmt: skip

    with pytest.raises(CommandError, match=says):
        publish(*(people.get(word, word) for word in words))
    assert not Publication.objects.exclude(proposed_by=None).exists()


def test_what_other_rules_lack_is_listed():
    head = factories.one_of_staff(Role.HEAD_OF_LEGAL)
    legal = factories.one_of_staff(Role.LEGAL)
    publish("propose", "ruleset", "2026-11", "--by", legal.email)

    with pytest.raises(CommandError, match=r"Put the template ERC 1\.0\.0 in use first"):
        publish("use", "ruleset", "2026-11", "--by", head.email)


def test_beginning_again_is_harmless():
    before = Publication.objects.count()

    assert publish("begin") == publish("check") == ""
    assert Publication.objects.count() == before
    assert EDITIONS.versions()[-1] in publish("list")
