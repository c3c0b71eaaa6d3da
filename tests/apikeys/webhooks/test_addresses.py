"""Forbidden endpoint URLs are refused on input where that can be known."""

import socket

import pytest

from apikeys.webhooks import addresses
from apikeys.webhooks.addresses import AddressRefused
from tests.core.hostile_addresses import ANSWERS, MALFORMED, SPELLED


def test_a_forbidden_or_malformed_address_is_refused_in_every_spelling():
    for given in [*SPELLED, *MALFORMED]:
        with pytest.raises(AddressRefused):
            addresses.read(given.replace("PORT", "8443"))


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("HTTPS://Hooks.Example.COM", "https://hooks.example.com/"),
        ("https://hooks.example.com:8443/a?b=c", "https://hooks.example.com:8443/a?b=c"),
        ("https://bücher.example/é", "https://xn--bcher-kva.example/%C3%A9"),
        ("https://a.example/{1}|%C3?q[]=é", "https://a.example/%7B1%7D%7C%C3?q%5B%5D=%C3%A9"),
        ("https://аррӏе.com/", "https://xn--80ak6aa92e.com/"),
        ("https://8.8.8.8/", "https://8.8.8.8/"),
        ("https://[2606:4700::1111]/", "https://[2606:4700::1111]/"),
        ("https://[2606:4700:0:0::1111]:8443/", "https://[2606:4700::1111]:8443/"),
    ],
)
def test_an_address_is_kept_in_one_form_that_reads_as_itself(given, kept):
    assert addresses.read(given) == kept
    assert addresses.read(kept) == kept


@pytest.mark.parametrize("path", ["/{id}", "/hooks?for={{id}}", "/%7Bevent%7D"])
def test_a_placeholder_is_named(path):
    with pytest.raises(AddressRefused, match="We do not fill in placeholders such as"):
        addresses.read(f"https://hooks.example.com{path}")


@pytest.mark.parametrize("answers", ANSWERS.values(), ids=ANSWERS)
def test_a_name_that_leads_to_a_forbidden_address_is_refused(monkeypatch, answers):
    found = [(None, None, None, "", (one, 0)) for one in answers]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    with pytest.raises(AddressRefused):
        addresses.refuse_forbidden("https://hooks.example.com/")


@pytest.mark.parametrize("answers", [["8.8.8.8"], ["8.8.8.8", "2606:4700::1111"]])
def test_a_public_name_is_accepted(monkeypatch, answers):
    found = [(None, None, None, "", (one, 0)) for one in answers]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    addresses.refuse_forbidden("https://hooks.example.com/")


def test_a_name_that_is_not_found_yet_is_accepted(monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "not found")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    addresses.refuse_forbidden("https://soon.example.com/")


@pytest.mark.parametrize("host", ["console.example.com", "api.example.com"])
def test_our_own_hosts_are_refused(settings, host):
    settings.BASE_URL, settings.ALLOWED_HOSTS = "https://console.example.com", ["api.example.com"]
    with pytest.raises(AddressRefused):
        addresses.read(f"https://{host}/")
