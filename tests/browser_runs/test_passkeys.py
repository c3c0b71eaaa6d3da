"""Passkeys in Chromium, with its virtual authenticator."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings as site_settings
from django.db import transaction
from django.test import Client
from django.urls import reverse
from playwright.sync_api import CDPSession, expect

from agreements.lifecycle import PackStatus
from agreements.models import SignatureAct
from agreements.verification import assertions
from console.accounts import factors
from console.accounts.actors import SYSTEM
from console.accounts.models import Passkey, User
from console.accounts.roles import Role
from console.audit import log as audit
from console.core import clock, digests
from tests import factories
from tests.browser import Visitor
from tests.browser_runs.commits import committed

pytestmark = [pytest.mark.browser, pytest.mark.check]


def virtual_authenticator(visitor: Visitor) -> tuple[CDPSession, str]:
    """Give the browser a built-in authenticator that verifies its user."""
    session = visitor.context.new_cdp_session(visitor.page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    made = session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return session, made["authenticatorId"]


def a_countersignatory() -> User:
    person = factories.one_of_staff(Role.COUNTERSIGNATORY)
    with transaction.atomic():
        factors.remove_new(person, since=clock.now() - timedelta(days=2), by=SYSTEM)
    return person


def make_old(visitor: Visitor) -> None:
    """Make the identity confirmation of the visitor's session too old."""
    client = Client()
    name = site_settings.SESSION_COOKIE_NAME
    cookies: Any = visitor.context.cookies()
    (value,) = [one["value"] for one in cookies if one["name"] == name]
    client.cookies[name] = value
    committed(factories.long_ago, client)


@pytest.fixture
def visitor(site, at, settings):
    settings.BASE_URL = site
    person = committed(a_countersignatory)
    return person, at(person, by="password")


@transaction.atomic
def let_go(person, since):
    Passkey.objects.filter(user=person).update(held_until=since)
    audit.record("person.added_passkey", person, by=person)


def test_one_of_staff_adds_a_passkey_signs_in_and_countersigns_with_it(visitor):
    person, browser = visitor
    page = browser.page
    authenticator, authenticator_id = virtual_authenticator(browser)

    browser.go(reverse("onboarding:review_queue"))
    browser.press("Add a passkey instead")
    page.get_by_label("Name of the passkey").fill("Laptop")
    page.get_by_role("button", name="Add the passkey").click()
    expect(page.get_by_role("heading", name="Save your recovery codes")).to_be_visible()
    browser.press("I have saved them")

    browser.context.clear_cookies()
    browser.go(reverse("accounts:sign_in"))
    asked = list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_role("button", name="Sign in with a passkey").dblclick(no_wait_after=True)
    page.wait_for_url(lambda address: "sign-in" not in address)
    assert sum("/passkey-options/" in url for url in asked) == 1

    pack = committed(factories.a_pack, PackStatus.APPROVED)
    case = reverse("agreements:case", args=[pack.application.public_id])
    browser.go(case)
    expect(page.get_by_text("You recently added this passkey")).to_be_visible()

    yesterday = clock.now() - timedelta(hours=24)
    committed(let_go, person, yesterday)
    make_old(browser)
    browser.go(case)
    page.get_by_role("link", name="Countersign and seal").click()
    asked.clear()
    countersign = page.get_by_role("button", name="Countersign and seal with a passkey")
    countersign.dblclick(no_wait_after=True)
    expect(page.get_by_text("We are sealing it now.")).to_be_visible()
    assert sum(url.endswith("?passkey") for url in asked) == 1
    assert factories.fresh_pack(pack).status == PackStatus.COUNTERSIGNING
    decision = committed(pack.revision.decisions.get, role="countersignatory")
    assert list(assertions.problems(digests.parse(decision.body.encode()))) == []

    browser.go(reverse("accounts:security"))
    expect(page.get_by_text("Passkey “Laptop”")).to_be_visible()
    assert browser.said == []

    # Last, because the authenticator is blocked after it fails to verify its user.
    browser.context.clear_cookies()
    authenticator.send(
        "WebAuthn.setUserVerified",
        {"authenticatorId": authenticator_id, "isUserVerified": False},
    )
    browser.go(reverse("accounts:sign_in"))
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_text("Your browser did not use a passkey.")).to_be_visible()


@pytest.fixture
def ready(site, at, settings):
    settings.BASE_URL = site
    pack = committed(factories.a_pack, PackStatus.READY_TO_SIGN)
    person = factories.owner_of(pack.business)
    return pack, person, at(person)


def test_a_signatory_signs_with_a_passkey(ready):
    pack, _person, browser = ready
    page = browser.page
    virtual_authenticator(browser)
    browser.go(reverse("accounts:add_passkey"))
    page.get_by_label("Name of the passkey").fill("Laptop")
    page.get_by_role("button", name="Add the passkey").click()
    expect(page.get_by_role("heading", name="Save your recovery codes")).to_be_visible()

    browser.go(reverse("agreements:sign", args=[pack.business.public_id]))
    page.get_by_role("button", name=re.compile("^Sign all [0-9]+ documents$")).click()
    expect(page.get_by_text("Enter the code, or use a passkey").first).to_be_visible()
    browser.said.clear()  # The browser notes the refusal.
    page.get_by_role("button", name="with a passkey").click()
    expect(page.get_by_text("You have signed the pack.")).to_be_visible()

    act = committed(SignatureAct.objects.get, revision__pack=pack)
    said = digests.parse(act.body.encode())
    assert said["method"] == "passkey"
    assert list(assertions.problems(said)) == []
    assert browser.said == []
