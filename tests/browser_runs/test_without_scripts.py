"""R24: the main journeys where JavaScript is off."""

import re
from typing import Any

import pytest
from django.core import mail
from django.urls import reverse
from playwright.sync_api import Browser, expect

from agreements import approvals
from agreements.lifecycle import DecisionRole, PackStatus
from console.accounts.roles import Role
from onboarding import applications
from tests import given
from tests.accounts.pages.journey import PASSWORD, link_in
from tests.browser import Visitor
from tests.browser_runs.commits import committed
from tests.proofs import Proven, proof

pytestmark = pytest.mark.browser
DONE = "it can be done"
OFF = {"java_script_enabled": False}


@pytest.fixture
def stranger(chromium: Browser, site: str) -> Any:
    """An empty browser without scripts."""
    visitor = Visitor(chromium, site, **OFF)
    yield visitor
    visitor.close()


@proof("R24", "signing up without scripts", asked=DONE)
def test_one_signs_up_confirms_and_signs_in(proven: Proven, world, stranger):
    page = stranger.go(reverse("accounts:sign_up"))
    page.get_by_label("Your full name").fill("Ngozi Eze")
    page.get_by_label("Work e-mail address").fill("ngozi@savanna.example")
    page.get_by_label("Password").fill(PASSWORD)
    stranger.press("Create account")
    expect(page.get_by_role("heading", level=1)).to_have_text("Check your e-mail")
    committed(given.settle)
    stranger.go(link_in(mail.outbox[-1]))
    page.locator("main form button").click()
    expect(page.get_by_text("Your e-mail address is confirmed")).to_be_visible()
    page.get_by_label("E-mail address").fill("ngozi@savanna.example")
    page.get_by_label("Password").fill(PASSWORD)
    stranger.press("Sign in")

    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page).to_have_url(re.compile(r"/(businesses/new/)?$"))
    proven.reached("signed up, confirmed, signed in", met=True)


@proof("R24", "signing in by code without scripts", asked=DONE)
def test_one_signs_in_with_a_code(proven: Proven, world, stranger):
    person = committed(given.a_person, "Tunde Ojo", password=PASSWORD)
    seed = committed(given.an_authenticator, person)
    page = stranger.go(f"{reverse('accounts:sign_in')}?next=/account/")
    page.get_by_label("E-mail address").fill(person.email)
    page.get_by_label("Password").fill(PASSWORD)
    stranger.press("Sign in")
    page.get_by_label("Code").fill(given.a_code(seed))
    page.locator("main form [data-kind=primary]").click()

    expect(page.get_by_role("heading", name="Account and security")).to_be_visible()
    proven.reached("password, code, and where one wanted to go", met=True)


@proof("R24", "a section with rows without scripts", asked=DONE)
def test_one_answers_a_section_with_rows(proven: Proven, world, at):
    business = committed(given.a_business, "Lagoon Retail")
    owner = given.owner_of(business)
    committed(applications.start, business, by=owner)
    visitor = at(owner, **OFF)
    page = visitor.go(reverse("onboarding:section", args=[business.public_id, "ownership"]))
    people = [("Amara Okafor", "70"), ("Chidi Obi", "20"), ("Ife Bello", "10")]
    for row, (name, share) in enumerate(people):
        if page.get_by_label("Full name").count() == row:
            visitor.press("Add another row")
        page.get_by_label("Full name").nth(row).fill(name)
        page.get_by_label("Share in %").nth(row).fill(share)
        page.get_by_label("Country of residence").nth(row).select_option("NG")
        page.get_by_label("Date of birth").nth(row).fill("1984-05-02")
    page.locator("[name=ow_layers][value='0']").check()
    visitor.press("Save and continue")
    visitor.go(reverse("onboarding:section", args=[business.public_id, "ownership"]))

    kept = [page.get_by_label("Full name").nth(row).input_value() for row in range(3)]
    assert kept == [name for name, _ in people]
    proven.reached("3 rows added, filled and kept", met=True)


@proof("R24", "reading and accepting without scripts", asked=DONE)
def test_one_reads_a_paper_and_accepts_it(proven: Proven, world, at):
    pack = committed(given.a_pack, PackStatus.IN_REVIEW)
    visitor = at(given.owner_of(pack.business), **OFF)
    page = visitor.go(reverse("agreements:pack", args=[pack.business.public_id]))
    page.get_by_role("link", name="Pack cover and index").first.click()
    expect(page.get_by_role("article")).to_contain_text("Who this pack is for")
    visitor.press("I have read this and accept it")

    visitor.go(reverse("agreements:pack", args=[pack.business.public_id]))
    expect(page.get_by_text("Accepted").first).to_be_visible()
    proven.reached("opened, read, accepted", met=True)


@proof("R24", "approving without scripts", asked=DONE)
def test_one_of_staff_approves(proven: Proven, world, at, to_approve):
    assert approvals.places_left(to_approve, DecisionRole.COMMERCIAL) == 1
    visitor = at(world.people[str(Role.COMMERCIAL)], **OFF)
    visitor.go(reverse("agreements:case", args=[to_approve.application.public_id]))
    visitor.press("Approve as commercial")

    assert approvals.places_left(to_approve, DecisionRole.COMMERCIAL) == 0
    proven.reached("one press, one decision", met=True)
