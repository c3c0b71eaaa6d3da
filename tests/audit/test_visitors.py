"""Anonymous activity adds to counters, not rows: attempts, sessions, and nightly removal."""

from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from console.accounts import limits, throttle
from console.accounts.actors import SYSTEM
from console.accounts.models import Session, User
from console.accounts.roles import Role
from console.audit import failed_requests, history, middleware
from console.audit.models import CountedAttempt, Entry
from console.core import clock, schedule
from console.events import jobs, outbox
from console.events.models import Event, EventDelivery
from console.governance import cleaning
from tests import factories
from tests.accounts.pages.journey import PASSWORD, a_person_with_a_password

SIGN_IN = reverse("accounts:sign_in")
CODE = reverse("accounts:code")
FLOOD = 20


@pytest.fixture(autouse=True)
def _still():
    with time_machine.travel(clock.now().replace(second=10), tick=False):
        yield


def without_a_token(at):
    Client(enforce_csrf_checks=True).post(SIGN_IN, {"email": "x"}, REMOTE_ADDR=at)


def without_a_sign_in(at):
    Client().post(CODE, {"code": "000000"}, REMOTE_ADDR=at)


def to_nowhere(at):
    Client().post("/nowhere/at/all/", {"x": "y"}, REMOTE_ADDR=at)


@pytest.mark.parametrize("attempt", [without_a_token, without_a_sign_in, to_nowhere])
def test_a_flood_makes_one_row_for_each_address_and_minute(attempt):
    entries = Entry.objects.count()
    for n in range(FLOOD):
        attempt(f"2001:db8::{n:x}")
    attempt("198.51.100.7")
    with time_machine.travel(clock.now() + timedelta(minutes=1), tick=False):
        attempt("198.51.100.7")

    rows = CountedAttempt.objects.order_by("minute", "-count")
    assert [(row.network, row.count) for row in rows] == [
        ("2001:db8::", FLOOD), ("198.51.100.7", 1), ("198.51.100.7", 1),
    ]  # fmt: skip
    assert Entry.objects.count() == entries
    assert not Session.objects.exists()


def test_who_is_signed_in_leaves_an_entry_of_their_own(client):
    person = a_person_with_a_password()
    factories.signed_in(client, person)
    client.post(reverse("accounts:confirm"), {"code": "no"})

    newest = Entry.objects.newest_first()[0]
    assert (newest.code, newest.actor_id) == ("request.changed_nothing", person.public_id)
    assert not CountedAttempt.objects.exists()


def test_many_networks_share_a_row_once_there_are_too_many(monkeypatch):
    monkeypatch.setattr(failed_requests, "_rows", failed_requests._Rows())
    monkeypatch.setattr(failed_requests, "_MOST_ROWS", 3)
    for _ in range(2):
        for n in range(5):
            to_nowhere(f"2001:db8:0:{n:x}::1")
    with time_machine.travel(clock.now() + timedelta(minutes=1), tick=False):
        to_nowhere("2001:db8:0:4::1")

    rows = CountedAttempt.objects.order_by("minute", "network")
    assert [(row.network, row.count) for row in rows] == [
        ("2001:db8::", 2), ("2001:db8:0:1::", 2), ("2001:db8:0:2::", 2), (None, 4),
        ("2001:db8:0:4::", 1),
    ]  # fmt: skip


def test_who_is_signed_in_and_tries_on_and_on_is_counted(client, monkeypatch):
    monkeypatch.setattr(middleware, "MOST_A_MINUTE", 3)
    person, other = a_person_with_a_password(), factories.a_person()
    factories.signed_in(client, person)
    mine = Entry.objects.filter(code="request.changed_nothing", actor_id=person.public_id)
    for _ in range(5):
        client.post("/nowhere/at/all/", REMOTE_ADDR="198.51.100.7")
    (counted,) = CountedAttempt.objects.all()
    assert (mine.count(), counted.count, counted.network) == (3, 2, "198.51.100.7")
    assert (counted.status, counted.request_id != "") == (404, True)

    factories.signed_in(Client(), other).post("/nowhere/at/all/")
    with time_machine.travel(clock.now() + timedelta(minutes=1), tick=False):
        client.post("/nowhere/at/all/")
    assert mine.count() == 4
    assert Entry.objects.filter(actor_id=other.public_id).exists()
    assert CountedAttempt.objects.count() == 1


# Sessions


STRANGERS = {
    "the sign-in page": lambda c: c.get(SIGN_IN),
    "the code page": lambda c: c.get(CODE, follow=True),
    "a spent link": lambda c: c.get(reverse("accounts:confirm_email", args=["x"]), follow=True),
    "a wrong password": lambda c: c.post(SIGN_IN, {"email": "a@b.example", "password": "no"}),
    "a page that asks to sign in": lambda c: c.get(reverse("accounts:security"), follow=True),
}


@pytest.mark.parametrize("what", STRANGERS)
def test_a_stranger_begins_no_session(client, what):
    STRANGERS[what](client)
    assert not Session.objects.exists()


def test_a_message_to_a_stranger_is_read_once(client):
    kept = client.get(CODE).cookies["messages"]
    assert (kept["httponly"], kept["samesite"]) == (True, "Lax")
    assert "more than ten minutes" in client.get(SIGN_IN).text
    assert "more than ten minutes" not in client.get(SIGN_IN).text


def test_a_session_begins_with_the_right_password_and_ends_with_sign_out(client):
    person = a_person_with_a_password()
    factories.an_authenticator(person)
    client.post(SIGN_IN, {"email": person.email, "password": "not it"})
    assert not Session.objects.exists()
    client.post(SIGN_IN, {"email": person.email, "password": PASSWORD})
    assert Session.objects.count() == 1
    client.post(CODE, {"code": factories.a_code(factories.seed_of(person))})
    assert Session.objects.count() == 1
    client.post(reverse("accounts:sign_out"))

    assert not Session.objects.exists()


# The night


def night():
    schedule.named(cleaning.JOB).run()


def removed():
    """Return the log's entries about removal, in order."""
    entries = Entry.objects.filter(code="work.cleaned").order_by("pk")
    return [line.body["details"] for line in history.lines(entries)]


def test_a_night_removes_what_has_ended_and_nothing_else(client):
    known, late = a_person_with_a_password(), factories.a_person()
    a_person_with_a_password("never@example.com", confirmed=False)
    client.post(SIGN_IN, {"email": known.email, "password": "not it"})
    to_nowhere("198.51.100.7")
    factories.signed_in(client, known)
    with time_machine.travel(clock.now() + timedelta(days=6), tick=False):
        a_person_with_a_password("new@example.com", confirmed=False)
        factories.signed_in(Client(), late)
        night()
        assert User.objects.filter(email="never@example.com").exists()
        assert [session.user for session in Session.objects.all()] == [late]
    with time_machine.travel(clock.now() + timedelta(days=7, minutes=1), tick=False):
        night()
        night()

    people = set(User.objects.values_list("email", flat=True))
    assert people == {known.email, late.email, "new@example.com"}
    assert removed() == [{"sessions": 1}, {"sessions": 1}, {"people": 1}]
    assert CountedAttempt.objects.count() == 2
    with time_machine.travel(clock.now() + timedelta(days=31), tick=False):
        night()
    assert not CountedAttempt.objects.exists()


def test_background_work_shows_the_figures(client):
    factories.signed_in(client, factories.one_of_staff(Role.OPERATOR))
    to_nowhere("198.51.100.7")
    never = client.get(reverse("governance:work")).text
    jobs.run(schedule.named(cleaning.JOB))
    page = client.get(reverse("governance:work")).text

    assert "Failed requests of visitors within a day" in page
    assert "<dd>Not yet</dd>" in never
    assert "<dd>Not yet</dd>" not in page
    assert removed() == []
    with time_machine.travel(clock.now() + timedelta(hours=51), tick=False):
        factories.signed_in(client, factories.one_of_staff(Role.OPERATOR))
        assert "governance.clean has not run since" in client.get(reverse("governance:work")).text


def test_the_figures_are_what_there_is_now(client):
    with time_machine.travel(clock.now() - timedelta(days=7), tick=False):
        for _ in range(2):
            factories.signed_in(Client(), factories.a_person())
    factories.signed_in(client, factories.a_person())
    for n in range(3):
        throttle.take_for("mail-to", f"{n}@example.com", limits.PUBLIC_MAIL_PER_RECIPIENT)
    for n in range(4):
        a_person_with_a_password(f"never{n}@example.com", confirmed=False)

    assert cleaning.figures()[:4] == [
        ("Open sessions", "1"),
        ("Ended sessions", "2"),
        ("Rate limit counters", "3"),
        ("People who have not confirmed their address", "4"),
    ]


def test_a_night_removes_everything_however_much_it_is(monkeypatch):
    monkeypatch.setattr(cleaning, "_AT_ONCE", 2)
    for n in range(5):
        a_person_with_a_password(f"never{n}@example.com", confirmed=False)
        to_nowhere(f"198.51.100.{n}")
    with time_machine.travel(clock.now() + timedelta(days=31), tick=False):
        night()

    assert not User.objects.exists()
    assert not CountedAttempt.objects.exists()
    for what in ("people", "attempts"):
        assert [one[what] for one in removed() if what in one] == [2, 2, 1]


def test_what_cannot_be_removed_keeps_nothing_else(monkeypatch):
    def broken(most):
        a_person_with_a_password("half@example.com")
        raise ConnectionError

    monkeypatch.setattr(cleaning, "_remove_sessions", broken)
    a_person_with_a_password("never@example.com", confirmed=False)
    with (
        time_machine.travel(clock.now() + timedelta(days=8), tick=False),
        pytest.raises(ExceptionGroup) as told,
    ):
        cleaning.clean(by=SYSTEM)

    assert [type(one) for one in told.value.exceptions] == [ConnectionError]
    assert not User.objects.exists()


def test_events_that_are_handled_are_removed_after_ninety_days():
    Client().post(reverse("accounts:forgot"), {"email": "nobody@example.com"})
    (asked,) = Event.objects.all()
    assert asked.kind == "person.asked_for_reset"
    with time_machine.travel(clock.now() + timedelta(days=91), tick=False):
        night()
        assert Event.objects.exists()  # its listener has not handled it yet
        factories.settle()
        factories.a_business()  # young
        night()
        assert not EventDelivery.objects.exists()
        assert {event.kind for event in Event.objects.all()} == {"business.registered"}
    assert outbox.due() == []
