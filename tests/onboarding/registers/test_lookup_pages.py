"""Section 1 offers what a register knows, with plain forms and with the page's script."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import APIResponse, Page, Route, expect

from console.accounts.limits import REGISTER_LOOKUPS_PER_PERSON
from console.accounts.roles import Role
from onboarding.checks import comparison
from onboarding.checks.comparison import ComparedLine
from onboarding.intake import answers
from tests import factories
from tests.onboarding.intake.forms_over_http import Form
from tests.onboarding.intake.sending import address, body, flat
from tests.onboarding.registers.stand_in import lei_record, profile

SIMULATED = {"li_country_incorporation": "GB", "li_registration_number": "0999 0101"}
EMPTY = {"line1": "", "city": "", "country": ""}


def typed(**changes):
    """Return section 1 as the page sends it, with little of it filled in."""
    said = {
        "li_country_incorporation": "GB",
        "li_legal_name": "Kettle",
        "li_legal_form": "",
        "li_registration_number": "9999991",
        "li_incorporation_date": "",
        "li_registered_address": EMPTY,
    } | changes
    fields = {name: text for key, value in said.items() for name, text in flat(key, value).items()}
    return {"revision": "0", "asked": list(said), **fields}


def section(application):
    return address(application, "section", "legal_identity")


def kept(application):
    return answers.answer_set(application).values


def test_the_registers_details_become_answers_only_when_chosen(page, application, registers):
    registers.profiles["09999991"] = profile("09999991")

    shown = page.post(section(application), typed() | {"lookup": "1"})

    text = body(shown)
    assert shown.status_code == 200
    assert "Companies House knows this company" in text
    assert "You entered: Kettle" in text
    assert "7 Invented Row, Leeds, LS1 0XX, United Kingdom" in text
    assert kept(application)["li_legal_name"] == "Kettle"
    assert "li_registered_address" not in kept(application)

    form = Form(shown.content.decode())
    sent = {name: form.named(name) for name, _ in form.fields} | {"use": "1"}
    answer = page.post(section(application), sent)

    assert answer["Location"] == section(application)
    found = kept(application)
    assert found["li_legal_name"] == "KETTLE & KIOSK LIMITED"
    assert found["li_legal_form"] == "Private limited company"
    assert found["li_incorporation_date"] == "2016-05-09"
    assert found["li_registered_address"] == {
        "line1": "7 Invented Row", "city": "Leeds", "postal_code": "LS1 0XX", "country": "GB",
    }  # fmt: skip
    assert found["li_registration_number"] == "9999991"


@pytest.mark.parametrize("script", [False, True], ids=["plain", "script"])
def test_the_details_of_another_number_are_not_taken_over(page, application, registers, script):
    """The number was changed after the look-up, and the button pressed before the next answer."""
    registers.profiles["09999991"] = profile("09999991")
    shown = page.post(section(application), typed() | {"lookup": "1"})
    form = Form(shown.content.decode())
    sent = {name: form.named(name) for name, _ in form.fields} | {"use": "1"}
    now = sent | {"li_registration_number": "9999992"}
    if script:
        page.post(address(application, "autosave", "legal_identity"), now)
        now = {n: text for n, text in now.items() if not n.startswith("li_")} | {"asked": []}

    answer = page.post(section(application), now, follow=True)

    assert "because you changed the country or the number" in body(answer)
    assert kept(application)["li_registration_number"] == "9999992"
    assert kept(application)["li_legal_name"] == "Kettle"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({}, "Companies House: no company with this number"),
        ({"li_registration_number": ""}, "Enter the country of incorporation and"),
        ({"li_country_incorporation": "DE"}, "GLEIF: no company with this number"),
        ({"li_country_incorporation": "IE", "li_registration_number": "HRB 990011"}, "GLEIF: no"),
    ],
)
def test_it_says_what_it_did_not_find(page, application, registers, changes, says):
    registers.leis.append(lei_record())

    answer = page.post(address(application, "lookup"), typed(**changes))

    assert answer.status_code == 200
    assert says in body(answer)
    assert 'name="use"' not in body(answer)


def test_of_several_companies_the_name_decides(page, application, registers):
    registers.leis += [lei_record(), lei_record(legalName={"name": "Andere GmbH"})]
    german = {"li_country_incorporation": "DE", "li_registration_number": "HRB 990011"}
    url = address(application, "lookup")

    assert "Several companies have this number" in body(page.post(url, typed(**german)))
    named = typed(**german, li_legal_name="Andere Gesellschaft mit beschränkter Haftung")
    assert 'value="Andere GmbH"' in body(page.post(url, named))


def test_a_register_that_is_down_stops_nobody(page, application, registers):
    registers.down = 503

    answer = page.post(section(application), typed() | {"lookup": "1"})

    assert "The register did not answer. Enter the details yourself." in body(answer)
    assert kept(application)["li_registration_number"] == "9999991"


def test_a_person_has_a_limited_number_of_look_ups(page, application, registers):
    url = address(application, "lookup")
    for _ in range(REGISTER_LOOKUPS_PER_PERSON.tries):
        page.post(url, typed())
    registers.asked.clear()

    assert "That was tried too often" in body(page.post(url, typed()))
    assert registers.asked == []


def test_only_who_may_answer_looks_up(client, application, registers):
    viewer = factories.a_member(application.business, Role.VIEWER)
    factories.signed_in(client, viewer)

    assert client.post(address(application, "lookup"), typed()).status_code == 403
    assert "Look it up" not in body(client.get(section(application)))
    assert registers.asked == []


def test_the_demo_world_asks_a_simulated_register_only(page, application, registers, settings):
    settings.DEMO = True

    text = body(page.post(address(application, "lookup"), typed(**SIMULATED)))

    assert "Lantern Bridge Trading Limited" in text
    assert "Simulated" in re.sub("<[^>]+>", "", text)
    assert registers.asked == []


@pytest.mark.parametrize("chosen", ["reviewer", "simulated-register"])
def test_no_register_is_offered_where_none_is_connected(
    page, application, registers, settings, chosen
):
    assert "Look it up" in body(page.get(section(application)))
    settings.CHECK_PROVIDERS = {"registry": chosen}

    assert "Look it up" not in body(page.get(section(application)))
    answer = page.post(address(application, "lookup"), typed(**SIMULATED))
    assert "We cannot ask a register of this country." in body(answer)
    assert registers.asked == []


def test_the_reviewer_compares_what_was_submitted_with_the_register(registers, client):
    registers.profiles["09999991"] = profile("09999991", company_status="dissolved")
    application = factories.a_reviewed_application()
    check = application.submission.checks.get(kind="registry")
    assert (check.provider, check.status, check.reference) == (
        "registers", "needs_review", "09999991",
    )  # fmt: skip

    lines = comparison.lines(check)

    stated = application.submission.answers
    assert ComparedLine("Legal form", stated["li_legal_form"], "Private limited company") in lines
    assert next(one for one in lines if one.label == "Date of incorporation").found == "9 May 2016"
    compared = next(one for one in lines if one.label == "Registered address")
    assert stated["li_registered_address"]["line1"] in compared.stated
    assert compared.found.startswith("7 Invented Row")
    assert set(comparison.other_evidence(check)) == {"register", "record", "status"}
    staff = factories.signed_in(client, factories.one_of_staff(Role.COMPLIANCE))
    shown = body(staff.get(reverse("onboarding:decide_check", args=[check.public_id])))
    assert "status is “dissolved”" in shown
    assert "7 Invented Row, Leeds" in shown


@pytest.mark.browser
def test_leaving_the_number_asks_and_a_press_fills_in(at, application):
    person = factories.owner_of(application.business)
    page = at(person).go(section(application))
    page.locator("#q-li_country_incorporation").select_option("GB")
    number = page.locator("#q-li_registration_number")
    number.fill(SIMULATED["li_registration_number"])
    number.press("Tab")

    page.get_by_role("button", name="Use these details").click()

    expect(page.locator("#q-li_legal_name")).to_have_value("Lantern Bridge Trading Limited")
    expect(page.locator("#q-li_incorporation_date")).to_have_value("2017-04-03")
    expect(page.locator("#q-li_registered_address-city")).to_have_value("Bristol")


@pytest.mark.browser
def test_a_press_counts_although_the_page_would_move_its_button_meanwhile(at, application):
    """Answers that a save leads to are shown above the button while the mouse is down."""
    page = at(factories.owner_of(application.business)).go(section(application))
    page.locator("#q-li_country_incorporation").select_option("GB")
    number = page.locator("#q-li_registration_number")
    held = HeldAnswers()
    page.route(f"**{section(application)}", lambda route: held.hold(route, "GET"))
    number.fill(SIMULATED["li_registration_number"])
    number.press("Tab")
    page.get_by_role("button", name="Use these details").hover()
    held.wait(page)

    page.mouse.down()
    held.let_go(page)
    page.mouse.up()

    expect(page.locator("#q-li_legal_name")).to_have_value("Lantern Bridge Trading Limited")


@pytest.mark.browser
def test_what_a_register_answers_does_not_move_a_button_that_is_held(at, application):
    page = at(factories.owner_of(application.business)).go(section(application))
    page.set_viewport_size({"width": 1440, "height": 4000})  # nothing scrolls, so below all moves
    page.locator("#q-li_country_incorporation").select_option("GB")
    held = HeldAnswers()
    page.route("**/lookup/", lambda route: held.hold(route, "POST"))
    number = page.locator("#q-li_registration_number")
    number.fill(SIMULATED["li_registration_number"])
    number.press("Tab")
    held.wait(page)
    page.get_by_role("button", name="Save and come back later").hover()

    page.mouse.down()
    held.let_go(page)
    page.mouse.up()

    page.wait_for_url(f"**{address(application, 'access')}")


@pytest.mark.browser
def test_a_button_that_is_replaced_while_the_page_saves_says_so(at, application):
    """The register answers about another number while the press waits for a save."""
    page = at(factories.owner_of(application.business)).go(section(application))
    with page.expect_response("**/autosave/"):
        page.locator("#q-li_country_incorporation").select_option("GB")
    number = page.locator("#q-li_registration_number")
    number.fill(SIMULATED["li_registration_number"])
    number.press("Tab")
    use = page.get_by_role("button", name="Use these details")
    expect(use).to_be_visible()
    saves, found = HeldAnswers(), HeldAnswers()
    page.route("**/autosave/", lambda route: saves.hold(route, "POST"))
    page.route("**/lookup/", lambda route: found.hold(route, "POST"))
    number.fill("0999 0102")
    number.press("Tab")
    found.wait(page)
    saves.wait(page)

    use.click(no_wait_after=True)
    found.let_go(page)
    saves.let_go(page)

    expect(page.locator("[data-saved]")).to_contain_text("is gone")
    assert kept(application)["li_registration_number"] == "0999 0102"


@pytest.mark.browser
def test_a_late_autosave_does_not_undo_what_was_taken_over(at, application):
    person = factories.owner_of(application.business)
    page = at(person).go(section(application))
    with page.expect_response("**/autosave/"):
        page.locator("#q-li_country_incorporation").select_option("GB")
    expect(page.locator("#q-li_registered_address-country")).to_have_value("GB")
    saves, uses = list[Route](), list[Route]()
    page.route("**/autosave/", lambda route: route.continue_() if saves else saves.append(route))
    page.route(f"**{section(application)}", lambda route: hold_form(route, uses))
    with page.expect_request("**/autosave/"):
        page.locator("#q-li_trading_name").fill("Lantern")
    number = page.locator("#q-li_registration_number")
    number.fill(SIMULATED["li_registration_number"])
    number.press("Tab")

    page.get_by_role("button", name="Use these details").click(no_wait_after=True)
    with page.expect_request(lambda asked: asked.is_navigation_request()):
        saves[0].continue_()
    page.wait_for_timeout(300)  # for a save that waited behind it
    with page.expect_navigation():
        uses[0].continue_()
    page.wait_for_timeout(300)

    assert kept(application)["li_registered_address"]["city"] == "Bristol"
    assert kept(application)["li_trading_name"] == "Lantern"


class HeldAnswers:
    """Answers of the server that the page gets later than they were made."""

    def __init__(self) -> None:
        self._held: list[tuple[Route, APIResponse]] = []
        self._holds = True

    def hold(self, route: Route, method: str) -> None:
        if self._holds and route.request.method == method:
            self._held.append((route, route.fetch()))
        else:
            route.continue_()

    def wait(self, page: Page) -> None:
        while not self._held:
            page.wait_for_timeout(50)

    def let_go(self, page: Page) -> None:
        self._holds = False
        for route, answer in self._held:
            route.fulfill(response=answer)
        page.wait_for_timeout(500)  # for the page to show them


def hold_form(route: Route, held: list[Route]) -> None:
    """Let a form wait, but not what the page's script asks for."""
    if route.request.method == "POST":
        held.append(route)
    else:
        route.continue_()
