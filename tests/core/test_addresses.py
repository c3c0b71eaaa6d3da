"""Client addresses: only the proxies in the settings are trusted."""

import pytest

from console.core import addresses

PROXY, STRANGER = "10.0.0.7", "203.0.113.5"


@pytest.fixture(autouse=True)
def _behind_a_proxy(settings):
    settings.TRUSTED_PROXIES = ["10.0.0.0/24"]
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    settings.SECURE_SSL_REDIRECT = True


def test_who_counts_as_a_proxy_is_a_setting(settings):
    assert addresses.is_proxy(PROXY)
    assert addresses.is_proxy(f"::ffff:{PROXY}")
    assert not addresses.is_proxy(STRANGER)
    assert not addresses.is_proxy("")
    settings.TRUSTED_PROXIES = []
    assert not addresses.is_proxy(PROXY)


@pytest.mark.parametrize(("peer", "status"), [(PROXY, 200), (STRANGER, 301), ("", 301)])
def test_only_a_proxy_says_that_a_request_came_by_tls(client, peer, status):
    said = {"x-forwarded-proto": "https", "x-forwarded-for": "198.51.100.1"}
    assert client.get("/sign-in/", headers=said, REMOTE_ADDR=peer).status_code == status
