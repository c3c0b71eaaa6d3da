"""Every page of a business shows the same card with the next step and one link to it."""

import re

from django.test import Client
from django.urls import reverse

from agreements.lifecycle import PackStatus
from onboarding.lifecycle import ApplicationStatus
from tests import factories
from tests.apikeys import world
from tests.apikeys.going_live import world as going_live

PAGES = ("accounts:business", "accounts:team", "apikeys:keys", "apikeys:own_products")


def cards(business, pages=PAGES):
    """Return the distinct texts and links of the card on these pages."""
    client = factories.signed_in(Client(), factories.owner_of(business))
    found = set()
    for name in pages:
        page = client.get(reverse(name, args=[business.public_id])).text
        shown = re.findall(r'<div[^>]*"next-step">.*?</div></div>', page, re.DOTALL)
        assert len(shown) == 1, name
        links = re.findall(r'href="([^"]+)"', shown[0])
        found.add((re.sub(r"<[^>]+>|\s+", " ", shown[0]).strip(), *links))
    return found


def said(business, pages=PAGES):
    """Return the card's text and its only link."""
    (card,) = {card for card in cards(business, pages) if len(card) == 2}
    return " ".join(card[0].split()), card[1].split(business.public_id)[1]


def test_before_the_first_answer():
    words, link = said(factories.a_business())
    assert words.startswith("Next Answer the questions")
    assert link == "/access/"


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
    assert link == "/keys/"


def test_after_going_live():
    live = going_live.a_live_business()
    world.a_key(live.sandbox)
    words, link = said(live.business)
    assert words == "Next Live keys Live is open Create a key"
    world.a_key(live.live, days=30)
    words, link = said(live.business)
    assert words.startswith("Done You are live")
    assert link == "/products/"


def test_what_is_not_decided_is_said_and_not_what_follows_going_live():
    business = factories.a_business()
    factories.an_application(ApplicationStatus.WITHDRAWN, business=business)
    words, _link = said(business)
    assert words.startswith("Next Answer the questions Withdrawn")


def test_other_pages_and_other_people_have_none():
    business = factories.a_business()
    client = factories.signed_in(Client(), factories.owner_of(business))

    assert "next-step" not in client.get(reverse("accounts:security")).text
    stranger = factories.signed_in(Client(), factories.a_person())
    page = stranger.get(reverse("accounts:business", args=[business.public_id]))
    assert "next-step" not in page.text
