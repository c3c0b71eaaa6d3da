"""Shops in a real browser: pages of any origin with the widget, beside a real checkout host."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from playwright.sync_api import Browser, Frame, Route

from api.checkout import widget
from api.demo import checkout
from api.payments.models import CheckoutSession
from console.accounts.models import Business
from tests.browser import Visitor
from tests.browser_runs.commits import committed

PRICE = 1_250_00
# Browsers ask people before a site on the internet reaches this machine, where we are in tests.
REACH_THIS_MACHINE = "--disable-features=LocalNetworkAccessChecks"
# The only site that the business has verified.
SHOP = "https://shop.example"
# Mounts a payment and writes down every call back.
MOUNT = """([sessionId, more]) => {
  window.heard ??= [];
  const hear = (name) => (...values) => void heard.push([name, ...values]);
  const names = ["onStatus", "onSuccess", "onClose", "onError"];
  const calls = Object.fromEntries(names.map((name) => [name, hear(name)]));
  window.payment = ServiceCheckout.mount({ sessionId, ...calls, ...more });
}"""
BODY = '<h1>A shop</h1><button id="buy">Buy</button><div id="payment"></div>'


def strict(*also_frames: str) -> str:
    """Return a policy that allows nothing but the widget and its frame."""
    host = settings.CHECKOUT_ORIGIN
    frames = " ".join([host, *also_frames])
    return (
        f"default-src 'none'; script-src {host}; frame-src {frames}; base-uri 'none'; "
        "require-trusted-types-for 'script'"
    )


class Shop(Visitor):
    """A payer's browser at the page of a shop. Further pages of other sites may lie beside it."""

    def __init__(self, browser: Browser, origin: str = SHOP, body: str = BODY, **more: Any) -> None:
        super().__init__(browser, origin, **more)
        self.origin = origin
        self.lay(f"{origin}/", shop_page(body), strict())

    def lay(self, url: str, page: str, policy: str = "", **headers: str) -> None:
        """Serve a page at that URL."""
        headers |= {"Content-Security-Policy": policy} if policy else {}

        def serve(route: Route) -> None:
            route.fulfill(body=page, content_type="text/html; charset=utf-8", headers=headers)

        self.context.route(url, serve)

    def mount(self, session: CheckoutSession, **more: Any) -> None:
        """Mount a payment in the shop's container; `container=None` opens a modal."""
        options = {"container": "#payment"} | more
        wanted = {name: value for name, value in options.items() if value is not None}
        self.page.evaluate(MOUNT, [session.public_id, wanted])

    @property
    def heard(self) -> list[list[Any]]:
        """The calls back so far: the name of each and its values."""
        return self.page.evaluate("() => window.heard")

    def names(self) -> list[str]:
        return [name for name, *_ in self.heard]

    def hears(self, *wanted: str, at_most: int = 30_000) -> None:
        """Wait until the calls back are these, and no others."""
        self.wait_until(lambda: self.names() == list(wanted), at_most=at_most)
        assert self.names() == list(wanted), (self.heard, self.said)

    def frame(self) -> Frame:
        """Return the payment page in its frame, once it shows something."""
        found = self.page.locator("iframe").element_handle().content_frame()
        assert found
        found.wait_for_selector("h1")
        return found

    def height(self) -> float:
        """Return the height of the payment page's frame."""
        return self.page.locator("iframe").evaluate("at => at.getBoundingClientRect().height")

    def nonce(self) -> str:
        src = self.page.locator("iframe").get_attribute("src")
        return str(src).partition("#n=")[2]


def shop_page(body: str = BODY, script: str = "") -> str:
    """Return a page that loads the widget."""
    script = script or widget.snippet()
    return f"<!doctype html><html lang=en><title>Shop</title>{script}<body><main>{body}</main>"


def open_session(business: Business) -> CheckoutSession:
    return committed(checkout.open_session, business, "Two grinders", PRICE)


def pay(session: CheckoutSession, amount: int) -> None:
    committed(checkout.pay, session, amount)


At = Callable[..., Shop]
