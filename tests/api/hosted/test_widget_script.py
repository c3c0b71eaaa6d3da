"""The widget's script as shops load it: any site may read it, and its hash is right."""

import base64
import gzip
import hashlib
import re
from urllib.parse import urlsplit

import pytest

from api.checkout import widget
from tests.api.hosted.payers import Payer

LARGEST = 6_000  # bytes, compressed


def test_any_site_may_load_the_address_in_the_snippet(payer):
    url, integrity = re.findall(r'(?:src|integrity)="([^"]+)"', widget.snippet())
    answer = payer.get(urlsplit(url).path)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    digest = base64.b64encode(hashlib.sha384(answer.content).digest()).decode()
    assert integrity == f"sha384-{digest}"
    assert 'crossorigin="anonymous"' in widget.snippet()
    assert len(gzip.compress(answer.content)) < LARGEST


@pytest.mark.parametrize("path", ["/widget/0/checkout.js", "/widget/999/checkout.js", "/widget/"])
def test_there_are_no_other_versions(payer, path):
    answer = payer.get(path)
    assert answer.status_code == 404
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_the_console_does_not_serve_it(client):
    assert client.get(urlsplit(widget.url()).path).status_code == 404


@pytest.mark.parametrize("path", ["/widget/1/checkout.js", f"/logo/{'0' * 64}.png"])
def test_a_form_is_refused_and_not_broken(path):
    browser = Payer(enforce_csrf_checks=True)
    assert browser.post(path).status_code == 405
