"""The endpoint pages: created with a secret shown once, changed, paused, verified, removed."""

import html
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from apikeys.webhooks import addresses, deliveries, enforcement, verification
from apikeys.webhooks.lifecycle import EndpointStatus, PausedReason, Verification
from apikeys.webhooks.models import DeliveryDay, DeliveryLane, QueuedDelivery, WebhookEndpoint
from apikeys.webhooks.pages import health_strip
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.core import clock
from tests import factories
from tests.apikeys.webhooks import world
from tests.apikeys.world import once_in

SECRET = re.compile(r"whsec_[A-Za-z0-9+/]{48}")
URL = "https://hooks.example.com/events"


@pytest.fixture(autouse=True)
def _names_lead_nowhere(monkeypatch):
    """Do not look up names on the network."""
    monkeypatch.setattr(addresses, "refuse_forbidden", lambda url: None)


@pytest.fixture
def endpoint() -> Iterator[WebhookEndpoint]:
    """An endpoint that gets no events about itself."""
    with world.a_kind():
        yield world.an_endpoint(events=[world.KIND])[0]


@pytest.fixture
def developer(client: Client, endpoint: WebhookEndpoint) -> Client:
    return factories.signed_in(client, factories.a_member(endpoint.business, Role.DEVELOPER))


def at(name: str, endpoint: WebhookEndpoint, *more: str) -> str:
    return reverse(f"apikeys:{name}", args=[endpoint.business.public_id, *more])


def of(name: str, endpoint: WebhookEndpoint) -> str:
    return at(name, endpoint, endpoint.public_id)


def form_of(page: Any, **changes: Any) -> dict[str, Any]:
    """Return the data that the form on the page sends."""
    typed = {"url": "https://other.example.com/in", "every": "on", "once": once_in(page.text)}
    return typed | changes


# The list -----------------------------------------------------------------------------------


def test_before_the_sandbox_the_list_says_why_none_can_be_created(client):
    business = factories.a_business()
    factories.signed_in(client, factories.owner_of(business))

    page = client.get(reverse("apikeys:webhooks", args=[business.public_id]))

    assert b"You can create endpoints when the sandbox is open." in page.content
    assert b"Create sandbox endpoint" not in page.content


def test_the_list_has_both_environments_and_how_each_endpoint_does(developer, endpoint):
    page = developer.get(at("webhooks", endpoint))

    text = page.content.decode()
    assert text.index('id="sandbox"') < text.index('id="live"')
    assert endpoint.url in text
    assert "No deliveries in the last 7 days" in text
    assert "Create live endpoint" in text


@pytest.mark.parametrize(
    ("lane", "days", "words"),
    [
        ({}, (0, 0), "No deliveries in the last 7 days"),
        ({}, (1, 0), "The only attempt in the last 7 days succeeded"),
        ({}, (1200, 0), "All 1,200 attempts in the last 7 days succeeded"),
        ({}, (9, 1), "1 of 10 attempts failed in the last 7 days"),
        ({"failing": True, "consecutive_failures": 12}, (9, 12), "Failing, 12 in a row"),
    ],
)
def test_the_health_line(developer, endpoint, lane, days, words):
    if lane.pop("failing", False):
        lane["failing_since"] = clock.now()
    DeliveryLane.objects.filter(endpoint=endpoint).update(**lane)
    good, bad = days
    if good or bad:
        today = clock.now().date()
        DeliveryDay.objects.create(endpoint=endpoint, day=today, succeeded=good, failed=bad)

    assert words in developer.get(at("webhooks", endpoint)).content.decode()


def test_who_may_only_see_is_offered_nothing_to_change(client, endpoint):
    signatory = factories.a_member(endpoint.business, Role.SIGNATORY)
    factories.signed_in(client, signatory)

    for address in (at("webhooks", endpoint), of("endpoint", endpoint), of("deliveries", endpoint)):
        page = client.get(address)
        assert page.status_code == 200
        assert b"Create sandbox endpoint" not in page.content
        assert b"/pause/" not in page.content
        assert b"/remove/" not in page.content
    for name in ("pause_endpoint", "verify_endpoint", "ping_endpoint", "end_overlap"):
        assert client.post(of(name, endpoint)).status_code == 403
    endpoint.refresh_from_db()
    assert endpoint.status == EndpointStatus.ACTIVE


# Create -------------------------------------------------------------------------------------


def test_the_secret_is_shown_once_and_never_again(developer, endpoint):
    address = at("new_endpoint", endpoint, "live")
    typed = form_of(developer.get(address))

    shown = developer.post(address, typed)

    (secret,) = set(SECRET.findall(shown.content.decode()))
    assert "no-store" in shown.headers["Cache-Control"]
    made = WebhookEndpoint.objects.get(url=typed["url"])
    assert (made.environment, made.enabled_events) == ("live", ["*"])
    again = developer.post(address, typed)
    assert again.status_code == 409
    for page in (again, developer.get(of("endpoint", made)), developer.get(at("webhooks", made))):
        assert secret not in page.content.decode()
    assert WebhookEndpoint.objects.count() == 2


def test_kinds_are_chosen_from_the_list(developer, endpoint):
    address = at("new_endpoint", endpoint, "sandbox")
    typed = form_of(developer.get(address), enabled_events=[world.KIND])
    del typed["every"]

    developer.post(address, typed)

    made = WebhookEndpoint.objects.get(url=typed["url"])
    assert made.enabled_events == [world.KIND]


def test_a_mistake_is_told_and_makes_nothing(developer, endpoint):
    changes: Any
    for changes, words in [
        ({"url": ""}, "Enter the address of the endpoint."),
        ({"url": "http://hooks.example.com/"}, "The address must begin with https://."),
        ({"url": "https://127.0.0.1/"}, "We do not deliver to this address."),
        ({"url": URL}, "Another endpoint with this address"),
        ({"every": ""}, "Choose at least one event type, or all event types."),
        ({"every": "", "enabled_events": ["made.up"]}, "Choose event types from the list."),
        ({"description": "a\u202eb"}, "Remove the hidden character"),
    ]:
        address = at("new_endpoint", endpoint, "sandbox")

        page = developer.post(address, form_of(developer.get(address)) | changes)

        assert page.status_code == 200
        assert words in page.content.decode()
        assert WebhookEndpoint.objects.count() == 1


def test_there_is_no_third_environment(developer, endpoint):
    assert developer.get(at("new_endpoint", endpoint, "staging")).status_code == 404


# One endpoint -------------------------------------------------------------------------------


def test_the_page_asks_the_same_number_of_questions_whatever_there_is(developer, endpoint):
    address = of("endpoint", endpoint)
    developer.get(address)
    with CaptureQueriesContext(connection) as few:
        developer.get(address)
    for _ in range(5):
        deliveries.ping(endpoint, by=SYSTEM)
    with CaptureQueriesContext(connection) as many:
        page = developer.get(address)
    assert page.content.decode().count("webhook_endpoint.ping") == 5
    assert len(many) == len(few)


def test_a_pause_holds_and_a_resume_says_how_many_were_held(developer, endpoint):
    deliveries.ping(endpoint, by=SYSTEM)

    developer.post(of("pause_endpoint", endpoint))
    page = developer.get(of("endpoint", endpoint)).content.decode()
    assert "Paused by you" in page
    assert "Held events: 1 delivery" in page

    page = developer.post(of("resume_endpoint", endpoint), follow=True).content.decode()
    assert "Held until now: 1 delivery." in page
    endpoint.refresh_from_db()
    assert endpoint.status == EndpointStatus.ACTIVE


def test_what_our_staff_stopped_no_business_resumes(developer, endpoint):
    rows = WebhookEndpoint.objects.filter(pk=endpoint.pk)
    abuse = {"paused_reason": PausedReason.ABUSE, "paused_at": clock.now()}
    factories.change(rows, status=EndpointStatus.PAUSED, **abuse)

    page = developer.get(of("endpoint", endpoint)).content.decode()

    assert "Stopped by our staff" in page
    assert "Resume" not in page
    for name in ("resume_endpoint", "pause_endpoint"):
        old = developer.post(of(name, endpoint))
        assert old.status_code == 409
        assert "Our staff stopped this endpoint" in old.text


def test_what_it_gets_can_be_changed(developer, endpoint):
    address = of("edit_endpoint", endpoint)
    page = developer.get(address).content.decode()
    assert re.findall(r'value="([\w.]+)"[^>]* checked', page) == [world.KIND]
    assert re.findall(r'name="every"[^>]*>', page)
    assert not re.findall(r'name="every"[^>]* checked', page)

    developer.post(address, {"every": "on", "description": "Orders"})

    endpoint.refresh_from_db()
    assert (endpoint.enabled_events, endpoint.description) == (["*"], "Orders")
    assert not endpoint.probed_weekly


def test_a_page_from_before_a_change_undoes_nothing(developer, endpoint):
    address = of("edit_endpoint", endpoint)
    (seen,) = re.findall(r'name="seen" value="([^"]+)"', developer.get(address).content.decode())
    old = {"seen": html.unescape(seen), "enabled_events": world.KIND}

    renamed = [developer.post(address, old | {"description": "Orders"}) for _ in range(2)]
    assert [one.status_code for one in renamed] == [302, 302]
    refused = developer.post(address, old | {"probed_weekly": "on"})
    assert refused.status_code == 409
    assert b"Somebody changed this endpoint" in refused.content
    endpoint.refresh_from_db()
    assert (endpoint.description, endpoint.probed_weekly) == ("Orders", False)


def test_the_pages_say_for_how_many_days_this_installation_keeps_events(
    developer, endpoint, settings
):
    settings.WEBHOOK_EVENT_DAYS = 9
    deliveries.ping(endpoint, by=SYSTEM)
    developer.post(of("pause_endpoint", endpoint))

    assert "We hold events for 9 days" in developer.get(of("endpoint", endpoint)).text
    assert "through the API for 9 days" in developer.get(of("remove_endpoint", endpoint)).text


def test_what_was_removed_meanwhile_is_not_a_wrong_address(developer, endpoint):
    assert developer.post(of("remove_endpoint", endpoint)).status_code == 302

    again = developer.post(of("remove_endpoint", endpoint))
    assert again.status_code == 404
    assert "was removed after you opened the page" in again.text
    late = developer.post(of("edit_endpoint", endpoint), {"description": "Orders of Leeds"})
    assert "Orders of Leeds</blockquote>" in late.text


def test_a_new_address_is_verified_anew(developer):
    endpoint, _ = world.an_endpoint(verified=True)
    client = factories.signed_in(Client(), factories.owner_of(endpoint.business))

    client.post(of("move_endpoint", endpoint), {"url": "https://new.example.com/in"})

    endpoint.refresh_from_db()
    assert endpoint.url == "https://new.example.com/in"
    assert endpoint.verification == Verification.UNVERIFIED


@pytest.mark.parametrize("leaked", [False, True])
def test_a_rotated_secret_is_shown_once(developer, endpoint, leaked):
    typed = {"end_previous": "on"} if leaked else {}
    typed["replaces"] = endpoint.secret_set_at.isoformat()

    shown = developer.post(of("rotate_secret", endpoint), typed)

    (secret,) = set(SECRET.findall(shown.content.decode()))
    assert "no-store" in shown.headers["Cache-Control"]
    endpoint.refresh_from_db()
    assert (endpoint.previous_secret is None) == leaked
    page = developer.get(of("endpoint", endpoint)).content.decode()
    assert secret not in page
    assert ("End it now" in page) == (not leaked)
    developer.post(of("end_overlap", endpoint))
    endpoint.refresh_from_db()
    assert endpoint.previous_secret is None


def test_a_test_event_leads_to_its_delivery(developer, endpoint):
    page = developer.post(of("ping_endpoint", endpoint), follow=True)

    queued = QueuedDelivery.objects.get()
    assert page.redirect_chain[-1][0].endswith(f"/deliveries/{queued.public_id}/")
    assert "webhook_endpoint.ping" in page.content.decode()


def test_a_removed_endpoint_is_nobodys_to_see(developer, endpoint):
    address = of("remove_endpoint", endpoint)
    assert b"cannot undo" in developer.get(address).content

    developer.post(address)

    assert developer.get(of("endpoint", endpoint)).status_code == 404
    assert (
        endpoint.url
        not in developer.get(at("webhooks", endpoint)).content.decode().split('id="sandbox"')[1]
    )


# Verification -------------------------------------------------------------------------------

RESULTS: list[dict[str, Any]] = [
    {"probe": "P1", "expected": "2xx", "status": 204, "error": "", "held": True},
    {"probe": "N4", "expected": "4xx", "status": 200, "error": "", "held": False},
    {"probe": "P1", "expected": "2xx", "status": None, "error": "timeout", "held": False},
    {"probe": "N2", "expected": "4xx", "status": 401, "error": "", "held": True},
]


def test_a_verification_that_runs_keeps_the_page_up_to_date(developer, endpoint):
    developer.post(of("verify_endpoint", endpoint))

    page = developer.get(of("endpoint", endpoint)).content.decode()

    assert "We are verifying this endpoint" in page
    assert 'hx-trigger="every 3s"' in page


def test_its_results_stand_there_in_words(developer, endpoint):
    probe = verification.ask(endpoint, by=SYSTEM)
    verification.settle(probe, RESULTS, method="", by=SYSTEM)

    page = developer.get(of("endpoint", endpoint)).content.decode()

    assert "valid signature: timeout." in page
    assert page.count("Correct") == 1
    assert 'hx-trigger="every 3s"' not in page


# The health strip ---------------------------------------------------------------------------


def test_one_attempt_is_counted_as_one(endpoint):
    DeliveryDay.objects.create(endpoint=endpoint, day=clock.now().date(), succeeded=1)
    assert (
        health_strip.words(health_strip.strip_of(endpoint))
        == "1 attempt in 90 days, 100% succeeded"
    )


def test_the_strip_has_ninety_bars_and_says_what_it_shows(developer, endpoint):
    today = clock.now().date()
    DeliveryDay.objects.create(endpoint=endpoint, day=today, succeeded=9999, failed=1)

    drawn = health_strip.strip_of(endpoint)

    assert [len(drawn.bars), drawn.bars[-1].day] == [90, today]
    # A single failure among thousands is visible and not rounded away.
    assert [part.look for part in drawn.bars[-1].parts] == ["failed", "ok"]
    assert drawn.bars[-1].parts[0].height > 0
    assert health_strip.words(drawn) == "10,000 attempts in 90 days, 99.9% succeeded"
    page = developer.get(of("endpoint", endpoint)).content.decode()
    assert page.count("<title>") == 91
    assert "9,999 succeeded, 1 failed" in page


def test_the_page_says_how_many_requests_a_verification_sends(developer, endpoint):
    sent = sum(probe.times for probe in enforcement.FULL)
    accepted = sum(probe.times for probe in enforcement.FULL if probe.accepted)

    page = developer.get(of("endpoint", endpoint)).content.decode()

    assert f"We send {sent} requests in random order" in page
    assert f"must accept {accepted} and refuse {sent - accepted}" in page
