"""The pages show a business that live has no provider, before and after it requests live."""

from django.test import Client
from django.urls import reverse

from tests import factories
from tests.apikeys.going_live import world as going

SAID = "No provider in live yet"
CODE = "NO_PROVIDER_ENABLED"


def test_no_provider_is_said_before_and_after_going_live():
    world = going.a_ready_business()
    business = world.business.public_id
    owner = factories.signed_in(Client(), world.owner)
    names = ("own_products", "go_live", "ask_live")
    own, live, ask = (reverse(f"apikeys:{name}", args=[business]) for name in names)
    for page in (own, live, ask):
        shown = owner.get(page).text
        assert SAID in shown, page
        assert CODE in shown, page
        assert "Customers" in shown, page
    assert "Live (no provider yet)" not in owner.get(own).text

    request = going.a_request(world, "approved")
    confirm = reverse("apikeys:confirm_live", args=[business, request.public_id])
    assert SAID in owner.get(confirm).text
    head = factories.signed_in(Client(), world.head)
    assert SAID in head.get(reverse("apikeys:go_live_request", args=[request.public_id])).text

    owner.post(confirm)
    shown = owner.get(own).text
    assert "Live (no provider yet)" in shown
    assert "Sandbox (no provider yet)" not in shown
