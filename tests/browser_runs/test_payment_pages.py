"""Payment pages in a real browser: live, without scripts, and on a phone."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from playwright.sync_api import Browser, expect

from tests.browser import Visitor
from tests.browser_runs import looking
from tests.browser_runs.payments import a_session, of_every_kind, pay
from tests.proofs import Proven, proof

pytestmark = [pytest.mark.browser, pytest.mark.check]

WIDTHS = (1440, 390, 320)
UNKNOWN = "cs_" + "0" * 26


@pytest.fixture
def origin(site: str) -> str:
    """The origin of the payment pages on the test's port."""
    return f"http://{urlsplit(settings.CHECKOUT_ORIGIN).hostname}:{urlsplit(site).port}"


@pytest.fixture
def payer(chromium: Browser, origin: str) -> Iterator[Callable[..., Visitor]]:
    """Return a function that opens a payer's browser."""
    opened: list[Visitor] = []

    def browser(**options: Any) -> Visitor:
        opened.append(Visitor(chromium, origin, **options))
        return opened[-1]

    yield browser
    for visitor in opened:
        visitor.close()


@proof("R24", "payment pages", asked="0 faults in 2 themes x 3 widths, in every state")
def test_no_payment_page_has_a_fault(proven: Proven, world, payer):
    visitor, wrong, seen = payer(), [], 0
    paths = {name: f"/checkout/{one.public_id}" for name, one in of_every_kind(world).items()}
    paths |= {f"{name} in a frame": f"{path}/embed" for name, path in paths.items()}
    paths["unknown"] = f"/checkout/{UNKNOWN}"
    for name, path in paths.items():
        visitor.go(path)
        for look in [(theme, width) for theme in looking.THEMES for width in WIDTHS]:
            looking.put_on(visitor.page, look)
            wrong += looking.faults(visitor.page, f"checkout {name}", look, looking.RULES)
            seen += 1
    wrong += [said for said in visitor.said if not looking.NO_FAULT.search(said)]
    proven.reached(f"{seen} looks, {len(wrong)} faults", met=not wrong and seen > 130, wrong=wrong)


def test_payments_appear_without_a_reload(world, payer):
    session, visitor = a_session(world, lasts=3590), payer()
    page = visitor.go(f"/checkout/{session.public_id}")
    page.evaluate("window.loaded = 'once'")
    left = page.locator("[data-left]")
    first = left.inner_text()
    assert first.startswith("59:")
    expect(left).not_to_have_text(first)

    copy = page.get_by_role("button", name="Copy: Amount")
    copy.focus()
    pay(session, 40_000)
    expect(page.get_by_role("heading", level=1)).to_contain_text("600.00")
    expect(page.locator(".parts li")).to_have_count(1)
    expect(page.get_by_role("status")).to_contain_text("Still to pay")
    expect(copy).to_be_focused()

    pay(session, 60_000)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Paid")
    assert not visitor.reads(session.account.account_number)
    link = page.get_by_role("link", name="Go to shop.example")
    expect(link).to_have_attribute("href", "https://shop.example/thanks")
    assert page.evaluate("window.loaded") == "once"
    assert visitor.said == []


def test_the_countdown_ends_the_page(world, payer):
    session = a_session(world, lasts=6)
    page = payer().go(f"/checkout/{session.public_id}")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Expired")


def test_the_countdown_follows_the_clock_of_the_server(world, payer):
    session, visitor = a_session(world, lasts=3590), payer()
    visitor.page.clock.install(time="2031-01-01T00:00:00Z")
    page = visitor.go(f"/checkout/{session.public_id}")
    left = page.locator("[data-left]")
    assert left.inner_text().startswith("59:")
    page.clock.set_system_time("2031-01-01T00:30:00Z")  # as after half an hour of sleep
    page.clock.run_for(1000)
    expect(left).to_have_text(re.compile("^29:"))


def test_the_payers_own_time_is_beside_utc(world, payer):
    session = a_session(world)
    end = session.expires_at
    page = payer(timezone_id="Asia/Kolkata").go(f"/checkout/{session.public_id}")
    said = page.locator(".until").inner_text()
    assert f"{end:%H:%M} UTC" in said
    assert "your time" in said
    theirs = (end + timedelta(hours=5, minutes=30)).astimezone(UTC)
    assert f"{theirs:%-I:%M}" in said
    same = payer(timezone_id="UTC").go(f"/checkout/{session.public_id}")
    assert "your time" not in same.locator(".until").inner_text()


def test_a_value_is_copied(world, payer):
    session, visitor = a_session(world), payer()
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = visitor.go(f"/checkout/{session.public_id}")
    button = page.get_by_role("button", name="Copy: Account number")
    button.click()
    expect(button).to_contain_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == session.account.account_number


def test_everything_can_be_read_without_scripts(world, payer):
    session, visitor = a_session(world), payer(java_script_enabled=False)
    page = visitor.go(f"/checkout/{session.public_id}")
    for words in ("1,000.00", session.account.account_number, session.account.bank_name, "Pay by"):
        assert visitor.reads(words)
    assert page.locator("meta[http-equiv=refresh]").get_attribute("content") == "20"
    pay(session, 100_000)
    page.reload()
    assert visitor.reads("Paid")
