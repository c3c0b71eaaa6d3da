"""Every boundary of the table of forbidden addresses."""

import ipaddress

import pytest

from console.core import egress

# Some versions of the standard library call these global.
CALLED_GLOBAL = [
    "224.0.0.1", "239.255.255.250", "ff02::1", "::7f00:1", "::ffff:0:7f00:1", "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe", "fec0::1", "3fff::1", "5f00::1", "192.88.99.1", "2002:7f00:1::",
    "64:ff9b:1::1", "2001:20::1",
]  # fmt: skip
NO_ADDRESSES = [
    "", "localhost", "127.1", "2130706433", "0x7f.1", "0177.0.0.1", "127.0.0.1.", "１２７.０.０.１",
    "8.8.8.8%1", "2606:4700::1111%eth0", "[2606:4700::1111]", " 8.8.8.8", "8.8.8.8\n", "008.8.8.8",
]  # fmt: skip


def test_what_is_no_address_or_called_global_by_the_standard_library_is_denied():
    assert [one for one in [*CALLED_GLOBAL, *NO_ADDRESSES] if egress.allows(one)] == []


@pytest.mark.parametrize("network", [*egress._DENIED_V4, *egress._DENIED_V6], ids=str)
def test_a_denied_network_is_denied_from_its_first_address_to_its_last(network):
    assert not egress.allows(str(network[0]))
    assert not egress.allows(str(network[-1]))
    if isinstance(network, ipaddress.IPv4Network):
        assert not egress.allows(f"::ffff:{network[0]}")


@pytest.mark.parametrize(
    "address",
    [
        "8.8.8.8", "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
        "126.255.255.255", "128.0.0.0", "172.15.255.255", "172.32.0.0", "198.17.255.255",
        "198.20.0.0", "223.255.255.255", "::ffff:8.8.8.8", "2606:4700::1111", "2001:200::1",
        "2001:db7:ffff::1", "2001:db9::1", "2003::1", "3ffe:ffff::1", "3fff:1000::1",
    ],
)  # fmt: skip
def test_what_is_public_is_allowed_up_to_the_edges(address):
    assert egress.allows(address)


def test_what_is_excepted_is_allowed_in_both_spellings_and_nothing_beside_it(settings):
    settings.WEBHOOK_EGRESS_ALLOW_CIDRS = ["127.0.0.1/32"]

    assert egress.allows("127.0.0.1")
    assert egress.allows("::ffff:127.0.0.1")
    assert not egress.allows("127.0.0.2")
    assert not egress.allows("::1")
