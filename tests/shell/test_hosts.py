"""Requests for a foreign host are refused, and forwarded host headers are ignored."""

from django.test import Client
from django.urls import reverse

from tests.matrices.pages import PAGES

EVIL = "evil.example"
OPEN = [page for page in PAGES if page.required.kind == "public"]
# A page that redirects to the sign-in page.
CLOSED = [page for page in PAGES if page.name == "accounts:security"]


def address(page):
    """Return an address of the page, with arbitrary parameters."""
    for anything in ("1", "sandbox"):
        try:
            return reverse(page.name, kwargs=dict.fromkeys(page.parameters, anything))
        except Exception:
            continue
    raise AssertionError(page)


def test_another_host_is_refused_and_a_forwarded_one_leaves_no_trace():
    for page in OPEN + CLOSED:
        for method in ("GET", "POST"):
            answer = Client().generic(method, address(page), headers={"host": EVIL})
            assert answer.status_code == 400
            assert EVIL.encode() not in answer.getvalue()

        forwarded = {"x-forwarded-host": EVIL, "x-host": EVIL, "forwarded": f"host={EVIL}"}
        answer = Client().get(address(page), headers=forwarded)
        assert EVIL not in str(answer.headers)
        assert EVIL.encode() not in answer.getvalue()
