"""The walk: from an empty browser to a live key, with a separate browser for each person.

It uses only pages and HTTP; only the staff accounts exist beforehand. It runs three times: with a
mouse, and in `make prove` also by keyboard alone and with JavaScript off.
"""

import json
import re
import urllib.error
import urllib.request
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from console.accounts.roles import Role
from onboarding.registers import simulated_register
from tests import factories
from tests.flows import going_live
from tests.flows.walking import I_SIGN, Person
from tests.keyboard import ByKeyboard
from tests.onboarding import answered
from tests.proofs import Proven, proof
from tests.services import Services

NAME, EMAIL = "Mara Ellwood", "mara@walk.example"
# The simulated register knows the company, and its director is the contact for everything.
COMPANY = simulated_register.COMPANIES["GB", "09990101"]
ANSWERS = I_SIGN | {
    "li_legal_name": COMPANY.name,
    "li_registration_number": COMPANY.number,
    "li_legal_form": COMPANY.legal_form,
    "li_incorporation_date": COMPANY.since,
    "li_registered_address": {part: text for part, text in COMPANY.address.items() if text},
    "li_contact_email": EMAIL,
    "pr_tech_email": EMAIL,
    "dh_privacy_email": EMAIL,
}
JOURNEYS = 9
# Chromium logs these itself when saving a section is refused.
BROWSER_ON_A_REFUSAL = re.compile("Failed to load resource: .* a status of (403|409) ")
DECISIONS = (
    (Role.COMPLIANCE, "Approve as compliance"),
    (Role.COMMERCIAL, "Approve as commercial"),
    (Role.LEGAL, "Approve as legal"),
    (Role.COUNTERSIGNATORY, "Countersign and seal"),
)


class KeyboardPerson(ByKeyboard, Person):
    """A person who uses only the keyboard."""


def staff_member(role: Role, person: Callable[..., Person]) -> Person:
    """Return a new member of staff, signed in at a browser of their own."""
    known = factories.one_of_staff(role, password="three grey owls watching")
    seed = factories.seed_of(known)
    reviewer = person(known.name, known.email, password="three grey owls watching", seed=seed)
    reviewer.sign_in()
    return reviewer


def call(url: str, path: str, authorization: str | None) -> tuple[int, dict[str, Any]]:
    """Call the API; return the status and the decoded body."""
    headers = {"Authorization": authorization} if authorization else {}
    try:
        with urllib.request.urlopen(urllib.request.Request(url + path, headers=headers)) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refused:
        problem = json.load(refused) | {"media_type": refused.headers["Content-Type"]}
        return refused.code, problem


pytestmark = [pytest.mark.browser, pytest.mark.services]
# From an empty browser to the first key. With scripts it takes 50 presses and 68 fields; without
# them 76 fields, because what the register states and what is known appear only after saving.
MOST_PRESSES, MOST_FIELDS = 52, 78


def test_from_an_empty_browser_to_a_live_key(services: Services, chromium: Browser, tmp_path):
    services.start("broker", "worker", "beat", "web", **going_live.HERE)
    done = walk(partial(Person, chromium, services.url), services.url, tmp_path)
    assert len(done) == JOURNEYS


@proof("R24", "the walk by keyboard alone", small=0, asked="9 of 9 journeys")
def test_by_keyboard_alone(proven: Proven, services: Services, chromium: Browser, tmp_path):
    services.start("broker", "worker", "beat", "web", **going_live.HERE)
    done = walk(partial(KeyboardPerson, chromium, services.url), services.url, tmp_path)
    proven.reached(f"{len(done)} of {JOURNEYS} journeys", met=len(done) == JOURNEYS)


@proof("R24", "the walk without JavaScript", small=0, asked="9 of 9 journeys")
def test_where_scripts_are_off(proven: Proven, services: Services, chromium: Browser, tmp_path):
    services.start("broker", "worker", "beat", "web", **going_live.HERE)
    person = partial(Person, chromium, services.url, java_script_enabled=False)
    done = walk(person, services.url, tmp_path)
    proven.reached(f"{len(done)} of {JOURNEYS} journeys", met=len(done) == JOURNEYS)


def walk(person: Callable[..., Person], url: str, folder: Path) -> list[str]:
    """Run the whole walk; return the journeys completed."""
    owner = person(NAME, EMAIL)
    everybody, done = [owner], []

    owner.sign_up()
    done.append("sign up, confirm, sign in")

    business = owner.add_business(COMPANY.name)
    owner.answer(business, answered.answers(**ANSWERS))
    work = owner.presses, owner.fields
    page = owner.go(f"{business}access/corridors/")
    owner.choose(page.locator('[name="co_rows.0.to"]'), "KP")
    owner.press("Save and continue")
    assert owner.reads("COMPLIANCE_BLOCKED")
    assert [words for words in owner.said if not BROWSER_ON_A_REFUSAL.search(words)] == []
    owner.said.clear()
    owner.choose(page.locator('[name="co_rows.0.to"]'), "GB")
    owner.press("Save and continue")
    done.append("register a business, answer, be refused for a slip, mend it")

    going_live.before_submission(owner, business)
    # The slip and the looks ahead are not part of the shortest way.
    owner.presses, owner.fields = work
    owner.submit(business)
    done.append("check the answers, secure the account on the way, and submit")

    # They sign in first, because the code of a sign-in approves nothing.
    reviewers = [staff_member(role, person) for role, _ in DECISIONS]
    everybody += reviewers
    owner.go(f"{business}agreements/")
    owner.wait_for("Read the next document")
    assert owner.read_and_accept_all(business) >= 8
    owner.sign()
    done.append("read the pack document by document, and sign it once")

    for reviewer, (role, label) in zip(reviewers, DECISIONS, strict=True):
        reviewer.decide(label)
        done += ["approve"] if role == Role.LEGAL else []
    owner.go(f"{business}agreements/")
    owner.wait_for("Both sides have signed, and we have sealed every document")
    done.append("countersign")

    with owner.page.expect_download() as started:
        owner.click(owner.page.locator("main a[href*='/sealed/']").nth(2))
    executed, altered = folder / "executed.pdf", folder / "altered.pdf"
    started.value.save_as(executed)
    data = bytearray(executed.read_bytes())
    data[len(data) // 2] ^= 1
    altered.write_bytes(data)
    stranger = person("A stranger", "")
    everybody.append(stranger)
    for file, words in ((executed, "Authentic"), (altered, "Altered")):
        stranger.check_file(file)
        assert stranger.reads(words), stranger.page.locator("main").inner_text()
    done.append("tell an executed copy from an altered one")

    page = owner.go(f"{business}keys/")
    for _ in range(20):
        if page.get_by_role("link", name=re.compile("Create")).count():
            break
        page.wait_for_timeout(500)
        page.reload()
    plain = owner.create_key(business)
    assert owner.presses <= MOST_PRESSES
    assert owner.fields <= MOST_FIELDS
    assert plain not in owner.go(f"{business}keys/").content()
    narrow = owner.create_key(business, scopes=["webhooks:read"])
    the_keys_are_used(url, plain, narrow)
    owner.revoke_key(business, plain)
    status, problem = call(f"{url}/sandbox/v1", "/me", f"Bearer {plain}")
    assert (status, problem["code"], problem["reason"]) == (401, "CREDENTIAL_EXPIRED", "revoked")
    done.append("create a key, see it once, revoke it")

    everybody += walk_on_to_live(owner, business, url, person)
    done.append("go live, lose each fact and mend it")

    assert [words for one in everybody for words in one.said] == []
    for one in everybody:
        one.close()
    return done


def walk_on_to_live(
    owner: Person, business: str, url: str, person: Callable[..., Person]
) -> list[Person]:
    """Go from the sandbox to a live key; return the staff who took part."""
    manager = staff_member(Role.ACCOUNT_MANAGER, person)
    head = staff_member(Role.HEAD_OF_COMPLIANCE, person)

    def ask(path: str, key: str) -> tuple[int, dict[str, Any]]:
        return call(url, path, f"Bearer {key}")

    going_live.walk_to_live(owner, business, owner.create_key(business), manager, head, ask)
    return [manager, head]


def the_keys_are_used(url: str, plain: str, narrow: str) -> None:
    """Call the sandbox with each key and check the responses, including the errors."""
    sandbox, live = f"{url}/sandbox/v1", f"{url}/v1"
    status, me = call(sandbox, "/me", f"Bearer {plain}")
    assert (status, me["business"]["name"], me["key"]["environment"]) == (
        200,
        COMPANY.name,
        "sandbox",
    )
    status, balances = call(sandbox, "/balances?currency=USD", f"Bearer {plain}")
    assert (status, balances["data"][0]["available"]) == (200, "1000000.00")

    status, problem = call(sandbox, "/me", None)
    assert (status, problem["code"]) == (401, "UNAUTHENTICATED")
    assert problem["media_type"] == "application/problem+json"
    wrong = plain[:-1] + ("y" if plain.endswith("x") else "x")
    assert call(sandbox, "/me", f"Bearer {wrong}")[1]["code"] == "INVALID_CREDENTIALS"
    assert call(live, "/me", f"Bearer {plain}")[1]["code"] == "ENVIRONMENT_MISMATCH"
    assert call(sandbox, "/me", f"Bearer {narrow}")[1]["code"] == "FORBIDDEN_SCOPE"
