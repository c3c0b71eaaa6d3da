"""R24: pages in the states of an executed business, and error pages."""

from typing import Any

import pytest
from django.urls import reverse

from agreements.lifecycle import PackStatus
from agreements.packs import packs
from console.accounts import members
from console.accounts.roles import Role
from onboarding.intake import applications
from onboarding.lifecycle import ApplicationStatus
from onboarding.questionnaire import loading
from tests import factories
from tests.browser_runs.commits import committed
from tests.browser_runs.looking import Tour
from tests.onboarding import answered
from tests.proofs import Proven, is_full, proof

pytestmark = [pytest.mark.browser, pytest.mark.check]
SECTIONS = [section.key for section in loading.EDITIONS.newest().sections]
OWN = ["api:home", "accounts:team", "onboarding:access", "agreements:pack", "apikeys:keys"]


def see(tour: Tour, visitor: Any, state: str, *names: str, **kwargs: Any) -> None:
    """Check pages of a business or a case in one state."""
    for name in names:
        tour.go(visitor, f"{state} {name}", reverse(name, kwargs=kwargs))


@proof("R24", "forms with mistakes", asked="0 faults in 2 themes x 3 widths")
def test_no_page_with_a_mistake_has_a_fault(proven: Proven, world, at):
    tour, nobody, owner = Tour(), at(None), at(world.people["owner"])
    here = {"business_id": world.ours.public_id}
    for visitor, name, kwargs in [
        (nobody, "accounts:sign_up", {}),
        (nobody, "accounts:sign_in", {}),
        (nobody, "accounts:forgot", {}),
        (owner, "accounts:business_new", {}),
        (owner, "accounts:change_password", {}),
        (owner, "accounts:invite", here),
        (owner, "apikeys:new_key", here),
    ]:
        visitor.go(reverse(name, kwargs=kwargs))
        ticked = visitor.page.locator("main input:checked[type=checkbox]")
        while ticked.count():
            ticked.first.uncheck()
        visitor.page.locator("main form [data-kind=primary]").first.click()
        visitor.page.locator(".summary").wait_for()
        tour.look(visitor, f"mistake in {name}")

    tour.prove(proven, least=7)


@proof("R24", "pages that say no", asked="0 faults in 2 themes x 3 widths")
def test_no_refusal_has_a_fault(proven: Proven, world, at, monkeypatch):
    tour, viewer = Tour(), at(world.people["viewer"])
    see(tour, viewer, "refused", "accounts:invite", business_id=world.ours.public_id)
    tour.go(viewer, "not found", "/no/such/page/")
    tour.go(at(None), "not found by a stranger", "/no/such/page/")
    # More parameters than any page reads.
    tour.go(at(None), "bad request", f"{reverse('accounts:sign_up')}?{'a&' * 2001}")
    old = at(None, locale="de-DE")
    old.go(reverse("accounts:sign_in"))
    old.context.clear_cookies()
    old.page.locator("main form button").first.click()
    assert old.reads("Please send that again")
    tour.look(old, "an old form")
    tour.go(at(None), "spent link", reverse("accounts:reset", args=["usr_x", "spent"]))
    monkeypatch.setattr(members, "find_invitation", lambda *_: 1 / 0)
    tour.go(at(None), "broken", reverse("accounts:invitation", args=["some-token"]))
    fresh = at(None, locale="en-GB")
    for n in range(10):
        fresh.go(reverse("accounts:sign_in"))
        fresh.page.get_by_label("E-mail address").fill("locked@example.com")
        fresh.page.get_by_label("Password").fill(f"guess number {n}")
        fresh.press("Sign in")
    assert fresh.reads("Signing in is locked for a while")
    tour.look(fresh, "locked")

    tour.prove(proven, least=8)


@proof("R24", "what is shown once", asked="0 faults in 2 themes x 3 widths")
def test_what_is_shown_once_has_no_fault(proven: Proven, world, at):
    tour, owner = Tour(), at(world.people["owner"])
    owner.go(reverse("apikeys:new_key", args=[world.ours.public_id]))
    owner.page.get_by_label("Name").fill("Backend, staging")
    owner.press("Create key")
    owner.page.get_by_text("svc_test_").first.wait_for()
    tour.look(owner, "the key")
    person = committed(factories.a_person, "Ife Bello")
    visitor = at(person, by="password")
    see(tour, visitor, "no business", "accounts:security", "shell:home", "accounts:authenticator")
    visitor.page.locator("main form [data-kind=primary]").first.click()
    visitor.page.locator(".secret").first.wait_for()
    tour.look(visitor, "the app to set up")

    tour.prove(proven, least=5)


@proof("R24", "the questionnaire", asked="0 faults in 2 themes x 3 widths")
def test_no_page_of_the_questionnaire_has_a_fault(proven: Proven, world, at):
    tour = Tour()
    business = committed(factories.a_business, "Savanna Freight")
    owner, here = at(factories.owner_of(business)), {"business_id": business.public_id}
    see(tour, owner, "new", *OWN, **here)
    application = committed(applications.start, business, by=factories.owner_of(business))
    see(tour, owner, "draft", "onboarding:access", "onboarding:check", **here)
    # Every section is checked; in `make prove` both before and after answering it.
    for key in SECTIONS if is_full() else SECTIONS[::2]:
        see(tour, owner, f"empty {key}", "onboarding:section", section_key=key, **here)
    owner.page.locator("main form [data-kind=primary]").first.click()
    owner.page.locator(".summary").wait_for()
    tour.look(owner, "mistakes in a section")
    committed(factories.filled, application)
    see(tour, owner, "answered", "onboarding:access", "onboarding:check", **here)
    for key in SECTIONS if is_full() else SECTIONS[1::2]:
        see(tour, owner, f"filled {key}", "onboarding:section", section_key=key, **here)
    see(tour, owner, "answered", "onboarding:withdraw", **here)

    tour.prove(proven, least=len(OWN) + len(SECTIONS) + 6)


@proof("R24", "a pack on its way", asked="0 faults in 2 themes x 3 widths")
def test_no_step_of_a_pack_has_a_fault(proven: Proven, world, at):
    tour = Tour()
    pack = committed(factories.a_pack, PackStatus.IN_REVIEW, tier="HIGH")
    here = {"business_id": pack.business.public_id}
    case = {"application_id": pack.application.public_id}
    owner = at(factories.owner_of(pack.business), by="password")
    staff = {role: at(world.people[str(role)]) for role in Role if str(role) in world.people}
    document = packs.documents_of(pack)[1].public_id
    see(tour, owner, "to read", "agreements:pack", "agreements:sign", **here)
    see(tour, owner, "to read", "agreements:document", document_id=document, **here)
    pack = committed(factories.walked, pack, PackStatus.READY_TO_SIGN)
    see(tour, owner, "without an app", "agreements:pack", "agreements:sign", **here)
    owner = at(factories.owner_of(pack.business))
    see(tour, owner, "to sign", "agreements:pack", "agreements:sign", **here)
    see(tour, owner, "accepted", "agreements:document", document_id=document, **here)
    pack = committed(factories.walked, pack, PackStatus.IN_APPROVAL)
    for role in (Role.COMPLIANCE, Role.COMMERCIAL, Role.LEGAL, Role.AUDITOR):
        see(tour, staff[role], f"to approve as {role}", "agreements:case", **case)
    legal = staff[Role.LEGAL]
    see(tour, legal, "to approve", "agreements:send_back", **case)
    see(tour, legal, "to approve", "agreements:packs")
    see(tour, owner, "in approval", "agreements:pack", **here)
    pack = committed(factories.walked, pack, PackStatus.APPROVED)
    see(tour, staff[Role.COUNTERSIGNATORY], "to countersign", "agreements:case", **case)

    tour.prove(proven, least=16)


@proof("R24", "a case on its way", asked="0 faults in 2 themes x 3 widths")
def test_no_state_of_a_case_has_a_fault(proven: Proven, world, at):
    tour, compliance = Tour(), at(world.people["compliance"])
    stuck = committed(factories.a_pack, PackStatus.GENERATING)
    case = {"application_id": stuck.application.public_id}
    owner = at(factories.owner_of(stuck.business), by="password")
    see(tour, owner, "generating", "agreements:pack", business_id=stuck.business.public_id)
    see(tour, compliance, "generating", "agreements:case", **case)
    committed(factories.STEPS[PackStatus.QUARANTINED], stuck)
    see(tour, at(world.people["operator"]), "stuck", "agreements:case", "agreements:retry", **case)
    waiting = committed(factories.a_reviewed_application, **answered.HIGH)
    case = {"application_id": waiting.public_id}
    see(tour, compliance, "to review", "onboarding:review_queue", "governance:log")
    see(tour, compliance, "to review", "agreements:case", "onboarding:clear", **case)
    for press in ("return", "hold", "decline"):
        see(tour, compliance, "to review", f"onboarding:{press}", **case)
    compliance.page.locator(
        "main form [data-kind=primary], main form [data-kind=danger]"
    ).first.click()
    compliance.page.locator(".summary").wait_for()
    tour.look(compliance, "declined without a reason")
    returned = committed(factories.an_application, ApplicationStatus.RETURNED)
    owner = at(factories.owner_of(returned.business))
    see(tour, owner, "returned", "onboarding:access", business_id=returned.business.public_id)

    tour.prove(proven, least=13)
