"""Each way in which a business loses something has its own message and effect."""

import re

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from agreements.lifecycle import PackStatus
from apikeys.going_live import conditions
from apikeys.going_live.models import UnmetCondition
from apikeys.grants import grants
from apikeys.models import ApiKey, Grant
from apikeys.suspension import suspension
from apikeys.webhooks import endpoints
from apikeys.webhooks.models import WebhookEndpoint
from console.accounts.roles import Role
from console.catalogue import module_settings, products
from console.catalogue.lifecycle import HandSetting
from tests import factories
from tests.apikeys.going_live import world as going

WHY = "Odd traffic."
KEEP = "keep working"
NOT_MET = "no longer met"


@pytest.fixture
def world():
    found = going.a_live_business()
    factories.settle()
    mail.outbox.clear()
    return found


def pages(world) -> dict[str, str]:
    """Return the text that an owner reads on the pages about keys, by route name."""
    owner = factories.signed_in(Client(), world.owner)
    names = ("apikeys:keys", "apikeys:go_live", "apikeys:own_products", "api:home")
    found = {name: owner.get(reverse(name, args=[world.business.public_id])) for name in names}
    return {name: " ".join(page.text.split()) for name, page in found.items()}


def mails() -> list[str]:
    """Return the subjects of the e-mails about recent events."""
    factories.settle()
    return [str(one.subject) for one in mail.outbox]


def create_live_key(world, scope: str):
    owner = factories.signed_in(Client(), world.owner)
    url = reverse("apikeys:new_key", args=[world.business.public_id]) + "?environment=live"
    form = owner.get(url).text
    once = re.search(r'name="once" value="([^"]+)"', form)
    typed = {
        "name": "Production",
        "scopes": [scope],
        "days": "180",
        "once": once[1] if once else "",
    }
    return owner.post(url, typed)


def test_a_suspended_business_reads_that_its_keys_are_refused(world):
    suspension.suspend(world.business, reason=WHY, by=world.head)
    told = mails()
    assert told
    assert all("is suspended" in one for one in told)
    for name, page in pages(world).items():
        assert "The access of this business is suspended" in page, name
        assert "go on working" not in page, name
        assert KEEP not in page, name
        assert "Create live key" not in page, name
        assert "Create a key" not in page, name
    assert not UnmetCondition.objects.exists()
    assert create_live_key(world, "balances:read").status_code == 409
    assert "> Live <" not in pages(world)["apikeys:own_products"]

    mail.outbox.clear()
    suspension.restore(world.business, reason=WHY, by=world.head)
    assert all("is active again" in one for one in mails())


def test_suspended_live_has_its_own_words_and_leaves_the_sandbox_alone(world):
    grants.suspend(world.live, reason=WHY, by=world.manager)
    told = mails()
    assert told
    assert all(one.startswith("Live of") and "is suspended" in one for one in told)
    assert "PRODUCT_NOT_ENABLED" in mail.outbox[0].body
    assert WHY not in mail.outbox[0].body
    shown = pages(world)
    for name in ("apikeys:keys", "apikeys:go_live"):
        assert "Live is suspended" in shown[name], name
        assert KEEP not in shown[name], name
        assert "Create live key" not in shown[name], name
    assert "Create sandbox key" in shown["apikeys:keys"]
    assert create_live_key(world, "balances:read").status_code == 409

    mail.outbox.clear()
    grants.restore(world.live, reason=WHY, by=world.manager)
    assert all("works again" in one for one in mails())
    assert create_live_key(world, "balances:read").status_code == 200


def test_a_suspended_sandbox_says_so_and_lets_live_keys_work(world):
    grants.suspend(world.sandbox, reason=WHY, by=world.manager)
    told = mails()
    assert told
    assert all(one.startswith("The sandbox of") and "is suspended" in one for one in told)
    keys_page = pages(world)["apikeys:keys"]
    assert "The sandbox is suspended" in keys_page
    assert "Before the first sandbox key" not in keys_page
    assert "Real money" in keys_page


def off(world, was: str, now: str) -> None:
    module_settings.set_by_hand(
        world.business, "customers", HandSetting(now), seen=was, reason=WHY, by=world.manager
    )


def test_a_product_switched_off_is_said_and_stops_nothing_else(world):
    off(world, "", "off")
    told = mails()
    assert told
    assert all("is switched off" in one for one in told)
    assert "sandbox call" not in mail.outbox[0].body
    assert WHY not in mail.outbox[0].body
    assert not UnmetCondition.objects.exists()
    shown = pages(world)
    own = shown["apikeys:own_products"]
    row = re.search(r"<tr[^>]*>(?:(?!</tr>).)*Customers(?:(?!</tr>).)*</tr>", own)
    assert row
    assert "Turned off" in row[0]
    assert "Approved" not in row[0]
    assert "PRODUCT_NOT_ENABLED" in row[0]
    assert "no longer met" not in shown["apikeys:go_live"]
    assert "You cannot create a live key now" not in shown["apikeys:keys"]
    assert create_live_key(world, "balances:read").status_code == 200
    create_live_key(world, "customers:read")  # its scope is not available
    assert ApiKey.objects.filter(grant=world.live).count() == 1

    assert any("live key" in one for one in mails())
    mail.outbox.clear()
    module_settings.release(world.business, "customers", seen="off", reason=WHY, by=world.manager)
    assert all("is on again" in one for one in mails())
    assert "Turned off" not in pages(world)["apikeys:own_products"]


def test_a_withdrawn_product_is_told_with_its_reason_and_stops_nothing_else(world):
    commercial = factories.one_of_staff(Role.COMMERCIAL)
    products.withdraw(world.business, "customers", reason="No licence.", by=commercial)
    told = mails()
    assert told
    assert all("was withdrawn" in one for one in told)
    assert "No licence." in mail.outbox[0].body
    assert create_live_key(world, "balances:read").status_code == 200


def test_a_lapsed_condition_stops_new_live_keys_and_says_that_others_keep_working(world):
    (endpoint,) = WebhookEndpoint.objects.of(world.business)
    endpoints.pause(endpoint, by=world.owner)
    assert [one for one in mails() if NOT_MET in one]
    shown = pages(world)
    assert KEEP in shown["apikeys:keys"]
    assert KEEP in shown["apikeys:go_live"]
    assert NOT_MET in shown["apikeys:go_live"]
    assert "You cannot create a live key now" in shown["apikeys:keys"]
    assert create_live_key(world, "balances:read").status_code == 409


def test_live_without_an_allowlist_never_says_that_keys_keep_working(world):
    factories.change(Grant.objects.filter(pk=world.live.pk), networks=[])
    conditions.compare_all()
    assert [one for one in mails() if NOT_MET in one]
    body = next(one.body for one in mail.outbox if NOT_MET in one.subject)
    assert KEEP not in body
    assert "IP_NOT_ALLOWED" in body
    assert "IP_NOT_ALLOWED" in pages(world)["apikeys:go_live"]
    assert KEEP not in pages(world)["apikeys:go_live"]


def test_before_execution_nothing_is_called_switched_off_or_suspended():
    pack = factories.a_pack(PackStatus.IN_APPROVAL)
    owner = factories.signed_in(Client(), factories.owner_of(pack.business))
    for name in ("apikeys:go_live", "apikeys:ask_live"):
        page = owner.get(reverse(name, args=[pack.business.public_id])).text
        assert "The business has signed." in page
        assert "turned this product off" not in page
        assert "Nothing is suspended" not in page
