"""The demo's coffee shop: on its own host, only with DEMO=1, and only for its own sessions."""

import re

import pytest
from django.db import transaction
from django.test import Client

from api.checkout import widget
from api.demo import shop_host
from api.demo.people import WORLD
from api.payments.models import CheckoutSession
from console.accounts.actors import SYSTEM
from console.audit import log as audit
from tests.api.hosted.payers import a_shop, open_session
from tests.apikeys import world


@pytest.fixture(autouse=True)
def _demo(settings):
    settings.DEMO = True
    business = world.a_grant(products=("balances", "checkout")).business
    with transaction.atomic():
        audit.record("demo.made", WORLD, by=SYSTEM, businesses={"kettle": business.public_id})


@pytest.fixture
def visitor() -> Client:
    return Client(headers={"host": shop_host.HOST})


def pay(visitor: Client, session: str, part: str) -> int:
    return visitor.post(f"/orders/{session}/pay/", {"part": part}).status_code


def test_its_page_loads_the_widget_under_a_strict_policy(visitor, settings):
    page = visitor.get("/")
    policy = page.headers["Content-Security-Policy"]
    assert page.status_code == 200
    assert widget.integrity() in page.text
    assert f"script-src 'self' {settings.CHECKOUT_ORIGIN};" in policy
    assert "unsafe" not in policy
    assert not page.cookies
    assert not re.findall(r"<script>|style=", page.text)


def test_an_order_opens_a_session_that_its_bank_pays_in_parts(visitor):
    made = visitor.post("/orders/", headers={"accept": "application/json"})
    assert made.status_code == 201
    session = CheckoutSession.objects.get(public_id=made.json()["sessionId"])
    for part, status, left in (("half", "awaiting_payment", 9_250_00), ("rest", "paid", 0)):
        assert pay(visitor, session.public_id, part) == 204
        session.refresh_from_db()
        assert (session.status, session.outstanding) == (status, left)
    assert pay(visitor, session.public_id, "rest") == 204
    assert session.payments.count() == 2


def test_without_its_script_an_order_leads_to_the_payment_page(visitor):
    ordered = visitor.post("/orders/", headers={"accept": "text/html"})
    assert ordered.headers["Location"] == CheckoutSession.objects.get().checkout_url


def test_it_pays_no_session_of_another_business(visitor, api):
    session = open_session(a_shop(api))
    assert pay(visitor, session["id"], "rest") == 404


def test_without_the_demo_world_there_is_no_shop(visitor, settings):
    settings.DEMO = False
    assert visitor.post("/orders/").status_code == 404
    assert "Kiosk blend" not in visitor.get("/").text


def test_its_host_has_no_page_of_the_console(visitor):
    assert visitor.get("/sign-in/").status_code == 404
    assert visitor.get("/sandbox/v1/me").status_code == 404
