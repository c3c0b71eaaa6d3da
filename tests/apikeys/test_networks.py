"""Networks of an allowlist: valid ones, their width, and which addresses match."""

import pytest

from apikeys import allowed_networks
from apikeys.allowed_networks import UnusableNetwork


@pytest.mark.parametrize(
    ("typed", "kept", "addresses"),
    [
        ("203.0.113.7", "203.0.113.7/32", 1),
        (" 198.51.100.0/24 ", "198.51.100.0/24", 256),
        ("2a01:4f8::/32", "2a01:4f8::/32", 2**96),
        ("2A01:04F8:0:0::1", "2a01:4f8::1/128", 1),
    ],
)
def test_it_is_kept_in_one_form(typed, kept, addresses):
    network = allowed_networks.parse(typed, "sandbox")
    assert str(network) == kept
    assert allowed_networks.covers(kept) == addresses


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("example.com", "is not a network"),
        ("203.0.113.7/33", "is not a network"),
        ("203.0.113.7/24", "Did you mean 203.0.113.0/24?"),
        ("0.0.0.0/0", "covers every address"),
        ("::/0", "covers every address"),
        ("::ffff:203.0.113.7", "as an IPv4 address"),
        ("fe80::1%eth0", "Leave out the zone"),
        ("224.0.0.1", "Calls cannot come from"),
        ("64:ff9b::cb00:7107", "Enter 203.0.113.7."),
        ("64:ff9b::203.0.113.0/120", "Enter 203.0.113.0/24."),
        ("64:ff9b::/96", "contains IPv4 addresses"),
        ("64:ff9b:1:2::1", "contains IPv4 addresses"),
        ("64:ff9b::/32", "contains IPv4 addresses"),
        ("2002:cb00:7107::1", "Enter 203.0.113.7."),
        ("2002:cb00:7107::/48", "Enter 203.0.113.7."),
        ("2002::/16", "contains IPv4 addresses"),
        ("2001:0:4136:e378:8000:63bf:3fff:fdd2", "contains IPv4 addresses"),
        ("::cb00:7107", "Enter 203.0.113.7."),
        ("::ffff:0:cb00:7107", "Enter 203.0.113.7."),
    ],
)
def test_what_is_none_is_told_in_words(typed, words):
    with pytest.raises(UnusableNetwork, match=words.replace("?", r"\?")):
        allowed_networks.parse(typed, "sandbox")


@pytest.mark.parametrize(
    "typed", ["127.0.0.1", "10.1.0.0/16", "192.168.1.0/24", "::1", "fd00::/64"]
)
def test_private_networks_are_of_the_sandbox_alone(typed):
    assert allowed_networks.parse(typed, "sandbox")
    with pytest.raises(UnusableNetwork, match="not a public network"):
        allowed_networks.parse(typed, "live")


def test_a_demonstration_calls_live_from_its_own_machine(settings):
    settings.LIVE_NETWORKS_ALLOW_CIDRS = ["127.0.0.0/8", "::1/128"]
    assert allowed_networks.parse("127.0.0.1", "live")
    assert allowed_networks.parse("::1", "live")
    for typed in ("10.1.0.0/16", "126.0.0.0/7", "fd00::/64"):
        with pytest.raises(UnusableNetwork):
            allowed_networks.parse(typed, "live")


@pytest.mark.parametrize(
    ("typed", "wide"),
    [("81.2.0.0/16", False), ("81.2.0.0/15", True), ("2a01:4f8::/32", False), ("2a00::/31", True)],
)
def test_it_knows_what_is_too_wide(typed, wide):
    assert allowed_networks.is_wide(allowed_networks.parse(typed, "live")) is wide


@pytest.mark.parametrize(
    ("environment", "business", "key", "refusing"),
    [
        ("sandbox", (), (), ""),
        ("live", (), (), "missing"),
        ("live", ("81.2.0.0/16",), (), ""),
        ("sandbox", ("81.2.0.0/16",), ("81.2.3.0/24",), ""),
        ("sandbox", ("81.3.0.0/16",), ("81.2.3.0/24",), "business"),
        ("sandbox", ("81.2.0.0/16",), ("81.2.4.0/24",), "key"),
        ("live", (), ("81.2.3.4/32",), ""),
        ("sandbox", ("2a01:4f8::/32",), (), "business"),
    ],
)
def test_both_lists_must_hold(environment, business, key, refusing):
    found = allowed_networks.refusing(
        "81.2.3.4", environment=environment, business=business, key=key
    )
    assert found == refusing


@pytest.mark.parametrize("address", ["", "nonsense", "1.2.3"])
def test_an_address_that_cannot_be_read_is_in_no_network(address):
    assert allowed_networks.match(address, ("0.0.0.0/1", "::/1")) is None


def test_matching_names_the_network():
    listed = ("10.0.0.0/8", "2a01:4f8::/32")
    assert allowed_networks.match("10.255.255.255", listed) == "10.0.0.0/8"
    assert allowed_networks.match("2a01:4f8:ffff::1", listed) == "2a01:4f8::/32"
    assert allowed_networks.match("11.0.0.0", listed) is None
