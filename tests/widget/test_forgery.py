"""Only the frame of the payment, on the checkout host, can call the shop back."""

import json

import pytest
from django.conf import settings

from api.checkout import widget
from tests.widget import shops
from tests.widget.shops import PRICE, SHOP, At, Shop

pytestmark = pytest.mark.browser
NOT_READY = 10_000  # milliseconds
# Sends what a frame may say, to the page around it and to its opener.
SEND = "<script>for (const one of {messages}) parent.postMessage(one, '*');</script>"
READY = {"p": "service-checkout", "v": 1, "type": "ready"}
PAID = [
    {"p": "service-checkout", "v": 1, "type": "status", "status": "paid"},
    {"p": "service-checkout", "v": 1, "type": "success"},
    {"type": "success"},
    "success",
    None,
]
# Answers the port that it gets with a success, once for each.
TAKES_PORTS = """<script>
  onmessage = ({ports}) => ports.forEach((port) => port.postMessage({type: "success"}));
</script>"""


def sends(*messages: object) -> str:
    return SEND.replace("{messages}", json.dumps(messages))


def embed_url(session) -> str:
    return f"{settings.CHECKOUT_ORIGIN}/checkout/{session.public_id}/embed*"


def blocked(shop: Shop) -> None:
    """Nobody called back, and the widget gives up."""
    shop.page.wait_for_timeout(500)
    assert shop.heard == []
    shop.page.clock.run_for(NOT_READY)
    assert shop.heard == [["onError", {"code": "FRAME_BLOCKED"}]]


@pytest.fixture
def shop(at: At, session) -> Shop:
    """A shop whose payment page never answers, so that only forgeries can."""
    shop = at()
    shop.lay(embed_url(session), "<p>Silent</p>")
    shop.lay(f"{SHOP}/", shops.shop_page(), shops.strict("https:", "http:"))
    shop.page.clock.install()
    shop.go("/").evaluate("() => { window.came = 0; addEventListener('message', () => came++); }")
    shop.mount(session)
    return shop


def test_a_silent_frame_is_not_believed(shop: Shop):
    blocked(shop)


def test_the_page_cannot_forge_a_message(shop: Shop):
    messages = [READY | {"nonce": shop.nonce()}, *PAID]
    shop.page.evaluate("messages => messages.forEach((one) => postMessage(one, '*'))", messages)
    blocked(shop)
    assert shop.page.evaluate("() => came") == len(messages)


@pytest.mark.parametrize(
    "origin",
    [
        "",  # the checkout host itself, in another frame
        "http://checkout.localhost:1",
        "https://checkout.localhost.evil.example",
    ],
)
def test_another_frame_cannot_forge_a_message(shop: Shop, origin: str):
    url = f"{origin or settings.CHECKOUT_ORIGIN}/forged"
    forged = sends(READY | {"nonce": shop.nonce()}, *PAID)
    shop.lay(url, TAKES_PORTS + forged)
    shop.page.evaluate(
        """(src) => new Promise((done) => {
          const frame = Object.assign(document.createElement("iframe"), {src, onload: done});
          document.body.append(frame);
        })""",
        url,
    )
    blocked(shop)
    assert shop.page.evaluate("() => came") == 1 + len(PAID)


@pytest.mark.parametrize(
    "wrong",
    [
        {"nonce": "0" * 32},
        {"p": "other"},
        {"type": "success"},
        {"v": "1"},
    ],
)
def test_the_frame_itself_must_know_the_nonce(at: At, session, wrong):
    shop = at()
    known = "const nonce = location.hash.slice(3);"
    message = json.dumps(READY | wrong)
    right = "" if "nonce" in wrong else "nonce, "
    script = f"<script>{known} parent.postMessage({{{right}...{message}}}, '*');</script>"
    shop.lay(embed_url(session), TAKES_PORTS + script + sends(*PAID))
    shop.page.clock.install()
    shop.go("/")
    shop.mount(session)
    blocked(shop)


def test_a_frame_that_went_to_another_site_is_not_believed(at: At, session):
    shop = at()
    shop.lay(f"{SHOP}/", shops.shop_page(), shops.strict(SHOP))
    shop.lay(embed_url(session), f"<script>location = '{SHOP}/forged' + location.hash</script>")
    ready = f"{{...{json.dumps(READY)}, nonce: location.hash.slice(3)}}"
    forged = f"<script>parent.postMessage({ready}, '*');</script>"
    shop.lay(f"{SHOP}/forged*", TAKES_PORTS + forged + sends(*PAID))
    shop.page.clock.install()
    shop.go("/")
    shop.mount(session)
    shop.page.frame_locator("iframe").locator("script").first.wait_for(state="attached")
    blocked(shop)
    assert shop.page.frames[1].url.startswith(f"{SHOP}/forged#n=")


def test_a_second_ready_gets_no_second_port(at: At, session):
    shop = at()
    ready = f"{{...{json.dumps(READY)}, nonce: location.hash.slice(3)}}"
    script = f"<script>for (const _ of [1, 2, 3]) parent.postMessage({ready}, '*');</script>"
    count = """<script>
      let ports = 0;
      onmessage = ({ports: [port]}) => port.postMessage({type: "error", code: `PORT_${++ports}`});
    </script>"""
    shop.lay(embed_url(session), count + script)
    shop.go("/")
    shop.mount(session)
    shop.hears("onError")
    shop.page.wait_for_timeout(500)
    assert shop.heard == [["onError", {"code": "PORT_1"}]]


def test_repeated_messages_of_the_port_call_back_once(at: At, session):
    shop = at()
    ready = f"{{...{json.dumps(READY)}, nonce: location.hash.slice(3)}}"
    script = f"""<script>
      onmessage = ({{ports: [port]}}) => {{
        const status = {{type: "status", status: "paid", outstandingAmountMinor: 0}};
        for (const type of ["status", "success", "unknown", "success", "status"])
          port.postMessage(type === "status" ? status : {{type}});
        for (const height of [-1, 1e9, "9px;", null]) port.postMessage({{type: "resize", height}});
        port.postMessage(null);
      }};
      parent.postMessage({ready}, '*');
    </script>"""
    shop.lay(embed_url(session), script)
    shop.go("/")
    shop.mount(session)
    shop.hears("onStatus", "onSuccess")
    shop.page.wait_for_timeout(300)
    assert shop.names() == ["onStatus", "onSuccess"]
    assert shop.height() == 0


def test_another_version_of_the_protocol_is_reported_to_developers(at: At, session):
    shop = at()
    ready = f"{{...{json.dumps(READY)}, v: 2, nonce: location.hash.slice(3)}}"
    shop.lay(embed_url(session), f"<script>parent.postMessage({ready}, '*');</script>")
    shop.page.clock.install()
    shop.go("/")
    shop.mount(session)
    shop.wait_until(lambda: bool(shop.said))
    assert "too old or too new" in shop.said[0]
    blocked(shop)


# The script ----------------------------------------------------------------------------------


def test_a_copy_on_the_host_of_the_shop_shows_no_payment(at: At, session):
    shop = at()
    copied = '<script src="/copy.js"></script>'
    shop.lay(f"{SHOP}/copy.js", widget.SCRIPTS[widget.LATEST].decode())
    shop.lay(f"{SHOP}/", shops.shop_page(script=copied))
    shop.lay(f"{SHOP}/checkout/**", "<p>Not the payment page</p>")
    shop.page.clock.install()
    shop.go("/")
    shop.mount(session)
    blocked(shop)


def test_a_script_that_was_changed_does_not_run(at: At):
    shop = at()
    changed = widget.SCRIPTS[widget.LATEST].decode() + "// changed"
    shop.lay(widget.url(), changed, **{"Access-Control-Allow-Origin": "*"})
    shop.go("/")
    assert not shop.page.evaluate("() => 'ServiceCheckout' in window")
    assert any("integrity" in said for said in shop.said)


# Pages without an origin ---------------------------------------------------------------------


def test_a_page_without_an_origin_is_refused(at: At, session):
    shop = at(body="")
    inner = f'<iframe sandbox="allow-scripts" src="{SHOP}/sandboxed"></iframe>'
    shop.lay(f"{SHOP}/", inner)
    shop.lay(f"{SHOP}/sandboxed", shops.shop_page(), shops.strict())
    shop.page.clock.install()
    shop.go("/")
    (sandboxed,) = shop.page.frames[1:]
    sandboxed.wait_for_function("() => window.ServiceCheckout")
    sandboxed.evaluate(shops.MOUNT, [session.public_id, {"container": "#payment"}])
    shop.wait_until(lambda: any("frame-ancestors" in said for said in shop.said))
    shops.pay(session, PRICE)
    shop.page.clock.run_for(NOT_READY)
    assert sandboxed.evaluate("() => heard") == [["onError", {"code": "FRAME_BLOCKED"}]]
