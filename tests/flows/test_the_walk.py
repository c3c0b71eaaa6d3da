"""The walk: from an empty browser to a sandbox call, every person in a browser of their own.

It looks at nothing but pages and HTTP; only our staff are there before it begins.
"""

import json
import re
import urllib.error
import urllib.request
from typing import Any

import pytest
from playwright.sync_api import Browser

from console.accounts.roles import Role
from tests import given
from tests.browser import Visitor
from tests.flows.walking import Person
from tests.onboarding import answered
from tests.services import Services

NAME, EMAIL = "Mara Ellwood", "mara@walk.example"
# What Chromium itself says of a page that refuses.
BROWSER_ON_403 = "Failed to load resource: the server responded with a status of 403 (Forbidden)"
DECISIONS = (
    (Role.COMPLIANCE, "Approve as compliance"),
    (Role.COMMERCIAL, "Approve as commercial"),
    (Role.LEGAL, "Approve as legal"),
    (Role.COUNTERSIGNATORY, "Countersign and seal"),
)


def answers(email: str = EMAIL, **changes: Any) -> dict[str, Any]:
    return answered.answers(ow_signatory_email=email, **changes)


def staff_member(role: Role, chromium: Browser, url: str) -> Person:
    """One of our staff, at a browser of their own, signed in."""
    known = given.one_of_staff(role, password="three grey owls watching")
    seed = given.seed_of(known)
    person = Person(
        chromium, url, known.name, known.email, password="three grey owls watching", seed=seed
    )
    person.sign_in()
    return person


def call(url: str, path: str, authorization: str | None) -> tuple[int, dict[str, Any]]:
    """Ask the API, and return the status and the body."""
    headers = {"Authorization": authorization} if authorization else {}
    try:
        with urllib.request.urlopen(urllib.request.Request(url + path, headers=headers)) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refused:
        problem = json.load(refused) | {"media_type": refused.headers["Content-Type"]}
        return refused.code, problem


@pytest.mark.browser
@pytest.mark.services
def test_from_an_empty_browser_to_a_sandbox_call(services: Services, chromium: Browser, tmp_path):
    services.start("broker", "worker", "beat", "web")
    owner = Person(chromium, services.url, NAME, EMAIL)
    everybody: list[Visitor] = [owner]

    # 1 to 3: sign up, answer, be refused for a slip, submit, be scored
    owner.sign_up()
    owner.set_up_authenticator()
    business = owner.add_business("Kettle & Kiosk Ltd")
    owner.answer(business, answers())
    page = owner.go(f"{business}access/corridors/")
    page.locator('[name="co_rows.0.to"]').select_option("KP")
    owner.press("Save and continue")
    assert owner.reads("COMPLIANCE_BLOCKED")
    assert [words for words in owner.said if BROWSER_ON_403 not in words] == []
    owner.said.clear()
    owner.answer(business, answers())
    owner.submit(business)

    # 4 and 5: the pack is drawn, read paper by paper, and signed once
    owner.go(f"{business}agreements/")
    owner.wait_for("Read your documents")
    assert owner.read_and_accept_all(business) >= 8
    owner.sign()

    # 6 and 7: three approve, a fourth countersigns, a worker seals
    for role, label in DECISIONS:
        reviewer = staff_member(role, chromium, services.url)
        everybody.append(reviewer)
        reviewer.go("/review/packs/")
        case = reviewer.page.locator("main a[href^='/review/app_']").first.get_attribute("href")
        assert case
        reviewer.decide(case, label)
    owner.go(f"{business}agreements/")
    owner.wait_for("Your agreements are in force")

    # Anyone can tell an executed copy from an altered one
    with owner.page.expect_download() as started:
        owner.page.locator("main a[href*='/sealed/']").nth(2).click()
    executed = tmp_path / "executed.pdf"
    started.value.save_as(executed)
    data = executed.read_bytes()
    altered = tmp_path / "altered.pdf"
    altered.write_bytes(
        data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 1]) + data[len(data) // 2 + 1 :]
    )
    stranger = Visitor(chromium, services.url, java_script_enabled=False)
    everybody.append(stranger)
    for file, words in ((executed, "Authentic"), (altered, "Altered")):
        stranger.go("/verify/").locator("input[type=file]").set_input_files(file)
        stranger.page.locator("main form:has(input[type=file]) button").first.click()
        assert stranger.reads(words), stranger.page.locator("main").inner_text()

    # 8 and 9: the key is created, shown once, and used
    owner.go(f"{business}keys/")
    for _ in range(20):
        if owner.page.get_by_role("link", name=re.compile("Create")).count():
            break
        owner.page.wait_for_timeout(500)
        owner.page.reload()
    plain = owner.create_key(business)
    assert plain not in owner.go(f"{business}keys/").content()
    sandbox, live = f"{services.url}/sandbox/v1", f"{services.url}/v1"
    status, me = call(sandbox, "/me", f"Bearer {plain}")
    assert (status, me["business"]["name"], me["key"]["environment"]) == (
        200,
        "Kettle & Kiosk Ltd",
        "sandbox",
    )
    status, balances = call(sandbox, "/balances?currency=USD", f"Bearer {plain}")
    assert (status, balances["data"][0]["available"]) == (200, "1000000.00")

    # Refusals say what is wrong
    status, problem = call(sandbox, "/me", None)
    assert (status, problem["code"]) == (401, "UNAUTHENTICATED")
    assert problem["media_type"] == "application/problem+json"
    assert call(sandbox, "/me", f"Bearer {plain[:-1]}x")[1]["code"] == "INVALID_CREDENTIALS"
    assert call(live, "/me", f"Bearer {plain}")[1]["code"] == "ENVIRONMENT_MISMATCH"
    narrow = owner.create_key(business, scopes=["webhooks:read"])
    assert call(sandbox, "/me", f"Bearer {narrow}")[1]["code"] == "FORBIDDEN_SCOPE"
    owner.revoke_key(business, plain)
    status, problem = call(sandbox, "/me", f"Bearer {plain}")
    assert (status, problem["code"], problem["reason"]) == (401, "CREDENTIAL_EXPIRED", "revoked")

    assert [words for person in everybody for words in person.said] == []
    for person in everybody:
        person.close()
