"""Staff roles: granted on the command line, logged, and reported to the auditors."""

from io import StringIO

import pytest
from django.core import mail
from django.core.management import CommandError, call_command

from console.accounts import access, staff
from console.accounts.roles import Role
from console.audit import history
from tests import factories


def run(*words):
    out = StringIO()
    call_command("staff", *words, stdout=out)
    return out.getvalue()


def test_a_role_is_given_and_taken_with_a_reason():
    person = factories.a_person("Ada Cole", email="ada@staff.example")

    listed = run("give", "Ada@staff.example", "operator", "--because", "On call this week.")
    assert listed.split() == ["ada@staff.example", "operator"]
    assert access.roles_of(person) == {Role.OPERATOR}

    assert run("take", "ada@staff.example", "operator", "--because", "The week is over.") == ""
    assert access.roles_of(person) == frozenset()
    said = [(line.code, line.body["details"]["because"]) for line in log_of(person)]
    assert said == [
        ("staff.role_taken", "The week is over."),
        ("staff.role_given", "On call this week."),
    ]


@pytest.mark.parametrize(
    ("because", "told"), [("on\u202ecall", "U+202E"), ("", "Say why"), (" ", "Say why")]
)
def test_a_reason_that_nobody_can_read_is_refused(because, told):
    person = factories.a_person()
    with pytest.raises(CommandError, match=told.replace("+", r"\+")):
        run("give", person.email, "operator", "--because", because)
    assert not access.roles_of(person)


def log_of(person):
    found = history.lines(history.about([person.public_id]))
    return [line for line in found if line.code.startswith("staff.")]


def test_every_auditor_is_told():
    factories.one_of_staff(Role.AUDITOR)
    factories.settle()
    mail.outbox.clear()
    factories.a_person("Ada Cole", email="ada@staff.example")
    run("give", "ada@staff.example", "countersignatory", "--because", "Victor is ill.")
    factories.settle()

    (message,) = mail.outbox
    assert message.subject == "A role on our staff was given"
    assert "Ada Cole" in message.body
    assert "Victor is ill." in message.body


def test_an_auditor_with_only_a_passkey_is_told():
    auditor = factories.one_of_staff(Role.AUDITOR)
    auditor.set_unusable_password()
    auditor.save()
    assert staff.addresses_of(Role.AUDITOR) == []
    factories.a_passkey(auditor)
    assert staff.addresses_of(Role.AUDITOR) == [auditor.email]


def test_a_role_changes_twice_is_changed_once():
    factories.a_person(email="ada@staff.example")
    for _ in range(2):
        run("give", "ada@staff.example", "auditor", "--because", "New.")
    assert len(run("list").splitlines()) == 1


@pytest.mark.parametrize(
    "words",
    [
        ("give", "nobody@staff.example", "auditor", "--because", "New."),
        ("give", "ada@staff.example", "owner", "--because", "New."),
        ("give", "ada@staff.example", "auditor"),
    ],
)
def test_what_cannot_be_given_is_refused(words):
    factories.a_person(email="ada@staff.example")
    with pytest.raises(CommandError):
        run(*words)
