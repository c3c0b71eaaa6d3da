"""The questionnaire on slow and broken networks: requests that wait, fail or arrive late."""

from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from onboarding.intake import answers
from onboarding.intake.merging import OpenPage
from tests.onboarding.intake.conftest import is_kept, kept, opened
from tests.onboarding.intake.sending import address
from tests.waiting import eventually

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

USE = "We collect fees from schools, one payment a term, by transfer."
# Types into a question while the button's form is on its way.
TYPE_AFTER_THE_PRESS = """text => document.querySelector("form[data-autosave]").addEventListener(
    "formdata", () => setTimeout(() => {
        const field = document.querySelector("[name=pr_use]");
        field.value = text;
        field.dispatchEvent(new Event("input", { bubbles: true }));
    }, 50))"""
HIDE = """Object.defineProperty(document, "hidden", { value: true });
    document.dispatchEvent(new Event("visibilitychange"))"""


def test_a_button_that_reaches_no_server_leaves_the_page(at, application, owner):
    page = opened(at(owner), application, "products")
    page.route("**/access/products/**", lambda route: route.fulfill(status=502, body="no"))
    page.locator("[name=pr_tech_email]").fill("ada@example.com")
    page.get_by_role("button", name="Save and continue").last.click()

    expect(page.locator("[data-saved]")).to_contain_text("the console did not answer.")
    assert page.locator("[name=pr_tech_email]").input_value() == "ada@example.com"


def test_what_is_typed_after_the_press_is_saved(at, application, owner):
    page = opened(at(owner), application, "products")
    posts = hold(page, address(application, "section", "products"), "POST")
    page.evaluate(TYPE_AFTER_THE_PRESS, USE)
    page.get_by_role("button", name="Save and continue").last.click(no_wait_after=True)
    eventually(lambda: page.wait_for_timeout(300) or posts)
    with page.expect_navigation():
        posts[0].continue_()

    is_kept(application, "pr_use", USE)


def test_leaving_without_a_network_asks_first(at, application, owner):
    visitor = at(owner)
    page, asked = opened(visitor, application, "products"), list[str]()

    def stay(dialog: Any) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    page.locator("[name=pr_tech_email]").press_sequentially("ada@example.com")
    visitor.context.set_offline(True)
    with page.expect_event("dialog"):
        page.get_by_role("link", name="API access").first.click(no_wait_after=True)

    assert asked == ["beforeunload"]
    assert page.locator("[name=pr_tech_email]").input_value() == "ada@example.com"


def test_a_follow_up_in_which_somebody_types_stays(at, application, owner):
    """The page that no longer asks it arrives after the answer was changed back."""
    page = opened(at(owner), application, "ownership")
    page.get_by_label("A colleague signs").check()
    expect(page.get_by_label("Name of your colleague")).to_be_visible()
    pages = hold(page, address(application, "section", "ownership"), "GET")
    with page.expect_request(f"**{address(application, 'section', 'ownership')}"):
        page.get_by_label("I sign").check()
    page.get_by_label("A colleague signs").check()
    page.get_by_label("Name of your colleague").fill("Zoë Hart")
    pages[0].continue_()

    is_kept(application, "ow_signatory_name", "Zoë Hart")
    expect(page.get_by_label("Name of your colleague")).to_have_value("Zoë Hart")


def test_what_is_changed_back_during_a_save_is_saved_on_leaving(at, application, owner):
    page = opened(at(owner), application, "products")
    field, saves = page.locator("[name=pr_use]"), address(application, "autosave", "products")
    with page.expect_response(f"**{saves}"):
        field.fill(USE)
    held = hold(page, saves, "POST")
    with page.expect_request(f"**{saves}"):
        field.fill("We sell schools.")
    field.fill(USE)
    with page.expect_response(f"**{saves}"):
        page.evaluate(HIDE)
    with page.expect_response(f"**{saves}"):
        held[0].continue_()

    assert kept(application, "pr_use") == USE


def test_a_page_made_before_a_save_on_leaving_does_not_bring_its_suggestion_back(
    at, application, owner
):
    """The follow-ups of one answer arrive after another was saved by leaving the window."""
    currency = {"vo_currency": "USD"}
    answers.save_section(application, "volumes", currency, page=OpenPage(0), by=owner)
    page = opened(at(owner), application)
    saves = address(application, "autosave", "settlement")
    pages = hold(page, address(application, "section", "settlement"), "GET")
    page.locator("[name=se_third_party][value=yes]").check()
    eventually(lambda: page.wait_for_timeout(50) or pages)
    made_before = pages[0].fetch()
    naira = page.locator("[name=se_currencies][value=NGN]")
    naira.check()
    with page.expect_response(f"**{saves}"):
        page.evaluate(HIDE)
    naira.blur()
    pages[0].fulfill(response=made_before)
    page.get_by_label("Why is it in another name?").wait_for()

    expect(naira).to_be_checked()
    with page.expect_navigation():
        page.get_by_role("button", name="Save and continue").last.click()
    assert kept(application, "se_currencies") == ["NGN", "USD"]


def test_an_older_answer_of_the_server_does_not_count_for_a_newer_save(at, application, owner):
    """NGN is ticked, unticked on leaving, and ticked again while the first save is on its way."""
    page = opened(at(owner), application)
    saves = address(application, "autosave", "settlement")
    naira = page.locator("[name=se_currencies][value=NGN]")
    held = hold(page, saves, "POST")
    with page.expect_request(f"**{saves}"):
        naira.check()
    naira.uncheck()
    with page.expect_response(f"**{saves}"):
        page.evaluate(HIDE)
    naira.check()
    held[0].continue_()

    stored = partial(kept, application, "se_currencies")
    eventually(lambda: page.wait_for_timeout(50) or stored() == ["NGN"], within=30)


def hold(page: Any, path: str, method: str) -> list[Route]:
    """Return the list in which the page's next request to this path waits."""
    held: list[Route] = []

    def wait(route: Route) -> None:
        if not held and route.request.method == method:
            held.append(route)
        else:
            route.continue_()

    page.route(f"**{path}", wait)
    return held
