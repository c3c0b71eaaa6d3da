"""Pages of a business show the same card with the next step and one link to it, except its own."""

import re

from django.test import Client
from django.urls import reverse

from agreements.lifecycle import PackStatus
from apikeys.allowlist import allowlist
from apikeys.lifecycle import Environment
from apikeys.models import Grant
from apikeys.webhooks import endpoints
from console.catalogue.definitions import PRODUCTS
from onboarding.lifecycle import ApplicationStatus, CheckStatus
from onboarding.models import Check
from tests import factories
from tests.apikeys import world
from tests.apikeys.going_live import world as going_live
from tests.apikeys.webhooks.world import an_endpoint

PAGES = ("api:home", "accounts:team", "apikeys:keys", "apikeys:own_products")


def cards(business, pages=PAGES):
    """Return the distinct texts and links of the card on these pages."""
    client = factories.signed_in(Client(), factories.owner_of(business))
    found, without = set(), []
    for name in pages:
        path = reverse(name, args=[business.public_id])
        shown = re.findall(
            r'<div[^>]*"next-step">.*?</div></div>', client.get(path).text, re.DOTALL
        )
        assert len(shown) <= 1, name
        without += [path] * (not shown)
        for card in shown:
            links = re.findall(r'href="([^"]+)"', card)
            found.add((re.sub(r"<[^>]+>|\s+", " ", card).strip(), *links))
    steps = {link for _words, *links in found for link in links}
    assert all(path in steps for path in without)
    return found


def said(business, pages=PAGES):
    """Return the card's text and its only link."""
    (card,) = {card for card in cards(business, pages) if len(card) == 2}
    return " ".join(card[0].split()), card[1].split(business.public_id)[1]


def test_before_the_first_answer():
    words, link = said(factories.a_business())
    assert words.startswith("Next Answer the questions")
    assert link == "/access/"


def test_when_every_question_is_answered_it_leads_to_the_check_page():
    application = factories.an_application()
    words, link = said(application.business)
    assert words.startswith("Next Answer the questions Twelve sections")
    assert link == "/access/"

    factories.filled(application)
    words, link = said(application.business)
    assert words == "Next Answer the questions You have answered every question Check and submit"
    assert link == "/access/check/"


def test_while_the_pack_waits_for_its_signature():
    pack = factories.a_pack(at=PackStatus.READY_TO_SIGN)
    words, link = said(pack.business)
    assert words.startswith("Next Read and sign")
    assert link == "/agreements/"


def test_after_execution():
    pack = factories.a_pack(at=PackStatus.EXECUTED)
    factories.settle()
    words, link = said(pack.business)
    assert words.startswith("Next Sandbox keys")
    assert link == "/keys/new/?environment=sandbox"


def test_before_asking_to_go_live_it_names_only_what_is_open():
    business = factories.a_pack(at=PackStatus.EXECUTED).business
    factories.settle()
    grants = {grant.environment: grant for grant in Grant.objects.of(business)}
    world.a_key(grants["sandbox"])
    owner = factories.owner_of(business)
    *others, last = grants["sandbox"].products

    calls = f"one sandbox call to each of {len(others) + 1} products"
    words, link = said(business, ["apikeys:keys"])
    needs = f"a verified webhook endpoint, an IP allowlist and {calls} View requirements"
    assert words == f"Next Live keys Needs {needs}"
    assert link == "/go-live/"

    allowlist.set_of_business(grants["live"], [going_live.NETWORK], by=owner)
    for product in others:
        going_live.call(business, product)
    words, _link = said(business, ["apikeys:keys"])
    call = f"one sandbox call to {PRODUCTS[last].name}"
    assert words == f"Next Live keys Needs a verified webhook endpoint and {call} View requirements"

    endpoint, _secret = an_endpoint(business, environment=Environment.LIVE, verified=True)
    going_live.call(business, last)
    words, link = said(business, ["apikeys:keys"])
    assert words == "Next Live keys You can ask to go live now Ask to go live"
    assert link == "/go-live/"

    endpoints.pause(endpoint, by=owner)
    words, _link = said(business, ["apikeys:keys"])
    assert words == "Next Live keys Needs a verified webhook endpoint View requirements"


def test_it_says_that_only_our_requirements_for_live_are_open():
    live = going_live.a_ready_business()
    world.a_key(live.sandbox)
    Check.objects.filter(application__business=live.business).update(status=CheckStatus.RUNNING)
    words, _link = said(live.business, ["apikeys:keys"])
    assert words.startswith("Next Live keys You meet your requirements.")


def test_after_going_live():
    live = going_live.a_live_business()
    world.a_key(live.sandbox)
    words, _link = said(live.business, PAGES[1:])
    assert words == "Next Live keys Live is open Create a key"
    world.a_key(live.live, days=30)
    client = factories.signed_in(Client(), factories.owner_of(live.business))
    for name in PAGES:
        page = client.get(reverse(name, args=[live.business.public_id]))
        assert "next-step" not in page.text, name


def test_what_is_not_decided_is_said_and_not_what_follows_going_live():
    business = factories.a_business()
    factories.an_application(ApplicationStatus.WITHDRAWN, business=business)
    words, _link = said(business)
    assert words.startswith("Next Answer the questions Withdrawn")


def test_the_step_has_no_card_on_its_own_pages():
    pack = factories.a_pack(at=PackStatus.READY_TO_SIGN)
    client = factories.signed_in(Client(), factories.owner_of(pack.business))
    for name in ("agreements:pack", "agreements:sign"):
        page = client.get(reverse(name, args=[pack.business.public_id]))
        assert page.status_code == 200
        assert "next-step" not in page.text


def test_other_pages_and_other_people_have_none():
    business = factories.a_business()
    client = factories.signed_in(Client(), factories.owner_of(business))

    assert "next-step" not in client.get(reverse("accounts:security")).text
    stranger = factories.signed_in(Client(), factories.a_person())
    page = stranger.get(reverse("api:home", args=[business.public_id]))
    assert "next-step" not in page.text
