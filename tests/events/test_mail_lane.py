"""E-mail is sent one at a time, so a slow mail server delays nothing but e-mail."""

from collections.abc import Iterator

import pytest
from django.db import transaction

from apikeys.allowlist import allowlist
from console.core import clock
from console.events import outbox, work_claims
from console.events.models import EventDelivery
from tests import factories
from tests.apikeys import world
from tests.databases import as_owner
from tests.events.smtp_server import SmtpServer
from tests.services import Services
from tests.waiting import eventually


@pytest.fixture
def mail_server() -> Iterator[SmtpServer]:
    server = SmtpServer()
    yield server
    server.close()


def tell(people):
    for person in people:
        with transaction.atomic():
            outbox.publish("person.changed_password", person)


@pytest.mark.services
def test_a_silent_mail_server_holds_up_e_mail_alone_and_nothing_of_it_is_lost(
    services: Services, mail_server: SmtpServer
):
    people = [factories.a_person() for _ in range(12)]
    grant = world.a_grant()
    EventDelivery.objects.update(done_at=clock.now())  # skip the events from creating them
    services.start("broker", "worker", "beat", **mail_server.environment)
    tell(people)
    eventually(lambda: mail_server.connected)

    # The worker has two processes. If both sent e-mail, this would wait a minute for timeouts.
    allowlist.set_of_business(grant, ["203.0.113.7"], by=factories.owner_of(grant.business))
    done = EventDelivery.objects.filter(listener="going_live.conditions").exclude(done_at=None)
    eventually(lambda: done.filter(event__kind="network.changed").exists(), within=40)
    assert mail_server.recipients == []
    assert mail_server.most_connected == 1

    # Killing the worker releases its lock on sending e-mail.
    services.kill("worker")
    mail_server.speaks.set()
    services.start("worker", **mail_server.environment)
    mail = EventDelivery.objects.filter(event__kind="person.changed_password")
    eventually(lambda: not mail.waiting().exists())
    assert sorted(mail_server.recipients) == sorted(person.email for person in people)
    assert mail_server.most_connected == 1


@pytest.fixture
def lane(monkeypatch):
    """Register a listener that sends e-mail; return what it sent and which listeners were woken."""
    sent, woken = [], []
    listeners = {"tests.emails": lambda event: sent.append(event.payload["name"])}
    monkeypatch.setitem(outbox._listeners, "test.happened", listeners)
    monkeypatch.setattr(outbox, "_mailers", {"tests.emails"})
    monkeypatch.setattr(outbox, "_wake", lambda listener, _: woken.append(listener))
    return sent, woken


def publish(*names):
    business = factories.a_business()
    for name in names:
        with transaction.atomic():
            outbox.publish("test.happened", business, name=name)


def test_one_turn_sends_one_and_wakes_one_for_the_next(lane):
    sent, woken = lane
    publish("first", "second")
    outbox.send_mail()
    assert (sent, woken) == (["first"], ["tests.emails"])
    outbox.send_mail()
    assert (sent, woken) == (["first", "second"], ["tests.emails"])
    outbox.send_mail()
    assert sent == ["first", "second"]


def test_what_failed_before_comes_after_what_was_not_tried(lane):
    sent, _ = lane
    publish("first", "second")
    EventDelivery.objects.filter(event__payload__name="first").update(attempts=1)
    outbox.send_mail()
    assert sent == ["second"]


@pytest.mark.django_db(transaction=True)
def test_while_one_is_under_way_no_other_is_sent(lane):
    sent, woken = lane
    publish("first")
    woken.clear()
    with as_owner() as another:
        another.execute("SELECT pg_advisory_lock(%s, 0)", [work_claims.MAIL])
        outbox.send_mail()
        assert (sent, woken) == ([], [])
        another.execute("SELECT pg_advisory_unlock(%s, 0)", [work_claims.MAIL])
    outbox.send_mail()
    assert sent == ["first"]


def test_the_sweep_wakes_one_for_all_e_mail(lane):
    _, woken = lane
    publish("first", "second", "third")
    EventDelivery.objects.exclude(listener="tests.emails").update(done_at=clock.now())
    outbox.wake_due()
    assert woken == ["tests.emails"]


def test_every_listener_that_can_send_e_mail_sends_it_in_turn():
    """A mailer is recognised by the mail modules it imports, or by its name."""
    for listeners in outbox._listeners.values():
        for name, listener in listeners.items():
            knows = {"mail", "notice_emails"} & listener.__globals__.keys()
            says = name.endswith((".emails", ".auditors"))
            assert (name in outbox._mailers) == bool(knows) == says, name
