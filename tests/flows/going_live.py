"""The end of the walk: from the first sandbox call to a live key, using only pages and HTTP.

The walk completes every item of the checklist. It then undoes each item that a page can undo,
checks the effect on new keys and live calls, and completes the item again.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.urls import reverse

from api.v1.router import OPERATIONS
from tests.apikeys.webhooks.receiving import Receiver, by_the_specification
from tests.flows.walking import Person
from tests.waiting import PATIENCE

LOOPBACK = "127.0.0.0/8,::1/128"
# Settings that allow loopback addresses, so one machine can complete the walk.
HERE = {
    "WEBHOOK_EGRESS_ALLOW_CIDRS": LOOPBACK,
    "WEBHOOK_ALLOW_HTTP": "1",
    "WEBHOOK_PROBE_PAUSE_MS": "0",
    "LIVE_NETWORKS_ALLOW_CIDRS": LOOPBACK,
}
AGREEMENT = "Agreement executed with all approvals"
CHECKS = "Our verification checks"
ENDPOINT, ALLOWLIST = "A verified live webhook endpoint", "An IP allowlist for live"
STANDING = "Business and sandbox active"
BUSINESS = "Lantern Bridge Trading Limited"
OPEN_LINES = """lines => lines.filter(line => !line.hasAttribute('data-done'))
    .map(line => line.querySelector('div').firstChild.textContent.trim())"""
Call = Callable[[str, str], tuple[int, dict[str, Any]]]


def called(product: str) -> str:
    """Return the checklist item that the product's first successful call completes."""
    return f"{product}: one successful sandbox call"


class Checklist:
    """The *Go live* page of a business, as its owner sees it."""

    def __init__(self, owner: Person, business: str) -> None:
        self.owner, self.business = owner, business

    def open_lines(self) -> set[str]:
        page = self.owner.go(f"{self.business}go-live/")
        return set(page.locator("#checklist li").evaluate_all(OPEN_LINES))

    def becomes(self, *lines: str) -> None:
        """Reload until exactly these items are open."""
        for _ in range(int(PATIENCE / 0.5)):
            if (found := self.open_lines()) == set(lines):
                return
            self.owner.page.wait_for_timeout(500)
        raise AssertionError(f"Open are {sorted(found)}, and should be {sorted(lines)}.")

    def refuses_a_key(self) -> bool:
        """Return whether creating a live key is blocked."""
        page = self.owner.go(f"{self.business}keys/new/?environment=live")
        refused = not page.get_by_role("button", name="Create key").count()
        # The browser logs the 409 response itself.
        said = [words for words in self.owner.said if "a status of 409" not in words]
        assert bool(len(self.owner.said) - len(said)) == refused
        self.owner.said[:] = said
        return refused


def before_submission(owner: Person, business: str) -> None:
    """Check that the items which the walk completes later are all open."""
    closed = {AGREEMENT, CHECKS, ENDPOINT, ALLOWLIST, STANDING} - (
        found := Checklist(owner, business).open_lines()
    )
    assert not closed, f"Open are {sorted(found)}, and {sorted(closed)} should be."


@contextmanager
def listening() -> Iterator[Receiver]:
    """Run a webhook receiver that checks signatures as the documentation says."""
    receiver = Receiver(by_the_specification)
    try:
        yield receiver
    finally:
        receiver.shutdown()
        receiver.server_close()


def walk_to_live(
    owner: Person, business: str, plain: str, manager: Person, head: Person, call: Call
) -> str:
    """Complete the checklist, request approval and confirm; return a working live key."""
    lines = Checklist(owner, business)
    products = {called(name) for name in ("Customers", "Store refunds", "Webhooks")}
    lines.becomes(ENDPOINT, ALLOWLIST, *products)

    for product in ("customers", "refunds", "webhooks"):
        listing = next(row for row in OPERATIONS if row.product == product and row.method == "GET")
        assert call(f"/sandbox/v1{listing.path}", plain)[0] == 200
    lines.becomes(ENDPOINT, ALLOWLIST)

    with listening() as receiver:
        endpoint = _create_endpoint(owner, business, receiver)
    lines.becomes(ALLOWLIST)
    _name_networks(owner, business, "127.0.0.1\n::1")
    lines.becomes()

    _be_approved(owner, business, manager, head)
    owner.go(f"{business}go-live/")
    owner.wait_for("Your request is approved")
    owner.press("Confirm and open live")
    owner.press("Confirm and open live")

    live = owner.create_key(business, environment="live")
    status, me = call("/v1/me", live)
    assert (status, me["key"]["environment"]) == (200, "live")
    balances = call("/v1/balances", live)[1]["data"]
    assert {float(one["available"]) for one in balances} == {0.0}
    _undo_and_make_again(lines, endpoint, manager, lambda: call("/v1/me", live)[0])
    return live


def _create_endpoint(owner: Person, business: str, receiver: Receiver) -> str:
    """Create a live endpoint, store its secret in the receiver and verify it; return its URL."""
    page = owner.go(f"{business}webhooks/")
    owner.press("Create live endpoint")
    owner.write(page.locator("[name=url]"), receiver.url)
    owner.tick(page.locator("[name=every]"))
    owner.press("Create endpoint")
    receiver.secret = page.locator("#secret-value").inner_text()
    owner.tick(page.get_by_label("I have stored it safely"))
    owner.press("Done")
    owner.press("Verify")
    owner.wait_for("Correct")
    assert not owner.reads("Wrong")
    return page.url


def _name_networks(owner: Person, business: str, networks: str) -> None:
    page = owner.go(f"{business}networks/")
    owner.click(page.get_by_role("link", name="Change the list for live"))
    owner.write(page.locator("[name=networks]"), networks)
    owner.press("Save the list")


def _be_approved(owner: Person, business: str, manager: Person, head: Person) -> None:
    owner.go(f"{business}go-live/")
    owner.press("Ask to go live")
    owner.press("Send the request")

    page = manager.go("/go-live-requests/")
    manager.click(page.locator("main tbody a"))
    manager.press("Propose")
    manager.write(page.locator("[name=note]"), "They sell coffee equipment, and are ready.")
    manager.press("Propose to the head of compliance")

    page = head.go("/go-live-requests/")
    head.click(page.locator("main tbody a"))
    head.press("Decide")
    head.tick(page.locator("[name=decision][value=approve]"))
    head.write(page.locator("[name=reason]"), "Everything that live takes is there.")
    head.press("Save the decision")


def _undo_and_make_again(
    lines: Checklist, endpoint: str, manager: Person, live_call: Callable[[], int]
) -> None:
    """Undo each item that a page can undo, check new keys and live calls, and redo it."""
    owner, business = lines.owner, lines.business
    business_id = business.strip("/").rpartition("/")[2]
    assert not lines.refuses_a_key()

    _name_networks(owner, business, "")
    lines.becomes(ALLOWLIST)
    assert lines.refuses_a_key()
    assert live_call() == 403  # without an allowlist, live calls are refused
    _name_networks(owner, business, "127.0.0.1\n::1")
    lines.becomes()

    owner.go(endpoint)
    owner.press("Pause")
    lines.becomes(ENDPOINT)
    assert (lines.refuses_a_key(), live_call()) == (True, 200)
    owner.go(endpoint)
    owner.press("Resume and send held events")
    lines.becomes()

    setting = reverse("apikeys:set_module", args=[business_id, "customers"])
    for hand, expected in (("off", ["Customers: available to your business"]), ("automatic", [])):
        page = manager.go(setting)
        manager.tick(page.locator(f"[name=hand][value={hand}]"))
        manager.write(page.locator("[name=reason]"), "They train their staff.")
        manager.press("Save the setting")
        lines.becomes(*expected)
        # Disabling one product does not affect keys for the others.
        assert (lines.refuses_a_key(), live_call()) == (False, 200)

    page = manager.go("/grants/")
    own = page.locator("main tbody tr", has_text=BUSINESS).filter(has_text="Sandbox")
    manager.click(own.get_by_role("link"))
    for press, expected in (("Suspend", [STANDING]), ("Restore", [])):
        manager.write(page.locator("main [name=reason]"), "A question.")
        manager.click(page.locator("main button", has_text=press))
        lines.becomes(*expected)
        assert (lines.refuses_a_key(), live_call()) == (bool(expected), 200)
