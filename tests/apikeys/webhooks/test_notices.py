"""Notices to a business about failing endpoints, each sent once."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core import mail
from django.template.loader import render_to_string

from apikeys.lifecycle import Environment
from apikeys.webhooks import endpoints, notices, verification
from apikeys.webhooks.lifecycle import DeliveryStatus, PausedReason
from apikeys.webhooks.models import DeliveryLane, EndpointNotice, WebhookDelivery, WebhookEndpoint
from console.accounts.actors import SYSTEM
from console.accounts.roles import BUSINESS, Role
from console.core import clock, ids
from tests import factories
from tests.apikeys.webhooks import world
from tests.onboarding import answered


@pytest.fixture
def endpoint() -> WebhookEndpoint:
    return world.an_endpoint()[0]


def failing_for(endpoint: WebhookEndpoint, **age: float) -> None:
    since = clock.now() - timedelta(**age)
    DeliveryLane.objects.filter(endpoint=endpoint).update(failing_since=since)


def told(job: Callable[[], None] = notices.give_notices) -> list[tuple[str, str]]:
    """Run the job, and return who was sent which notice."""
    mail.outbox.clear()
    job()
    factories.settle()
    return sorted((letter.to[0], str(letter.subject)) for letter in mail.outbox)


@pytest.mark.parametrize(
    ("hours", "words"),
    [
        (0.9, ""),
        (1.1, "No webhook has reached hooks.example.com for 1 hour"),
        (23, "No webhook has reached hooks.example.com for 1 hour"),
        (25, "No webhook has reached hooks.example.com for 24 hours"),
        (73, "No webhook has reached hooks.example.com for 72 hours"),
        (300, "No webhook has reached hooks.example.com for 72 hours"),
    ],
)
def test_each_length_of_failing_is_told_once(endpoint, hours, words):
    failing_for(endpoint, hours=hours)

    letters = told()

    assert [subject for _, subject in letters] == ([words] if words else [])
    assert told() == []


def test_an_endpoint_that_fails_anew_is_told_of_anew(endpoint):
    failing_for(endpoint, hours=2)
    assert len(told()) == 1
    DeliveryLane.objects.filter(endpoint=endpoint).update(failing_since=None)
    assert told() == []

    failing_for(endpoint, hours=3)

    assert len(told()) == 1
    assert EndpointNotice.objects.count() == 2


def test_owners_and_administrators_are_told_and_nobody_else(endpoint):
    business = endpoint.business
    members = {role: factories.a_member(business, role) for role in BUSINESS if role != Role.OWNER}
    failing_for(endpoint, hours=2)

    found = {address for address, _ in told()}

    wanted = {factories.owner_of(business), members[Role.ADMINISTRATOR]}
    assert found == {person.email for person in wanted}


def test_a_paused_or_removed_endpoint_is_not_said_to_fail(endpoint):
    owner = factories.owner_of(endpoint.business)
    other, _ = world.an_endpoint(endpoint.business, url="https://other.example.com/in")
    failing_for(endpoint, hours=2)
    failing_for(other, hours=2)
    endpoints.pause(endpoint, by=owner)
    endpoints.remove(other, by=owner)

    assert told() == []


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (PausedReason.MERCHANT, ""),
        (PausedReason.FAILING, "No delivery has succeeded for too long"),
        (PausedReason.GONE, "answered 410 Gone"),
    ],
)
def test_people_hear_of_a_pause_that_is_not_their_own(endpoint, reason, words):
    mail.outbox.clear()
    endpoints.pause(endpoint, reason=reason, by=factories.owner_of(endpoint.business))
    factories.settle()

    assert [words in letter.body for letter in mail.outbox] == ([True] if words else [])


@pytest.mark.parametrize("what", ["exhausted", "left_out", "gone", "abuse", "failing"])
def test_they_say_for_how_many_days_this_installation_keeps_events(endpoint, settings, what):
    settings.WEBHOOK_EVENT_DAYS = 9
    facts = {"endpoint": endpoint, "business": endpoint.business, "where": endpoint.host}
    kind = what if what in ("exhausted", "left_out") else "paused"
    said = facts | {"what": kind, "reason": what, "number": 2}
    text = render_to_string("emails/endpoint_notice.txt", said)

    assert "for 9 days" in text
    assert "30 days" not in text


def test_people_hear_of_a_lapse():
    endpoint, _ = world.an_endpoint(verified=True, environment=Environment.LIVE)
    WebhookEndpoint.objects.filter(pk=endpoint.pk).update(failed_probes=1)
    probe = verification.ask_weekly(WebhookEndpoint.objects.get(pk=endpoint.pk), by=SYSTEM)
    assert probe is not None
    mail.outbox.clear()

    verification.settle(probe, [], method="", by=SYSTEM)
    factories.settle()

    assert ["no longer refuses wrong signatures" in one.subject for one in mail.outbox] == [True]


def test_what_used_every_attempt_is_told_the_day_after(endpoint):
    yesterday = clock.now() - timedelta(days=1)
    for status, ended in [
        (DeliveryStatus.EXHAUSTED, yesterday),
        (DeliveryStatus.EXHAUSTED, yesterday),
        (DeliveryStatus.EXHAUSTED, clock.now()),
        (DeliveryStatus.DELIVERED, yesterday),
    ]:
        delivery = WebhookDelivery.objects.create(
            public_id=ids.new("whd"), endpoint=endpoint, event_id=ids.new("evt"),
            event_created_at=yesterday, event_kind=world.KIND, kind="normal", status="pending",
            created_at=yesterday - timedelta(days=2), ended_at=ended,
        )  # fmt: skip
        delivery.status = status
        delivery.save(update_fields=["status"])

    (letter,) = told(notices.count_exhausted)

    assert letter[1] == "2 webhook deliveries to hooks.example.com failed after the last attempt"
    assert told(notices.count_exhausted) == []


def test_the_technical_contact_reads_no_host_that_the_business_chose():
    application = factories.a_reviewed_application(
        **answered.HIGH, pr_tech_email="tech@elsewhere.example"
    )
    endpoint = world.an_endpoint(business=application.business)[0]
    failing_for(endpoint, hours=2)

    told()
    mails = [letter for letter in mail.outbox if "No webhook" in letter.subject]
    letters = {letter.to[0]: str(letter.subject) for letter in mails}

    owner = factories.owner_of(application.business).email
    assert letters[owner].endswith(f"{endpoint.host} for 1 hour")
    assert letters["tech@elsewhere.example"].endswith(f"{endpoint.public_id} for 1 hour")
    bodies = {letter.to[0]: letter.body for letter in mails}
    assert endpoint.host not in bodies["tech@elsewhere.example"]
