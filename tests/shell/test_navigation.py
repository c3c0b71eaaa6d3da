"""The navigation rail is rendered from the registry for the current user."""

import re

import pytest
from django.urls import reverse

from apikeys.lifecycle import Environment
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.catalogue import products
from console.shell import modules
from console.shell.modules import ConsoleModule
from tests import factories
from tests.apikeys import world


def test_every_module_leads_to_a_page():
    for module in modules.all_modules():
        business_id = "biz_1" if module.audience == "business" else ""
        assert reverse(module.route, kwargs=module.names(business_id))


def test_no_two_modules_share_their_keys():
    keys = [(one.audience, one.key_hint) for one in modules.all_modules() if one.key_hint]
    assert keys
    assert len(keys) == len(set(keys))


def test_a_module_is_registered_once():
    with pytest.raises(ValueError, match="registered twice"):
        modules.register(
            ConsoleModule(key="team", name="Team", route="accounts:team", icon="users")
        )


def test_the_place_where_one_stands_is_marked(client):
    business = factories.a_business()
    factories.signed_in(client, factories.owner_of(business))
    page = client.get(reverse("accounts:team", args=[business.public_id])).text

    assert page.count('aria-current="page"') == 2  # in the rail and the breadcrumb
    team = reverse("accounts:team", args=[business.public_id])
    assert f'<a href="{team}" aria-current="page" data-key="gt">' in page


def test_the_version_is_in_the_footer_of_our_staff_alone(client, settings):
    person, one_of_us = factories.a_person(), factories.one_of_staff(Role.COMPLIANCE)
    shown = [
        f"<span>Version {settings.VERSION}</span>"
        in factories.signed_in(client, somebody).get(reverse("accounts:security")).text
        for somebody in (person, one_of_us)
    ]
    assert shown == [False, True]


def test_a_business_never_sees_the_places_of_staff(client):
    business = factories.a_business()
    factories.signed_in(client, factories.owner_of(business))
    page = client.get(reverse("api:home", args=[business.public_id])).text

    assert reverse("onboarding:review_queue") not in page


def test_staff_see_theirs(client):
    factories.signed_in(client, factories.one_of_staff(Role.AUDITOR))
    page = client.get(reverse("shell:search")).text

    assert reverse("onboarding:review_queue") in page


def rail_of(client, person):
    """Return the headings of a person's rail, with the pages under each, and which are folded."""
    page = factories.signed_in(client, person).get(reverse("accounts:security")).text
    rail = page.split('<nav class="rail"')[1].split("</nav>")[0]
    parts = re.split(r"<h2>|<summary>", rail)[1:]
    names = [part.split("<")[0] for part in parts]
    pages = [re.findall(r'href="([^"]+)"', part) for part in parts]
    return dict(zip(names, pages, strict=True)), set(re.findall(r"<details><summary>([^<]+)", rail))


@pytest.mark.parametrize(
    ("role", "first"),
    [
        (
            Role.ACCOUNT_MANAGER,
            ["api:staff_home", "apikeys:businesses", "apikeys:go_live_requests"],
        ),
        (Role.AUDITOR, ["api:staff_home", "governance:log"]),
        (Role.COUNTERSIGNATORY, ["api:staff_home", "agreements:packs"]),
    ],
)
def test_what_is_theirs_comes_first_for_staff(client, role, first):
    pages, folded = rail_of(client, factories.one_of_staff(role))

    assert list(pages) == ["Your work", "Other pages"]
    assert pages["Your work"] == [reverse(name) for name in first]
    assert len(pages["Other pages"]) > 5
    assert folded == {"Other pages"}


def test_the_other_pages_are_open_where_one_stands(client):
    factories.signed_in(client, factories.one_of_staff(Role.AUDITOR))
    page = client.get(reverse("apikeys:grants")).text

    assert "<details open><summary>Other pages" in page


def test_products_are_grouped_by_where_they_are_open(client):
    business = factories.a_business()
    products.request(business, ["payouts", "cards"], by=SYSTEM)
    products.approve(business, ["payouts", "cards"], by=SYSTEM)
    world.a_grant(business, products=("payouts", "cards"))
    world.a_grant(business, environment=Environment.LIVE, products=("payouts",))
    pages, folded = rail_of(client, factories.owner_of(business))
    at = business.public_id

    assert pages["Live products"] == [reverse("api:module", args=[at, "payouts"])]
    assert reverse("api:module", args=[at, "cards"]) in pages["Sandbox products"]
    assert f"{reverse('apikeys:own_products', args=[at])}#savings" in pages["Can be requested"]
    assert "Can be requested" in folded
    webhooks = [page for group in pages.values() for page in group if "webhooks" in page]
    assert webhooks == [reverse("apikeys:webhooks", args=[at])]


def test_a_person_of_several_businesses_can_change_between_them(client):
    owner = factories.a_person()
    first, second = (
        factories.a_business("First", owner=owner),
        factories.a_business("Second", owner=owner),
    )
    factories.signed_in(client, owner)
    page = client.get(reverse("api:home", args=[first.public_id])).text

    assert 'popovertarget="place-menu"' in page
    assert f'href="{reverse("api:home", args=[second.public_id])}"' in page


def test_a_person_of_one_business_is_not_asked_which(client):
    business = factories.a_business()
    factories.signed_in(client, factories.owner_of(business))
    page = client.get(reverse("api:home", args=[business.public_id])).text

    assert "place-menu" not in page
