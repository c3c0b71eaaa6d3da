"""The payment pages as payers and strangers ask for them."""

import re

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from stdnum import iban

from api.hosted.host import POLICY
from console.accounts.models import Business
from console.shell import qr_codes
from console.shell.headers import ALWAYS
from tests import factories
from tests.api.hosted.payers import CUSTOMER, HOST, Payer, a_shop, open_session, pay
from tests.matrices.pages import PAGES
from tests.proofs import Proven, proof
from tests.shell.test_stylesheet import raw_colours

UNKNOWN = "cs_" + "0" * 26
CANARIES = (*CUSTOMER.values(), "REFERENCE-CANARY", "metadata-canary")
ALL = ("", "/embed", "/state")
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": POLICY + "'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ALWAYS["Permissions-Policy"] + ", clipboard-write=(self)",
    "Referrer-Policy": "strict-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
}


def test_a_page_shows_how_to_pay_and_nothing_about_the_payer(shop, payer):
    session = open_session(shop)
    for path in ALL:
        answer = payer.get(f"/checkout/{session['id']}{path}")
        assert answer.status_code == 200
        assert [canary for canary in CANARIES if canary in answer.text] == [], path
        assert "1,250.00" in answer.text or path == "/state"
    page = payer.get(f"/checkout/{session['id']}").text
    for name in ("account_number", "account_name", "bank_name"):
        assert session["instructions"][name] in page
    assert "Simulated" in page
    assert "Two espresso grinders" in page


def test_hostile_words_are_escaped(shop, payer):
    session = open_session(shop, description="<script>alert(1)</script>")
    assert "<script>alert" not in payer.get(f"/checkout/{session['id']}").text


@proof("R11", "headers of the checkout host", asked="100 % of answers with every header, no cookie")
def test_every_answer_has_its_headers_and_no_cookie(proven: Proven, shop):
    session = open_session(shop)["id"]
    payer = Payer(raise_request_exception=False)
    # A browser may send cookies of a parent domain; no answer reads or deletes them.
    payer.cookies.load({"session": "forged", "csrf": "forged", "theme": "dark"})
    paths = [f"/checkout/{one}{path}" for one in (session, UNKNOWN) for path in ALL]
    paths += [f"/pay/tag/{UNKNOWN}", "/", "/%00", "/v1/me", f"/checkout/{session}/", "/sign-in/"]
    answers = {
        (path, method): payer.generic(method, path)
        for path in paths
        for method in ("GET", "HEAD", "POST", "OPTIONS")
    }
    wrong: list[tuple[str, str, object]] = []
    for (path, method), answer in answers.items():
        embeds = path == f"/checkout/{session}/embed" and method in ("GET", "HEAD")
        wanted = HEADERS | ({} if embeds else {"X-Frame-Options": "DENY"})
        is_state = path == f"/checkout/{session}/state" and method in ("GET", "HEAD")
        wanted |= {"Cache-Control": "private, no-store"} if is_state else {}
        wrong += [(path, method, n) for n, v in wanted.items() if answer.headers.get(n) != v]
        wrong += [(path, method, "may be framed")] if embeds and "X-Frame-Options" in answer else []
        wrong += [(path, method, "cookie")] if answer.cookies else []
        wrong += [(path, method, answer.status_code)] if answer.status_code >= 500 else []
    good = len(answers) - len({(path, method) for path, method, _ in wrong})
    proven.reached(f"{good} of {len(answers)} answers", met=not wrong, wrong=wrong)


def test_the_checkout_host_serves_no_page_of_the_console(payer):
    plain = [page.at({}) for page in PAGES if not page.parameters]
    answers = [payer.get(path) for path in [*plain, "/v1/me", "/sandbox/v1/me", "/healthz"]]
    assert len(answers) > 30
    assert {answer.status_code for answer in answers} == {404}
    assert not any("nav" in re.findall(r"<(\w+)", answer.text) for answer in answers)


def test_the_console_serves_no_payment_page(client, shop):
    session = open_session(shop)["id"]
    for path in ALL:
        assert client.get(f"/checkout/{session}{path}").status_code == 404


def test_static_files_are_served_there(payer):
    response = payer.get("/static/checkout/checkout.css")
    assert response.status_code == 200
    response.close()


@pytest.mark.parametrize(
    "session", [UNKNOWN, "cs_", "CS_X", "..", "%2e%2e", "é" * 40, "x" * 4000, "%00", "a%00b", "'--"]
)
def test_unknown_and_malformed_ids_get_the_same_page(payer, session):
    expected = payer.get(f"/checkout/{UNKNOWN}")
    assert expected.status_code == 404
    for path in ALL:
        answer = payer.get(f"/checkout/{session}{path}")
        assert (answer.status_code, answer.text) == (404, expected.text)
    assert payer.get(f"/pay/tag/{session}").text == expected.text


def test_another_shop_is_not_shown(shop, api, payer):
    ours, theirs = open_session(shop), open_session(a_shop(api), amount="777.00")
    pay(shop, ours, "100.00")
    for path in ALL:
        seen = payer.get(f"/checkout/{theirs['id']}{path}").text
        assert "100.00" not in seen
        assert ours["instructions"]["account_number"] not in seen


ENDS = {
    "paid": ("Thank you", "/thanks"),
    "underpaid": ("arrived in time", "/basket"),
    "expired": ("No payment counted", "/basket"),
    "cancelled": ("cancelled this payment request", "/basket"),
}


@pytest.mark.parametrize("end", ENDS)
def test_an_ended_session_hides_the_account_and_leads_back(shop, payer, end):
    session = open_session(shop)
    if end in ("paid", "underpaid"):
        pay(shop, session, "1300.00" if end == "paid" else "50.00")
    if end in ("underpaid", "expired"):
        shop.do("checkout_sessions.expire", session["id"])
    if end == "cancelled":
        shop.do("checkout_sessions.cancel", session["id"])
    words, back = ENDS[end]
    page = payer.get(f"/checkout/{session['id']}").text
    assert words in page
    assert session["instructions"]["account_number"] not in page
    (link,) = re.findall(r'<a class="go"[^>]*>[^<]*</a>', page)
    assert f'href="https://shop.example{back}"' in link
    assert 'rel="noreferrer"' in link
    assert "Go to shop.example" in link
    assert "http-equiv" not in page


def test_late_money_is_shown_as_held(shop, payer):
    session = open_session(shop)
    shop.do("checkout_sessions.expire", session["id"])
    pay(shop, session, "50.00")
    assert "50.00 NGN are held" in payer.get(f"/checkout/{session['id']}").text


def test_the_last_payments_are_listed(shop, payer):
    session = open_session(shop)
    for number in range(1, 23):
        pay(shop, session, f"{number}.00")
    assert len(payer.state(session["id"]).json()["payments"]) == 20
    page = payer.get(f"/checkout/{session['id']}").text
    assert page.count("<li>") == 20
    assert "22.00" in page
    assert "Still to pay" in page


def test_a_suspended_business_cannot_be_paid(shop, payer):
    session = open_session(shop)
    factories.change(Business.objects.all(), status="suspended")
    page = payer.get(f"/checkout/{session['id']}").text
    assert "Do not pay now" in page
    assert "Pay by" not in page
    assert "data-left" not in page
    assert session["instructions"]["account_number"] not in page


def test_a_tag_has_its_exact_amount_and_says_that_it_is_off(shop, payer):
    session = open_session(shop, method="service_tag", amount="1250.50")
    tag = session["instructions"]["service_pay_url"].rpartition(f"{HOST}")[2]
    path = tag[tag.index("/") :]
    assert path.startswith("/pay/tag/tag_")
    page = payer.get(path).text
    assert "1,250.50" in page
    assert "You cannot pay by service tag yet." in page
    assert "data-left" not in page


def test_an_address_of_an_asset_is_shown_with_its_network(shop, payer):
    session = open_session(shop, method="crypto", currency="USDC", amount="25.00")
    page = payer.get(f"/checkout/{session['id']}").text
    assert session["instructions"]["address"] in page
    assert session["instructions"]["networks"][0] in page
    assert str(qr_codes.svg(session["instructions"]["address"])) in page
    assert 'aria-label="QR code of the address"' in page
    assert " style=" not in page


def test_an_account_in_euros_has_an_iban_in_groups_copied_without_them(shop, payer):
    session = open_session(shop, currency="EUR")
    number = session["instructions"]["account_number"]
    page = payer.get(f"/checkout/{session['id']}").text

    assert iban.is_valid(number)
    assert number == iban.compact(number)
    assert "<dt>IBAN</dt>" in page
    assert f">{iban.format(number)}</span>" in page
    assert f'data-copy="{number}"' in page
    assert f'data-copy="{session["instructions"]["account_name"]}"' in page
    assert "qr-code" not in page


def test_a_page_that_is_not_due_takes_no_lock(shop, payer):
    session = open_session(shop)["id"]
    with CaptureQueriesContext(connection) as queries:
        payer.get(f"/checkout/{session}")
        payer.state(session)
    assert not [query for query in queries if "FOR " in query["sql"]]


# Bytes of each file, before compression.
BUDGETS = {"checkout.css": 8 * 1024, "checkout.js": 6 * 1024, "frame.js": 6 * 1024}


def test_the_files_of_the_pages_are_small_and_name_the_consoles_colours():
    folder = settings.ROOT / "static" / "checkout"
    sizes = {file.name: file.stat().st_size for file in folder.iterdir()}
    assert sizes.keys() == BUDGETS.keys()
    assert [name for name, size in sizes.items() if size > BUDGETS[name]] == []
    assert raw_colours((folder / "checkout.css").read_text()) == []


def test_nothing_in_a_frame_can_be_clicked_that_moves_money(shop, payer):
    """A parent may lay anything over the frame, so it has copy buttons only."""
    session = open_session(shop)["id"]
    for path in ("/embed", ""):
        page = payer.get(f"/checkout/{session}{path}").text
        buttons = re.findall(r"<button[^>]*>", page)
        assert len(buttons) >= 3
        assert all('type="button"' in one and "data-copy=" in one for one in buttons)
        assert not re.search(r"<(form|input|select|textarea)\b", page)
        assert all(
            link.startswith("mailto:") for link in re.findall(r'<a[^>]* href="([^"]*)"', page)
        )
        assert payer.post(f"/checkout/{session}{path}").status_code == 405


def test_a_frame_lets_payers_compare_what_a_parent_may_imitate(shop, payer):
    """No frame can keep its parent from painting another account number beside it."""
    session = open_session(shop)
    frame = payer.get(f"/checkout/{session['id']}/embed").text
    name = Business.objects.get().name
    for told in (session["instructions"]["account_number"], "1,250.00", name):
        assert told in frame
    assert "Compare the name with the one that your bank or wallet shows." in frame
