"""The widget in shops' pages, with a real browser, under a strict content security policy."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import ARGUMENTS, program
from tests.browser_runs import looking
from tests.widget import shops
from tests.widget.shops import PRICE, SHOP, At, Shop

pytestmark = pytest.mark.browser
NOT_READY = 10_000  # milliseconds after which the widget gives up waiting
FOCUSED = "() => document.activeElement.id || document.activeElement.localName"


def test_a_part_changes_the_status_and_the_rest_succeeds_once(at: At, session):
    shop = at()
    shop.go("/")
    shop.mount(session)
    shop.hears("onStatus")
    shops.pay(session, PRICE // 5)
    shop.hears("onStatus", "onStatus")
    shops.pay(session, PRICE)
    shop.hears("onStatus", "onStatus", "onStatus", "onSuccess")
    statuses = [values for name, *values in shop.heard if name == "onStatus"]
    assert statuses == [
        [{"status": "awaiting_payment", "outstandingAmountMinor": PRICE}],
        [{"status": "awaiting_payment", "outstandingAmountMinor": PRICE - PRICE // 5}],
        [{"status": "paid", "outstandingAmountMinor": 0}],
    ]
    assert shop.heard[-1] == ["onSuccess"]
    assert shop.said == []


def test_the_frame_is_as_tall_as_its_page(at: At, session):
    shop = at()
    shop.go("/")
    shop.mount(session)
    shop.hears("onStatus")
    frame = shop.frame()
    body = "() => Math.ceil(document.body.getBoundingClientRect().height)"
    shop.wait_until(lambda: shop.height() == frame.evaluate(body), at_most=5_000)
    assert shop.height() == frame.evaluate(body) > 300
    assert not frame.evaluate("() => document.documentElement.scrollHeight > innerHeight")


@pytest.mark.parametrize(
    "origin",
    [
        "https://shop.example.evil.example",
        "https://www.shop.example",
        "https://shop.example:8443",
        "http://shop.example",
    ],
)
def test_another_site_is_refused_and_told_so(at: At, session, origin: str):
    shop = at(origin)
    shop.page.clock.install()
    shop.go("/")
    shop.mount(session)
    shop.wait_until(lambda: any("frame-ancestors" in said for said in shop.said))
    assert shop.heard == []
    shop.page.clock.run_for(NOT_READY)
    assert shop.heard == [["onError", {"code": "FRAME_BLOCKED"}]]
    link = shop.page.get_by_role("link", name="Open the payment page")
    expect(link).to_be_visible()
    assert link.get_attribute("href") == session.checkout_url
    assert shop.page.locator("iframe").is_hidden()
    shops.pay(session, PRICE)
    shop.page.clock.run_for(60_000)
    assert shop.names() == ["onError"]


def test_a_verified_site_in_a_frame_of_another_site_is_refused(at: At, session):
    shop = at("https://evil.example")
    shop.lay("https://evil.example/", f'<iframe src="{SHOP}/"></iframe>')
    shop.lay(f"{SHOP}/", shops.shop_page(), shops.strict())
    shop.page.clock.install()
    shop.go("/")
    inner = shop.page.frames[1]
    inner.wait_for_function("() => window.ServiceCheckout")
    inner.evaluate(shops.MOUNT, [session.public_id, {"container": "#payment"}])
    shop.wait_until(lambda: any("frame-ancestors" in said for said in shop.said))
    shop.page.clock.run_for(NOT_READY)
    assert inner.evaluate("() => heard") == [["onError", {"code": "FRAME_BLOCKED"}]]


@pytest.mark.usefixtures("_checkout_host")
def test_it_works_without_third_party_cookies(chromium: Browser, session):
    flags = [*ARGUMENTS, shops.REACH_THIS_MACHINE, "--test-third-party-cookie-phaseout"]
    browser = chromium.browser_type.launch(executable_path=program(), args=flags)
    shop = Shop(browser)
    shop.go("/")
    shop.mount(session)
    shops.pay(session, PRICE)
    shop.wait_until(lambda: "onSuccess" in shop.names())
    assert shop.names()[-1] == "onSuccess"
    assert shop.context.cookies() == []
    browser.close()


# The modal -----------------------------------------------------------------------------------


@pytest.fixture
def modal(at: At, session) -> Shop:
    """A shop whose button opened the modal."""
    shop = at()
    shop.go("/")
    opens = f"sessionId => void (buy.onclick = () => ({shops.MOUNT})([sessionId, {{}}]))"
    shop.page.evaluate(opens, session.public_id)
    shop.page.evaluate("() => void (document.documentElement.style.overflow = 'clip')")
    shop.page.evaluate("() => void (buy.style.padding = '8px')")
    shop.page.focus("#buy")
    shop.page.keyboard.press("Enter")
    shop.hears("onStatus")
    return shop


def test_the_modal_is_a_labelled_dialog_without_faults(modal: Shop):
    dialog = modal.page.get_by_role("dialog", name="Payment")
    expect(dialog).to_be_visible()
    assert dialog.get_attribute("aria-modal") == "true"
    assert modal.page.locator("iframe").get_attribute("title")
    modal.frame()
    for look in looking.LOOKS:
        looking.put_on(modal.page, look)
        assert looking.faults(modal.page, "widget", look, looking.RULES) == []


def test_the_modal_keeps_the_focus(modal: Shop):
    stops = set()
    for _ in range(12):
        modal.page.keyboard.press("Tab")
        stops.add(modal.page.evaluate(FOCUSED))
    assert "buy" not in stops
    assert "div" in stops  # the widget's host


@pytest.mark.parametrize("way", ["button", "Escape", "Escape in the frame"])
def test_closing_gives_the_page_back_and_keeps_the_session(modal: Shop, session, way: str):
    overflow = "() => document.documentElement.style.overflow"
    assert modal.page.evaluate(overflow) == "hidden"
    if way == "button":
        modal.page.get_by_role("button", name="Close").click()
    elif way == "Escape":
        modal.page.keyboard.press("Escape")
    else:
        modal.frame().locator("button").first.focus()
        modal.page.keyboard.press("Escape")
    modal.hears("onStatus", "onClose")
    expect(modal.page.get_by_role("dialog")).to_have_count(0)
    assert modal.page.evaluate(FOCUSED) == "buy"
    assert modal.page.evaluate(overflow) == "clip"
    session.refresh_from_db()
    assert session.status == "awaiting_payment"


def test_unmount_closes_the_modal_without_a_call_back(modal: Shop):
    modal.page.evaluate("() => { payment.unmount(); payment.unmount(); }")
    expect(modal.page.get_by_role("dialog")).to_have_count(0)
    assert modal.page.evaluate(FOCUSED) == "buy"
    modal.page.wait_for_timeout(200)
    assert modal.names() == ["onStatus"]
