"""A deprecated version says so in every response, and is refused after its sunset."""

from datetime import timedelta

import pytest
from django.urls import reverse

from api import versioning
from api.versioning import LATEST, ApiVersion
from apikeys.models import Grant
from console.core import clock
from tests.apikeys import world

ME = "/sandbox/v1/me"
NAMES = ("Deprecation", "Sunset", "Link")
OLD = "2025-01-15"


@pytest.fixture
def old(monkeypatch):
    """A version for these tests: deprecated, but still served for a while."""
    began = clock.now().replace(microsecond=0)
    version = ApiVersion(OLD, began - timedelta(days=30), began + timedelta(days=400))
    monkeypatch.setitem(versioning.VERSIONS, OLD, version)
    return version


@pytest.fixture
def plain():
    return world.a_key()[1]


def said(reply):
    return {name: reply.headers.get(name) for name in NAMES}


@pytest.mark.parametrize("asked", [LATEST, f"{LATEST} ", f"\t{LATEST} \t"])
def test_a_version_that_is_served_says_nothing(api, plain, asked):
    reply = api.get(ME, plain, HTTP_SERVICE_VERSION=asked)
    assert (reply.status, set(said(reply).values())) == (200, {None})


@pytest.mark.parametrize("path", [ME, "/sandbox/v1/balances"])
def test_a_deprecated_version_says_since_when_until_when_and_where(api, plain, old, path, settings):
    reply = api.get(path, plain, HTTP_SERVICE_VERSION=OLD)

    page = f"{settings.BASE_URL}{reverse('api:versions')}"
    assert reply.status == 200
    assert reply.headers["Service-Version"] == OLD
    assert reply.headers["Deprecation"] == f"@{int(old.deprecated_at.timestamp())}"
    assert reply.headers["Sunset"] == f"{old.sunset_at:%a, %d %b %Y %H:%M:%S} GMT"
    for relation in ("deprecation", "sunset"):
        assert f'<{page}>; rel="{relation}"' in reply.headers["Link"]


def test_a_business_that_is_pinned_to_it_hears_of_it_too(api, old):
    key, plain = world.a_key()
    Grant.objects.filter(pk=key.grant.pk).update(api_version=OLD)

    pinned = api.get(ME, plain)
    assert pinned.headers["Deprecation"].startswith("@")
    assert pinned.json["api_version"] == {
        "pinned": OLD,
        "used": OLD,
        "latest": LATEST,
        "sunset": old.sunset_at.date().isoformat(),
    }
    newest = api.get(ME, plain, HTTP_SERVICE_VERSION=LATEST)
    assert set(said(newest).values()) == {None}


def test_a_refusal_in_a_deprecated_version_says_it_too(api, plain, old):
    reply = api.get("/sandbox/v1/balances", plain, "limit=0", HTTP_SERVICE_VERSION=OLD)

    assert reply.status == 422
    assert reply.headers["Deprecation"].startswith("@")


def test_after_its_end_a_version_is_refused(api, plain, monkeypatch):
    over = ApiVersion(OLD, clock.now() - timedelta(days=400), clock.now() - timedelta(days=1))
    monkeypatch.setitem(versioning.VERSIONS, OLD, over)

    reply = api.get(ME, plain, HTTP_SERVICE_VERSION=OLD)
    assert (reply.status, reply.code) == (400, "VALIDATION_ERROR")
    assert reply.json["reason"] == "version_sunset"
    assert reply.json["errors"][0]["allowed"] == [LATEST]


def test_the_page_tells_of_it(client, old):
    page = client.get(reverse("api:versions")).content.decode()

    row = page.partition(f'class="mono">{OLD}</th>')[2].partition("</tr>")[0]
    assert "Deprecated" in row
    assert old.sunset_at.strftime("%b %Y") in row
    assert f'class="mono">{LATEST}</th>' in page
    assert reverse("api:versions") == versioning.PAGE
