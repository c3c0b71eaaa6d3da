"""The page frame in a real browser: by keyboard, on a small screen, and without JavaScript."""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Browser, Route, expect

from console.accounts.models import Business, Session
from tests import factories
from tests.browser import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SMALL = {"viewport": {"width": 390, "height": 800}}
LOOK_AT = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


def faults(page: Any) -> list[Any]:
    found = Axe().run(page, options=LOOK_AT).response["violations"]
    return [(fault["id"], fault["nodes"][0]["html"][:120]) for fault in found]


@pytest.fixture
def owner() -> Any:
    person = factories.a_person("Amara Okafor", email="amara@savanna.example")
    factories.a_business("Savanna Freight", owner=person)
    factories.a_business("Lagoon Retail", owner=person)
    return person


@pytest.fixture
def visitor(chromium: Browser, live_server: Any, owner: Any, client: Any) -> Iterator[Any]:
    """Return a function that opens a browser as the owner, given the browser's options."""
    opened: list[Visitor] = []

    def open_(**options: Any) -> Visitor:
        factories.signed_in(client, owner)
        person = Visitor(chromium, live_server.url, **options)
        key = client.cookies[settings.SESSION_COOKIE_NAME].value
        cookie: Any = {"name": settings.SESSION_COOKIE_NAME, "value": key, "url": live_server.url}
        person.context.add_cookies([cookie])
        opened.append(person)
        return person

    yield open_
    for person in opened:
        person.close()


def dialogs_of(page: Any) -> list[str]:
    """Accept every dialog that the page opens; return their types."""
    asked: list[str] = []

    def accept(dialog: Any) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", accept)
    return asked


def first_page(person: Any) -> str:
    business = person.membership_set.get(business__name="Savanna Freight").business
    return reverse("api:home", args=[business.public_id])


def test_the_palette_finds_a_business_and_goes_there(visitor, owner):
    at = visitor()
    page = at.go(first_page(owner))
    page.keyboard.press("Control+k")
    page.keyboard.type("lagoon")
    expect(page.get_by_role("option", name="Lagoon Retail")).to_be_visible()
    assert faults(page) == []
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="Lagoon Retail")).to_be_visible()


def test_arrows_move_in_it_and_escape_closes_it(visitor, owner):
    page = visitor().go(first_page(owner))
    page.get_by_role("link", name="Search or jump to").click()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("option", selected=True)).to_contain_text("Team")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_two_keys_jump(visitor, owner):
    page = visitor().go(first_page(owner))
    page.keyboard.press("g")
    page.keyboard.press("t")

    expect(page.get_by_role("heading", name="Team", level=1)).to_be_visible()


def test_the_theme_changes_at_once_and_stays(visitor, owner):
    at = visitor(color_scheme="light")
    page = at.go(first_page(owner))
    with page.expect_response("**/theme/"):
        page.get_by_role("button", name="Switch to dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert at.said == []


@pytest.mark.parametrize("script", [True, False], ids=["with scripts", "without"])
def test_on_a_small_screen_the_rail_is_a_sheet(visitor, owner, script):
    page = visitor(**SMALL, java_script_enabled=script).go(first_page(owner))
    expect(page.get_by_role("navigation", name="Main")).to_be_hidden()
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("navigation", name="Main")).to_be_visible()
    if script:
        assert faults(page) == []
    page.get_by_role("link", name="Team", exact=True).click()

    expect(page.get_by_role("heading", name="Team", level=1)).to_be_visible()


def test_without_scripts_one_changes_theme_and_business_and_signs_out(visitor, owner):
    page = visitor(java_script_enabled=False).go(first_page(owner))
    page.get_by_role("button", name="Switch to dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_role("button", name="Amara Okafor").click()
    page.get_by_role("link", name="Lagoon Retail").click()
    expect(page.get_by_role("heading", name="Lagoon Retail")).to_be_visible()
    page.get_by_role("button", name="Your account").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_text("You are signed out.")).to_be_visible()


def test_a_value_is_copied(visitor, owner):
    at = visitor(permissions=["clipboard-read", "clipboard-write"])
    page = at.go(first_page(owner))
    page.get_by_role("button", name="Copy biz_").click()

    expect(page.get_by_text("Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").startswith("biz_")


def test_the_summary_takes_the_focus_and_leads_to_the_field(visitor, owner):
    page = visitor().go(reverse("accounts:business_new"))
    page.get_by_role("button", name="Add business").click()
    # Focus alone announces it: an alert would be read a second time.
    expect(page.get_by_role("group", name="There is a problem")).to_be_focused()
    expect(page.locator(".summary[role=alert]")).to_have_count(0)
    expect(page).to_have_title("Error: Add a business · Access Console")
    page.get_by_role("link", name="Enter the name of the business").click()
    expect(page.get_by_label("Name of the business")).to_be_focused()


def test_a_second_press_sends_nothing_again(visitor, owner):
    at = visitor()
    page, held = at.go(reverse("accounts:business_new")), list[Route]()
    page.route("**/businesses/new/", lambda route: held.append(route))
    page.get_by_label("Name of the business").fill("Harmattan Books")
    button = page.get_by_role("button", name="Add business")
    button.hover()
    for _press in range(2):
        page.mouse.down()
        page.mouse.up()
        page.wait_for_timeout(300)
    assert len(held) == 1

    at.context.new_cdp_session(page).send("Page.stopLoading")
    button.click(no_wait_after=True)
    page.wait_for_timeout(200)
    with page.expect_navigation():
        held[1].continue_()
    assert Business.objects.filter(name="Harmattan Books").count() == 1


def test_what_is_shown_once_asks_before_one_leaves(visitor, owner):
    factories.an_authenticator(owner)
    page = visitor().go(reverse("accounts:security"))
    page.get_by_role("button", name="Make new codes").click()
    expect(page.get_by_role("heading", name="Save your recovery codes")).to_be_visible()
    asked = dialogs_of(page)
    page.get_by_role("link", name="Access Console").click()
    assert asked == ["beforeunload"]


def test_who_has_saved_it_is_not_asked(visitor, owner):
    factories.an_authenticator(owner)
    at = visitor()
    page = at.go(reverse("accounts:security"))
    page.get_by_role("button", name="Make new codes").click()
    asked = dialogs_of(page)
    page.get_by_role("link", name="I have saved them").click()
    expect(page.get_by_role("heading", name="Your businesses", level=1)).to_be_visible()

    assert asked == []
    assert at.said == []


def test_an_idle_session_is_announced_before_it_ends(visitor, owner):
    at = visitor()
    at.page.clock.install()
    page = at.go(first_page(owner))
    page.clock.fast_forward("28:01")
    expect(page.get_by_text("You will be signed out in two minutes")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("button", name="Stay signed in").click()
    expect(page.get_by_text("You will be signed out in two minutes")).to_be_hidden()
    page.clock.fast_forward("28:01")
    page.clock.fast_forward("02:01")

    expect(page.get_by_text("What you typed is still on this page")).to_be_visible()


def test_who_stays_too_late_is_told_that_the_session_ended(visitor, owner):
    at = visitor()
    at.page.clock.install()
    page = at.go(first_page(owner))
    page.clock.fast_forward("28:01")
    Session.objects.filter(user=owner).delete()
    page.get_by_role("button", name="Stay signed in").click()

    expect(page.get_by_text("What you typed is still on this page")).to_be_visible()
