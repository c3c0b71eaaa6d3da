"""Requesting a verification, and the endpoint's status after its round."""

from datetime import timedelta

import pytest
import time_machine
from django.db import transaction

from apikeys.lifecycle import Environment
from apikeys.webhooks import endpoints, verification
from apikeys.webhooks.lifecycle import Verification
from apikeys.webhooks.models import EndpointProbe, WebhookEndpoint
from console.accounts.actors import SYSTEM
from console.accounts.models import Membership
from console.accounts.roles import Permission, Role
from console.audit.models import Entry
from console.core import clock
from console.core.refusals import NotAllowed, TooMany, WrongStatus
from console.events.models import Event
from tests import factories
from tests.apikeys.webhooks import world

LIVE = Environment.LIVE


def a_round(endpoint, *, method="probe", by=None, results=()):
    by = by or factories.owner_of(endpoint.business)
    probe = verification.ask(endpoint, by=by)
    return verification.settle(probe, list(results), method=method, by=SYSTEM)


def weeks(endpoint, *methods):
    for method in methods:
        probe = verification.ask_weekly(endpoint, by=SYSTEM)
        assert probe is not None
        verification.settle(probe, [], method=method, by=SYSTEM)
    endpoint.refresh_from_db()


def test_a_round_is_asked_for_with_its_entry_and_its_event():
    endpoint, _ = world.an_endpoint()
    owner = factories.owner_of(endpoint.business)

    probe = verification.ask(endpoint, by=owner)

    assert verification.newest(endpoint) == probe
    assert (probe.url, probe.weekly, probe.ended_at) == (endpoint.url, False, None)
    entry = Entry.objects.get(code="webhook_endpoint.probe_asked", subject_id=endpoint.public_id)
    assert entry.actor_id == owner.public_id
    event = Event.objects.get(kind="webhook_endpoint.probe_asked", subject_id=endpoint.public_id)
    assert event.payload["probe"] == probe.public_id


def test_asked_twice_there_is_one_round():
    endpoint, _ = world.an_endpoint()
    owner = factories.owner_of(endpoint.business)

    assert verification.ask(endpoint, by=owner) == verification.ask(endpoint, by=owner)

    assert endpoint.probes.count() == 1


def test_an_eleventh_round_of_a_day_is_refused():
    endpoint, _ = world.an_endpoint()
    with time_machine.travel("2026-09-01T12:00:00Z", tick=False) as travel:
        for _ in range(verification.MOST_A_DAY):
            a_round(endpoint, method="")
        travel.shift(timedelta(hours=23))
        with pytest.raises(TooMany) as refused:
            a_round(endpoint)
        assert 3600 <= refused.value.retry_after <= 3601
        travel.shift(timedelta(hours=1))
        assert a_round(endpoint).passed


def test_a_round_is_refused_where_our_staff_stopped_the_endpoint():
    endpoint, _ = world.an_endpoint()
    endpoints.stop_abuse(
        endpoint, reason="Complaints.", by=factories.who_may(Permission.ACCESS_SUSPEND)
    )

    with pytest.raises(WrongStatus):
        verification.ask(endpoint, by=factories.owner_of(endpoint.business))

    assert not endpoint.probes.exists()


def test_who_ever_belonged_to_the_business_neither_stops_nor_lifts():
    endpoint, _ = world.an_endpoint()
    insider = factories.who_may(Permission.ACCESS_SUSPEND)
    factories.join(endpoint.business, insider, Role.VIEWER)
    Membership.objects.filter(user=insider, business=endpoint.business).delete()
    with pytest.raises(NotAllowed, match="belonged"):
        endpoints.stop_abuse(endpoint, reason="Complaints.", by=insider)
    endpoints.stop_abuse(
        endpoint, reason="Complaints.", by=factories.who_may(Permission.ACCESS_SUSPEND)
    )
    with pytest.raises(NotAllowed, match="belonged"):
        endpoints.lift_abuse(endpoint, reason="They mended it.", by=insider)


def test_a_stranger_and_a_removed_endpoint_are_refused():
    endpoint, _ = world.an_endpoint()
    owner = factories.owner_of(endpoint.business)
    with pytest.raises(NotAllowed):
        verification.ask(endpoint, by=factories.a_person())
    endpoints.remove(endpoint, by=owner)
    with pytest.raises(WrongStatus):
        verification.ask(endpoint, by=owner)


def test_who_passes_is_verified_and_what_was_held_flows():
    endpoint, _ = world.an_endpoint(environment=LIVE)
    assert endpoint.holds
    assert verification.verified_since(endpoint.business) is None

    probe = a_round(endpoint, method="challenge", results=[{"probe": "P1"}])

    endpoint = WebhookEndpoint.objects.get(pk=endpoint.pk)
    assert not endpoint.holds
    assert (endpoint.verification, endpoint.verification_method) == ("verified", "challenge")
    assert verification.verified_since(endpoint.business) == probe.ended_at
    assert probe.results == [{"probe": "P1"}]
    assert Entry.objects.filter(
        code="webhook_endpoint.verified", subject_id=endpoint.public_id
    ).exists()
    assert Event.objects.filter(
        kind="webhook_endpoint.verified", subject_id=endpoint.public_id
    ).exists()


def test_a_round_that_fails_takes_nothing_from_a_verified_endpoint():
    endpoint, _ = world.an_endpoint(environment=LIVE, verified=True)

    a_round(endpoint, method="")

    endpoint.refresh_from_db()
    assert endpoint.verification == Verification.VERIFIED
    assert endpoint.failed_probes == 0


def test_settled_twice_is_once():
    endpoint, _ = world.an_endpoint()
    probe = a_round(endpoint)

    verification.settle(probe, [{"probe": "P1"}], method="", by=SYSTEM)

    probe.refresh_from_db()
    assert probe.passed
    assert probe.results == []


@pytest.mark.parametrize("change", ["moved", "removed"])
def test_what_an_earlier_address_showed_is_dropped(change):
    endpoint, _ = world.an_endpoint(environment=LIVE)
    owner = factories.owner_of(endpoint.business)
    probe = verification.ask(endpoint, by=owner)
    if change == "moved":
        endpoints.move(endpoint, "https://other.example.com/", by=owner)
    else:
        endpoints.remove(endpoint, by=owner)

    probe = verification.settle(probe, [{"probe": "P1"}], method="probe", by=SYSTEM)

    endpoint.refresh_from_db()
    assert endpoint.verification == Verification.UNVERIFIED
    assert (probe.passed, probe.method, probe.results) == (False, "", [])


def test_two_bad_weeks_in_a_row_lapse():
    endpoint, _ = world.an_endpoint(environment=LIVE, verified=True)

    weeks(endpoint, "", "probe", "")
    assert (endpoint.verification, endpoint.failed_probes) == ("verified", 1)
    weeks(endpoint, "")

    assert endpoint.verification == Verification.LAPSED
    assert not endpoint.holds
    assert Event.objects.filter(
        kind="webhook_endpoint.lapsed", subject_id=endpoint.public_id
    ).exists()
    assert verification.verified_since(endpoint.business) is None
    assert verification.ask_weekly(endpoint, by=SYSTEM) is None
    a_round(endpoint)
    endpoint.refresh_from_db()
    assert (endpoint.verification, endpoint.failed_probes) == ("verified", 0)


def test_two_rounds_at_a_time_are_refused_by_the_database():
    endpoint, _ = world.an_endpoint()
    verification.ask(endpoint, by=factories.owner_of(endpoint.business))
    with pytest.raises(Exception, match="one_probe_at_a_time"), transaction.atomic():
        EndpointProbe.objects.create(endpoint=endpoint, url=endpoint.url, asked_at=clock.now())
