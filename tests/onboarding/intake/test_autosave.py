"""Autosave in real browsers: with a colleague, when leaving the page, and when saving fails."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from console.accounts.models import Session
from console.accounts.roles import Role
from tests import factories
from tests.onboarding.intake.conftest import is_kept, kept, opened, sign_in
from tests.onboarding.intake.sending import address

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SMALL = {"viewport": {"width": 390, "height": 700}}
NO_SCRIPT = {"java_script_enabled": False}


@pytest.fixture
def colleague(application: Any) -> Any:
    person = factories.a_member(application.business, Role.ADMINISTRATOR)
    person.name = "Bob Lee"
    return factories.keep(person)


def stamp(page: Any) -> Any:
    return page.locator("[data-saved]")


def press_save(page: Any) -> None:
    """Press the button and wait for the next page, which comes after what was typed is saved."""
    with page.expect_navigation(wait_until="networkidle"):
        page.get_by_role("button", name="Save and continue").last.click()


@pytest.mark.parametrize("options", [{}, NO_SCRIPT], ids=["script", "no-script"])
def test_a_stale_page_deletes_no_answer_of_a_colleague(at, application, owner, colleague, options):
    """The stale page changes another question and then saves the whole section."""
    stale = opened(at(owner, **options), application)
    other = at(colleague, **options)
    theirs = opened(other, application)
    theirs.locator("[name=se_model][value=weekly]").check()
    other.press("Save and continue")
    is_kept(application, "se_model", "weekly")

    stale.locator("[name=se_third_party][value=no]").check()
    if not options:
        expect(stamp(stale)).to_contain_text("Saved")
    press_save(stale)

    assert kept(application, "se_model") == "weekly"
    assert kept(application, "se_third_party") is False


@pytest.mark.parametrize("options", [{}, NO_SCRIPT], ids=["script", "no-script"])
def test_a_conflict_shows_both_answers_and_overwrites_none(
    at, application, owner, colleague, options
):
    stale = opened(at(owner, **options), application)
    other = at(colleague, **options)
    theirs = opened(other, application)
    theirs.locator("[name=se_model][value=weekly]").check()
    theirs.locator("[name=se_third_party][value=yes]").check()
    other.press("Save and continue")
    is_kept(application, "se_model", "weekly")

    stale.locator("[name=se_model][value=t1]").check()
    press_save(stale)

    assert "“Once a week”" in stale.inner_text("main")
    assert stale.locator("[name=se_model][value=t1]").is_checked()
    assert stale.locator("[name=se_third_party][value=yes]").is_checked()
    assert "not saved" in stamp(stale).inner_text()
    assert kept(application, "se_model") == "weekly"

    press_save(stale)
    assert (kept(application, "se_model"), kept(application, "se_third_party")) == ("t1", True)


def test_a_conflict_page_sends_the_marked_answer_by_a_button_alone(
    at, application, owner, colleague
):
    stale = opened(at(owner), application)
    other = at(colleague)
    opened(other, application).locator("[name=se_model][value=weekly]").check()
    other.press("Save and continue")
    is_kept(application, "se_model", "weekly")
    stale.locator("[name=se_model][value=t1]").check()
    expect(stamp(stale)).to_contain_text("Bob Lee changed “When should we settle?”")
    stale.get_by_role("button", name="Save and continue").last.click()
    expect(stale.locator(".theirs")).to_contain_text("Bob Lee saved “Once a week”")

    stale.locator("[name=se_third_party][value=no]").check()
    expect(stamp(stale)).to_have_text(re.compile("^Saved .* The marked answers are not saved.$"))
    assert kept(application, "se_model") == "weekly"
    assert kept(application, "se_third_party") is False


def test_only_what_was_touched_is_sent(at, application, owner):
    page = opened(at(owner), application)
    with page.expect_request("**/autosave/") as asked:
        page.locator("[name=se_third_party][value=no]").check()
    body = asked.value.post_data
    assert re.findall(r'name="asked"\r\n\r\n(\w+)', body) == ["se_third_party"]
    assert "se_model" not in body


def test_what_is_ticked_before_the_script_arrives_is_saved(at, application, owner):
    page, held = at(owner).page, []
    page.route("**/autosave*.js", lambda route: held.append(route))
    page.goto(address(application, "section", "settlement"), wait_until="commit")
    page.locator("[name=se_model][value=weekly]").check()
    expect(page.get_by_text("Save before you leave this page.")).to_be_visible()
    assert kept(application, "se_model") is None

    held[0].continue_()
    is_kept(application, "se_model", "weekly")
    expect(page.get_by_text("Save before you leave this page.")).to_be_hidden()


def test_text_in_the_focused_field_survives_a_reload(at, application, owner):
    page = opened(at(owner), application, "products")
    page.locator("[name=pr_tech_email]").press_sequentially("ada@example.com")
    page.reload()

    is_kept(application, "pr_tech_email", "ada@example.com")


def test_a_tick_survives_leaving_at_once(at, application, owner):
    visitor = at(owner)
    page = opened(visitor, application)
    page.locator("[name=se_model][value=weekly]").check()
    visitor.go("/account/")

    is_kept(application, "se_model", "weekly")


def test_what_is_typed_survives_closing_the_tab(at, application, owner):
    page = opened(at(owner), application, "products")
    page.locator("[name=pr_tech_email]").press_sequentially("ada@example.com")
    page.close(run_before_unload=True)

    is_kept(application, "pr_tech_email", "ada@example.com")


def test_a_save_that_ends_while_the_button_waits_deletes_nothing(at, application, owner):
    """The form leaves out saved answers, which must not delete them."""
    page = opened(at(owner), application)
    page.locator("[name=se_model][value=weekly]").check()
    is_kept(application, "se_model", "weekly")
    saves: list[Any] = []
    buttons: list[Any] = []
    page.route("**/autosave/", lambda route: saves.append(route))
    page.route("**/access/settlement/", lambda route: buttons.append(route))
    with page.expect_request("**/autosave/"):
        page.locator("[name=se_third_party][value=no]").check()
    page.get_by_role("button", name="Save and continue").click(no_wait_after=True)
    page.unroute("**/autosave/")
    saves[0].continue_()
    page.wait_for_timeout(1500)
    buttons[0].continue_()
    page.wait_for_load_state("networkidle")

    is_kept(application, "se_third_party", False)
    is_kept(application, "se_model", "weekly")


def test_one_may_write_on_while_a_save_is_on_its_way(at, application, owner):
    """The later text is saved in whichever order the requests arrive, without a conflict."""
    visitor = at(owner)
    page = opened(visitor, application, "products")
    held: list[Any] = []
    page.route("**/autosave/", lambda route: route.continue_() if held else held.append(route))
    page.locator("[name=pr_tech_email]").fill("a@example.com")
    with page.expect_request("**/autosave/"):
        page.locator("[name=pr_tech_email]").blur()
    page.locator("[name=pr_tech_email]").fill("ab@example.com")
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    expect(stamp(page)).to_contain_text("Saved")
    assert kept(application, "pr_tech_email") == "ab@example.com"
    with page.expect_response("**/autosave/") as answer:
        held[0].continue_()

    assert answer.value.ok
    assert kept(application, "pr_tech_email") == "ab@example.com"


def test_a_session_that_ended_is_told_and_nothing_typed_is_lost(
    at, application, owner, live_server
):
    visitor = at(owner)
    page = opened(visitor, application, "products")
    Session.objects.all().delete()
    page.locator("[name=pr_tech_email]").fill("ada@example.com")

    expect(stamp(page)).to_contain_text("Not saved, but still on this page: you are signed out.")
    expect(page.get_by_role("link", name="Sign in in another tab")).to_be_visible()
    page.get_by_role("button", name="Save and continue").last.click()
    page.wait_for_timeout(300)
    assert page.locator("[name=pr_tech_email]").input_value() == "ada@example.com"

    sign_in(visitor, owner, live_server.url)
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect(stamp(page)).to_contain_text("Saved")
    assert kept(application, "pr_tech_email") == "ada@example.com"


def test_nothing_is_saved_under_another_name(at, application, owner, colleague, live_server):
    visitor = at(owner)
    page = opened(visitor, application, "products")
    Session.objects.all().delete()
    sign_in(visitor, colleague, live_server.url)
    page.locator("[name=pr_tech_email]").fill("ada@example.com")

    expect(stamp(page)).to_contain_text("somebody else is signed in now")
    assert kept(application, "pr_tech_email") is None


@pytest.mark.parametrize("status", [503, "offline"])
def test_a_save_that_failed_says_so_and_is_tried_again(at, application, owner, status):
    visitor = at(owner)
    page = opened(visitor, application, "products")
    if status == "offline":
        visitor.context.set_offline(True)
    else:
        page.route("**/autosave/", lambda route: route.fulfill(status=status, body="no"))
    page.locator("[name=pr_tech_email]").fill("ada@example.com")
    expect(stamp(page)).to_contain_text("the console did not answer.")
    page.get_by_role("button", name="Save and continue").last.click()
    page.wait_for_timeout(300)
    assert page.locator("[name=pr_tech_email]").input_value() == "ada@example.com"

    page.unroute("**/autosave/")
    visitor.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(stamp(page)).to_contain_text("Saved")
    assert kept(application, "pr_tech_email") == "ada@example.com"


def test_leaving_with_something_unsaved_asks_first(at, application, owner):
    page = opened(at(owner), application, "products")
    asked: list[str] = []

    def accept(dialog: Any) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", accept)
    page.route("**/autosave/", lambda route: route.fulfill(status=503, body="no"))
    page.locator("[name=pr_tech_email]").fill("ada@example.com")
    expect(stamp(page)).to_contain_text("Not saved")
    page.goto("about:blank")

    assert asked == ["beforeunload"]


@pytest.mark.parametrize("options", [SMALL, NO_SCRIPT], ids=str)
def test_the_time_of_the_last_save_is_in_sight(at, application, owner, options):
    visitor = at(owner, **options)
    page = opened(visitor, application, "products")
    assert stamp(page).inner_text().strip() == "Nothing in this section is saved yet."
    page.locator("[name=pr_tech_email]").fill("ada@example.com")
    press_save(page)
    page = opened(visitor, application, "products")

    assert re.match(r"Saved \d+ \w+ \d{4}, \d\d:\d\d UTC by ", stamp(page).inner_text())
    for scrolled in (0, 400, 100_000):
        page.mouse.wheel(0, scrolled)
        page.wait_for_timeout(50)
        expect(stamp(page)).to_be_in_viewport(ratio=1)


def test_without_scripts_a_session_that_ended_loses_nothing(at, application, owner, live_server):
    visitor = at(owner, **NO_SCRIPT)
    page = opened(visitor, application, "products")
    page.locator("[name=pr_tech_email]").fill("ada@example.com")
    Session.objects.all().delete()
    visitor.press("Save and continue")
    assert "signed out" in page.inner_text("main")

    sign_in(visitor, owner, live_server.url)
    visitor.press("Send again")
    assert "You signed in again after you opened the page" in page.inner_text("main")
    assert kept(application, "pr_tech_email") is None
    visitor.press("Send again")

    assert kept(application, "pr_tech_email") == "ada@example.com"
