"""Held money of a session is accepted or returned by buttons on its page."""

import pytest
from django.test import Client as Browser
from django.urls import reverse

from api.payments.models import Deposit
from console.accounts.roles import Role
from tests.api import checkouts
from tests.api.test_modules import a_browser, a_business, at
from tests.apikeys import world

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def session():
    business = a_business("checkout")
    world.a_grant(business, products=("checkout",))
    return checkouts.a_session(business, reference="ORD-77")


def held(session, amount=2_000):
    from api.payments import checkout_sessions
    from console.accounts.actors import SYSTEM

    checkout_sessions.expire(session, by=SYSTEM)
    return checkouts.pays(session, amount)


def page(session):
    return at(session.business, "checkout", "checkout-sessions", session.public_id)


@pytest.mark.parametrize(("name", "status"), [("accept", "settled"), ("return", "returned")])
def test_a_press_decides(session, name, status):
    payment = held(session)
    browser = a_browser(session.business, Role.DEVELOPER)
    address = reverse(f"api:{name}_payment",
        args=[session.business.public_id, session.public_id, payment.public_id])  # fmt: skip
    assert address in browser.get(page(session)).text

    for _ in range(2):
        answer = browser.post(address)
        assert answer.status_code == 302
    assert Deposit.objects.get().status == status
    assert address not in browser.get(page(session)).text


def test_those_who_may_not_decide_see_who_may(session):
    payment = held(session)
    viewer = a_browser(session.business, Role.VIEWER)
    said = viewer.get(page(session)).text
    assert "can decide" in said
    assert "formaction" not in said
    address = reverse("api:accept_payment",
        args=[session.business.public_id, session.public_id, payment.public_id])  # fmt: skip
    assert viewer.post(address).status_code == 403
    stranger = a_browser(a_business("checkout"), Role.OWNER)
    assert isinstance(stranger, Browser)
    assert stranger.post(address).status_code == 404


def test_the_list_shows_late_amounts_and_references(session):
    held(session, 123_400)
    listed = (
        a_browser(session.business).get(at(session.business, "checkout", "checkout-sessions")).text
    )
    assert "ORD-77" in listed
    assert "1,234.00" in listed


def test_held_money_is_shown_as_every_other_page_shows_it(session):
    payment = held(session, 123_400)
    said = a_browser(session.business).get(page(session)).text
    card = said.split('id="held"')[1].split("</section>")[0]
    assert payment.public_id in card
    assert f"1,234.00 {session.currency}" in card
    assert "Late" in card
    assert f'<time datetime="{payment.created_at:%Y-%m-%dT%H:%M}' in card
    assert "1234.00" not in card
    assert f"<td>{payment.created_at:%Y-%m-%d}" not in card
