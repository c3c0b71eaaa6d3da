"""Waiting pages reload once what they wait for has happened, and then stop polling."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from agreements.lifecycle import PackStatus
from agreements.models import Pack
from agreements.packs import packs
from apikeys.webhooks import verification
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.core import clock
from onboarding.lifecycle import ApplicationStatus
from onboarding.review import decisions
from tests import factories
from tests.apikeys.webhooks import world as webhooks
from tests.onboarding import answered

ASKS = re.compile(r"""hx-get="([^"]+)" hx-headers='{"X-Shown-State": "([^"]*)"}'""")
PAGE = {"HX-Request": "true"}


def asked(client: Client, address: str) -> str:
    """Poll as the page at that address does; return "load" or the status."""
    found = ASKS.search(client.get(address).text)
    assert found, f"{address} asks nothing"
    return ask(client, found[1], found[2])


def ask(client: Client, address: str, state: str) -> str:
    answer = client.get(address, headers={**PAGE, "X-Shown-State": state})
    return "load" if answer.headers.get("HX-Refresh") == "true" else str(answer.status_code)


def owner_at(business) -> Client:
    return factories.signed_in(Client(), factories.owner_of(business))


@pytest.mark.parametrize("route", ["onboarding:access", "agreements:pack"])
def test_a_review_page_loads_once_it_is_decided_and_not_on_a_hold(route):
    application = factories.a_reviewed_application(**answered.HIGH)
    page = reverse(route, args=[application.business.public_id])
    owner, staff = owner_at(application.business), factories.one_of_staff(Role.COMPLIANCE)
    assert asked(owner, page) == "204"
    decisions.hold(application, note="A name.", by=staff)
    assert asked(owner, page) == "204"
    assert ask(owner, page, "submitted") == "204"
    decisions.decline(factories.fresh(application), note="A name.", by=staff)
    assert ask(owner, page, "submitted") == "load"
    assert not ASKS.search(owner.get(page).text)


def test_a_page_of_agreements_loads_when_the_pack_is_there_and_when_it_is_sealed():
    application = factories.an_application(ApplicationStatus.CLEARED)
    page = reverse("agreements:pack", args=[application.business.public_id])
    owner = owner_at(application.business)
    assert asked(owner, page) == "204"
    packs.prepare(application, by=SYSTEM)
    assert ask(owner, page, "cleared") == "load"

    for status in (PackStatus.IN_APPROVAL, PackStatus.APPROVED):
        pack = factories.a_pack(at=status)
        page = reverse("agreements:pack", args=[pack.business.public_id])
        assert asked(owner_at(pack.business), page) == "204", status
    assert ask(owner_at(pack.business), page, PackStatus.IN_APPROVAL) == "load"


def test_a_page_whose_pack_is_being_sealed_asks():
    pack = factories.a_pack(at=PackStatus.COUNTERSIGNING)
    page = reverse("agreements:pack", args=[pack.business.public_id])
    owner = owner_at(pack.business)
    assert asked(owner, page) == "204"
    staff = factories.signed_in(Client(), factories.one_of_staff(Role.COMPLIANCE))
    assert asked(staff, pack.application.case_url) == "204"
    factories.settle()
    assert Pack.objects.get(pk=pack.pk).status == PackStatus.EXECUTED
    assert ask(owner, page, PackStatus.COUNTERSIGNING) == "load"
    assert not ASKS.search(owner.get(page).text)


def test_the_page_of_an_endpoint_is_loaded_whole_once_its_verification_is_over():
    endpoint, _ = webhooks.an_endpoint()
    owner = owner_at(endpoint.business)
    page = reverse("apikeys:endpoint", args=[endpoint.business.public_id, endpoint.public_id])
    assert "HX-Refresh" not in owner.get(page).headers
    probe = verification.ask(endpoint, by=factories.owner_of(endpoint.business))
    assert "HX-Refresh" not in owner.get(page, headers=PAGE).headers
    assert 'hx-trigger="every 3s"' in owner.get(page).text

    verification.settle(probe, [], method="probe", by=SYSTEM)

    assert owner.get(page, headers=PAGE).headers["HX-Refresh"] == "true"
    shown = owner.get(page).text
    assert "Not verified" not in shown
    assert 'hx-trigger="every' not in shown


def test_asking_keeps_no_session_alive_and_leads_to_signing_in():
    business = factories.a_business()
    owner = owner_at(business)
    page = reverse("apikeys:keys", args=[business.public_id])
    with time_machine.travel(clock.now(), tick=False) as time:
        assert owner.get(page).status_code == 200
        for _ in range(4):
            time.shift(timedelta(minutes=9))
            last = ask(owner, page, "")
        assert last == "load"
        assert owner.get(page).status_code == 302
