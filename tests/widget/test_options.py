"""What `mount()` takes, and what it survives: wrong options, and the shop's own mistakes."""

import pytest

from tests.widget import shops
from tests.widget.shops import PRICE, SHOP, At, Shop

pytestmark = pytest.mark.browser
OK = '"cs_" + "0".repeat(26)'
# Evaluates to the name of what `mount()` throws, and to how many frames are left on the page.
TRIED = """(mount) => {
  let thrown = "nothing";
  try { mount(); } catch (error) { thrown = error.constructor.name; }
  return [thrown, document.querySelectorAll("iframe").length];
}"""
WRONG = {
    "nothing": "",
    "null": "null",
    "text": OK,
    "no session": "{}",
    "a number": "{sessionId: 7}",
    "an array": f"{{sessionId: [{OK}]}}",
    "a path": '{sessionId: "../" + "0".repeat(26)}',
    "more path": f'{{sessionId: {OK} + "/../x"}}',
    "a line break": f'{{sessionId: {OK} + "\\n"}}',
    "javascript:": '{sessionId: "javascript:alert(1)"}',
    "upper case": '{sessionId: "cs_" + "A".repeat(26)}',
    "ten kB": '{sessionId: "cs_" + "0".repeat(10_000)}',
    "an inherited session": f"Object.create({{sessionId: {OK}}})",
    "a session of __proto__": f"{{__proto__: {{sessionId: {OK}}}}}",
    "text as a callback": f'{{sessionId: {OK}, onStatus: "alert(1)"}}',
    "null as a callback": f"{{sessionId: {OK}, onClose: null}}",
    "no match": f'{{sessionId: {OK}, container: "#none"}}',
    "two matches": f'{{sessionId: {OK}, container: "p"}}',
    "no selector": f'{{sessionId: {OK}, container: "#"}}',
    "null as container": f"{{sessionId: {OK}, container: null}}",
    "an input": f'{{sessionId: {OK}, container: "input"}}',
    "a text area": f'{{sessionId: {OK}, container: "textarea"}}',
    "a frame": f'{{sessionId: {OK}, container: "iframe"}}',
    "the document": f"{{sessionId: {OK}, container: document}}",
    "text node": f"{{sessionId: {OK}, container: document.querySelector('p').firstChild}}",
    "removed": f"{{sessionId: {OK}, container: document.createElement('div')}}",
    "a shadow host": f'{{sessionId: {OK}, container: "#host"}}',
}
PAGE = """<p>One</p><p>Two</p><input><textarea></textarea><div id="host"></div>
<div id="payment"></div><div id="second"></div>"""


@pytest.fixture
def shop(at: At) -> Shop:
    """A shop with elements that can be no container."""
    shop = at(SHOP, PAGE)
    shop.go("/").evaluate("() => void document.querySelector('#host').attachShadow({mode: 'open'})")
    return shop


def test_wrong_options_throw_at_once_and_leave_nothing(shop: Shop):
    found = {
        name: shop.page.evaluate(f"() => ({TRIED})(() => ServiceCheckout.mount({options}))")
        for name, options in WRONG.items()
    }
    assert found == {name: ["TypeError", 0] for name in WRONG}


def test_a_polluted_prototype_adds_no_option(shop: Shop, session):
    polluted = """([mount, id]) => {
      window.heard = [];
      Object.prototype.onStatus = () => heard.push(["polluted"]);
      Object.prototype.container = "#second";
      ServiceCheckout.mount({sessionId: id});
    }"""
    shop.page.evaluate(polluted, ["", session.public_id])
    assert shop.page.get_by_role("dialog").count() == 1
    shop.frame()
    shop.page.wait_for_timeout(500)
    assert shop.heard == []


def test_callbacks_that_throw_do_not_stop_the_others(shop: Shop, session):
    shop.page.evaluate(
        """(sessionId) => {
          window.heard = [];
          window.reported = [];
          addEventListener("error", (event) => reported.push(event.message));
          ServiceCheckout.mount({sessionId, container: "#payment",
            onStatus() { heard.push(["onStatus"]); throw new Error("of the shop"); },
            onSuccess() { heard.push(["onSuccess"]); return new Promise(() => {}); },
          });
        }""",
        session.public_id,
    )
    shop.hears("onStatus")
    shops.pay(session, PRICE)
    shop.hears("onStatus", "onStatus", "onSuccess")
    assert shop.page.evaluate("() => reported") == ["Uncaught Error: of the shop"] * 2


def test_a_second_mount_replaces_the_first(shop: Shop, session, business):
    other = shops.open_session(business)
    shop.mount(session)
    shop.hears("onStatus")
    shop.mount(other)
    shop.hears("onStatus", "onStatus")
    assert shop.page.locator("iframe").count() == 1
    assert shop.page.locator(f"iframe[src*={other.public_id}]").count() == 1
    shops.pay(session, PRICE)
    shops.pay(other, PRICE)
    shop.hears("onStatus", "onStatus", "onStatus", "onSuccess")


def test_two_containers_have_a_payment_each(shop: Shop, session, business):
    shop.mount(session)
    shop.mount(shops.open_session(business), container="#second")
    shop.hears("onStatus", "onStatus")
    assert shop.page.locator("iframe").count() == 2


def test_a_second_modal_replaces_the_first_and_scrolling_returns(shop: Shop, session, business):
    shop.mount(session, container=None)
    shop.mount(shops.open_session(business), container=None)
    assert shop.page.get_by_role("dialog").count() == 1
    shop.hears("onStatus")
    shop.page.evaluate("() => payment.unmount()")
    assert shop.page.evaluate("() => document.documentElement.style.overflow") == ""


def test_unmounting_while_it_loads_leaves_nothing(shop: Shop, session):
    shop.page.clock.install()
    shop.mount(session)
    shop.page.evaluate("() => payment.unmount()")
    shop.page.clock.run_for(20_000)
    shop.page.wait_for_timeout(500)
    assert shop.heard == []
    assert shop.page.evaluate("() => document.querySelector('#payment').innerHTML") == ""


def test_a_callback_may_mount_again(shop: Shop, session, business):
    other = shops.open_session(business)
    shop.page.evaluate(
        """([first, second]) => {
          window.heard = [];
          const container = "#payment";
          const onStatus = () => heard.push(["second"]);
          ServiceCheckout.mount({sessionId: first, container, onStatus() {
            heard.push(["first"]);
            ServiceCheckout.mount({sessionId: second, container, onStatus});
          }});
        }""",
        [session.public_id, other.public_id],
    )
    shop.hears("first", "second")
    assert shop.page.locator("iframe").count() == 1
