"""The go-live pages, from the checklist to a live key, as the people involved use them."""

import re
from datetime import timedelta
from functools import partial

import pytest
from django.test import Client
from django.urls import reverse

from agreements.lifecycle import PackStatus
from apikeys.going_live import requests
from apikeys.going_live.models import GoLiveRequest
from apikeys.lifecycle import Environment
from apikeys.models import ApiKey, Grant
from console.accounts.roles import Role
from console.core import clock
from console.events.models import Event
from onboarding.checks import waivers
from onboarding.lifecycle import CheckStatus
from onboarding.models import Check, CheckWaiver
from tests import databases, factories, prepared
from tests.apikeys.going_live import world as going
from tests.apikeys.going_live.world import NOTE
from tests.apikeys.world import once_in, pressed_at_once
from tests.proofs import Proven, proof

TOGETHER = 32


def test_each_product_links_to_its_own_documentation_before_and_after_its_call(client):
    business = factories.a_pack(at=PackStatus.EXECUTED).business
    factories.settle()
    factories.signed_in(client, factories.owner_of(business))
    (products,) = Grant.objects.filter(
        business=business, environment=Environment.SANDBOX
    ).values_list("products", flat=True)
    assert products
    page = reverse("apikeys:go_live", args=[business.public_id])
    links = [f'href="{reverse("api:product", args=[product])}"' for product in products]

    shown = client.get(page).text
    assert [link for link in links if link not in shown] == []

    going.make_ready(business)
    shown = client.get(page).text
    assert "You must act" not in shown
    assert [link for link in links if link not in shown] == []


def test_from_the_checklist_to_a_live_key():
    world = going.a_ready_business()
    ours = world.business.public_id
    page = reverse("apikeys:go_live", args=[ours])
    owner = factories.signed_in(Client(), world.owner)
    manager = factories.signed_in(Client(), world.manager)
    head = factories.signed_in(Client(), world.head)
    assert "Ask to go live" in owner.get(page).text

    ask = reverse("apikeys:ask_live", args=[ours])
    assert owner.post(ask, {"products": ["nonsense"]}).status_code == 422
    owner.post(ask, {"products": ["customers"]})
    request = GoLiveRequest.objects.get()
    assert "We are reviewing your request" in owner.get(page).text
    assert owner.post(ask, {"products": []}).status_code == 409

    one = [request.public_id]
    empty = manager.post(reverse("apikeys:propose_live", args=one), {"note": ""})
    assert empty.status_code == 422
    manager.post(reverse("apikeys:propose_live", args=one), {"note": NOTE})
    decide = reverse("apikeys:decide_live", args=one)
    assert NOTE in head.get(decide).text
    head.post(decide, {"decision": "approve", "reason": "All in order."})
    shown = owner.get(page).text
    assert "Confirm and open live" in shown
    assert NOTE not in shown
    assert world.manager.name not in shown
    owner.post(reverse("apikeys:confirm_live", args=[ours, *one]))
    assert world.live.is_open
    assert "POST /test-helpers/" in owner.get(reverse("apikeys:new_key", args=[ours])).text

    new = reverse("apikeys:new_key", args=[ours]) + "?environment=live"
    form = owner.get(new).text
    assert "POST /customers" in form
    assert "/test-helpers/" not in form
    assert re.search(r'<option value="180"[^>]* selected', form)
    typed = {"name": "Production", "scopes": ["customers:read"], "days": "180"}
    typed["once"] = once_in(form)
    shown = owner.post(new, typed).text
    assert "svc_live_" in shown
    assert "http://testserver/v1/me" in shown
    assert ApiKey.objects.get(grant=world.live).expires_at < clock.now() + timedelta(days=181)


def test_a_declined_business_reads_why():
    world = going.a_ready_business()
    request = going.a_request(world, "proposed")
    head = factories.signed_in(Client(), world.head)
    decide = reverse("apikeys:decide_live", args=[request.public_id])
    head.post(decide, {"decision": "decline", "reason": "Tell us about your shops."})

    owner = factories.signed_in(Client(), world.owner)
    page = owner.get(reverse("apikeys:go_live", args=[world.business.public_id])).text
    assert "Tell us about your shops." in page
    assert "Ask to go live" in page


def test_a_reason_is_kept_when_the_business_was_faster():
    world = going.a_ready_business()
    request = going.a_request(world)
    requests.withdraw(request, by=world.owner)
    for person, page, typed in (
        (world.manager, "propose_live", {"note": NOTE}),
        (world.head, "decide_live", {"decision": "decline", "reason": NOTE}),
    ):
        client = factories.signed_in(Client(), person)
        answer = client.post(reverse(f"apikeys:{page}", args=[request.public_id]), typed)
        assert answer.status_code == 422
        assert f"{NOTE}</textarea>" in answer.text


def one_round() -> list[str]:
    """Repeat every step of one business's way to live concurrently, and return errors."""
    at_once = partial(pressed_at_once, times=TOGETHER)
    world = going.a_ready_business()
    request = going.a_request(world)
    done = {
        "propose": at_once(lambda: requests.propose(request, note=NOTE, by=world.manager)),
        "approve": at_once(lambda: requests.approve(request, reason="Fine.", by=world.head)),
        "confirm": at_once(lambda: requests.confirm(request, by=world.owner)),
    }
    check = Check.objects.filter(application=request.application).in_order()[0]
    Check.objects.filter(pk=check.pk).update(status=CheckStatus.RUNNING)
    Check.objects.filter(pk=check.pk).update(status=CheckStatus.FAILED)
    first, ends_at = factories.one_of_staff(Role.COMPLIANCE), clock.now() + timedelta(days=30)
    done["propose a waiver"] = at_once(
        lambda: waivers.propose(check, reason=NOTE, ends_at=ends_at, by=first)
    )
    waiver = CheckWaiver.objects.get(waived_check=check)
    done["waive"] = at_once(
        lambda: waivers.decide(waiver, confirmed=True, reason=NOTE, by=world.head)
    )
    wrong = [f"{name}: {count}" for name, count in done.items() if count != 1]
    opened = Event.objects.filter(kind="grant.open", subject_id=world.live.public_id)
    return wrong if opened.count() == 1 and world.live.is_open else [*wrong, "opened otherwise"]


@pytest.mark.django_db(transaction=True)
@proof("R6", "going live and waiving a check", full=100, asked="1 effect of 32 presses each")
def test_many_presses_at_once_have_one_effect(proven: Proven):
    wrong = []
    for _ in range(proven.size):
        wrong += one_round()
        # Keep the walked packs for the next round, so that it renders none.
        databases.empty_tables()
        prepared.keep()
    figure = f"{proven.size} rounds of {TOGETHER}, {len(wrong)} wrong"
    proven.reached(figure, met=not wrong, wrong=wrong)
