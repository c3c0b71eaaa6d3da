"""The outbox: events are written in the change's transaction, handled after it, and retried."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from smtplib import SMTPDataError

import pytest
import time_machine
from django.db import connection, transaction
from django.db.models import F

from console.core import clock
from console.events import outbox
from console.events.models import Event, EventDelivery
from tests import factories

COMMITS = pytest.mark.django_db(transaction=True)


@pytest.fixture
def heard(monkeypatch):
    """Register a listener for the duration of the test."""
    said = []
    listeners = {"tests.listener": lambda event: said.append(event.subject_id)}
    monkeypatch.setitem(outbox._listeners, "test.happened", listeners)
    return said


def publish():
    business = factories.a_business()
    with transaction.atomic():
        outbox.publish("test.happened", business, detail="x")
    return business


def delivery():
    return EventDelivery.objects.get(event__kind="test.happened")


def test_it_is_written_with_the_change(heard):
    business = publish()
    event = Event.objects.get(kind="test.happened")
    assert (event.subject_id, event.payload) == (business.public_id, {"detail": "x"})
    assert heard == []


@COMMITS
def test_it_is_gone_with_the_change(heard):
    with pytest.raises(ZeroDivisionError), transaction.atomic():  # noqa: PT012
        outbox.publish("test.happened", factories.a_business())
        1 / 0  # noqa: B018
    assert not Event.objects.filter(kind="test.happened").exists()


def test_outside_a_transaction_it_is_refused(heard, transactional_db):
    with pytest.raises(AssertionError, match="outside a transaction"):
        outbox.publish("test.happened", factories.a_business())


def test_each_listener_hears_it_once(heard):
    business = publish()
    factories.settle()
    factories.settle()
    assert heard == [business.public_id]
    assert delivery().done_at


@COMMITS
def test_with_the_broker_off_the_change_stands_and_the_work_waits(heard):
    """The test suite's broker address is a socket that nothing listens on."""
    business = publish()
    assert heard == []
    assert EventDelivery.objects.waiting().filter(event__kind="test.happened").count() == 1
    factories.settle()
    assert heard == [business.public_id]


def test_a_failure_is_kept_and_tried_again_later(heard, monkeypatch):
    tries = []

    def fail_first_attempt(event):
        tries.append(clock.now())
        if len(tries) < 3:
            raise ConnectionError("nobody is there")

    monkeypatch.setitem(outbox._listeners, "test.happened", {"tests.listener": fail_first_attempt})
    with time_machine.travel(clock.now(), tick=False) as travel:
        publish()
        factories.settle()
        assert (len(tries), delivery().attempts) == (1, 1)
        assert delivery().last_error == "ConnectionError: nobody is there"
        for _ in range(3):
            travel.shift(5)  # the times of the rows are the database's
            earlier = F("not_before") - timedelta(seconds=5)
            EventDelivery.objects.waiting().update(not_before=earlier)
            factories.settle()
    assert len(tries) == 3
    assert delivery().last_error == ""


@COMMITS
@pytest.mark.parametrize("hours", [-2, 2])
def test_a_host_whose_clock_is_wrong_delays_nothing_and_is_not_delayed(heard, hours):
    with time_machine.travel(clock.now() + timedelta(hours=hours)):
        business = publish()
    factories.settle()
    assert heard == [business.public_id]

    other = publish()
    with time_machine.travel(clock.now() + timedelta(hours=hours)):
        factories.settle()
    assert heard == [business.public_id, other.public_id]


def test_what_a_mail_server_quotes_of_a_link_is_its_host_alone(heard, monkeypatch):
    def refused(_):
        raise SMTPDataError(554, b"https://console.example/sign-in/reset/u/a-live-token/ blocked")

    monkeypatch.setitem(outbox._listeners, "test.happened", {"tests.listener": refused})
    publish()
    factories.settle()
    assert "https://console.example" in delivery().last_error
    assert "a-live-token" not in delivery().last_error


def test_a_listener_that_is_gone_leaves_its_work_to_be_seen(heard, monkeypatch):
    publish()
    monkeypatch.setitem(outbox._listeners, "test.happened", {})
    factories.settle()
    assert "Nobody is called" in delivery().last_error


@COMMITS
def test_two_workers_at_once_do_it_once(heard):
    publish()
    delivery_pk = delivery().pk

    def work(_):
        try:
            return outbox.handle(delivery_pk)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(work, range(8)))

    assert sum(done) == 1
    assert len(heard) == 1


def test_a_hook_runs_inside_the_transaction(monkeypatch):
    seen = []
    monkeypatch.setitem(outbox._hooks, "test.happened", [lambda event: seen.append(event.kind)])
    publish()
    assert seen == ["test.happened"]


def test_a_name_is_registered_once():
    with pytest.raises(ValueError, match="already listens"):
        outbox.subscribe("person.signed_up", "accounts.emails", print)
