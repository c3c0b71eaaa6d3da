"""OTC orders, crypto addresses and withdrawals."""

import pytest

from api.payments import reconciliation
from api.payments.models import Balance, CryptoAddress, CryptoWithdrawal
from api.providers.blockchains import NETWORKS
from api.providers.simulated import SimulatedProvider
from console.accounts.actors import SYSTEM
from console.core import ids
from console.core.money import ASSETS
from tests.api.asking import EXAMPLES, ROWS, a_client, pointed, without_request
from tests.api.paying import left

ROOT = "/sandbox/v1"
ORDER = ROWS["POST", "/otc-orders"]
ADDRESS, WITHDRAWAL = ROWS["POST", "/crypto/addresses"], ROWS["POST", "/crypto/withdrawals"]
EVM_ADDRESS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
# As published in the documentation of the networks or of software for them.
GOOD = {
    "ethereum": [EVM_ADDRESS, EVM_ADDRESS.lower()],
    "polygon": [EVM_ADDRESS],
    "bsc": [EVM_ADDRESS],
    "base": [EVM_ADDRESS],
    "tron": ["TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7"],
    "solana": ["EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"],
}
BAD = {
    "ethereum": [EVM_ADDRESS[:-1], EVM_ADDRESS + "0", "0x" + "0" * 40, "0x" + "g" * 40],
    "tron": [
        "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u",
        "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj60",
        "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6",
        "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
    ],
    "solana": [
        "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt",
        "1" * 32,
        "1" * 31,
        "0" * 44,
        "z" * 44,
    ],
}


def order(client, amount="100.000000", **more):
    body = EXAMPLES["otc_orders.create"] | {"currency": "NGN", "amount": amount} | more
    return client.ask(ORDER, "/otc-orders", body)


def withdraw(client, amount="120.500000", **more):
    body = EXAMPLES["crypto_withdrawals.create"] | {"amount": amount} | more
    return client.ask(WITHDRAWAL, "/crypto/withdrawals", body)


# OTC orders --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "naira", "tether"),
    [("buy", "852500.00", "100100.000000"), ("sell", "1147500.00", "99900.000000")],
)
def test_an_order_moves_both_balances(api, client, plain, side, naira, tether):
    reply = order(client, side=side)

    assert reply.status == 201, reply.body
    made = reply.json
    assert (made["status"], made["side"], made["failure"]) == ("completed", side, None)
    assert (made["amount"], made["price"], made["total"]) == ("100.000000", "1475", "147500.00")
    assert left(api, plain) == (naira, "0.00")
    assert left(api, plain, "USDT") == (tether, "0.000000")
    reconciliation.reconcile(by=SYSTEM)
    assert not Balance.objects.filter(last_reconciled_at=None).exists()


def test_an_order_is_of_an_asset_for_a_currency(client):
    for change in [{"asset": "NGN"}, {"currency": "USDC"}, {"side": "hold"}]:
        assert order(client, **change).json["errors"][0]["code"] == "unknown_value"


# Addresses ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asset", "network"),
    [(asset, one.word) for one in NETWORKS.values() for asset in sorted(one.assets - {"cNGN"})],
)
def test_an_address_is_one_of_its_network_and_nobody_elses(api, client, plain, asset, network):
    body = {"asset": asset, "network": network}
    first, second = (client.ask(ADDRESS, "/crypto/addresses", body) for _ in range(2))

    assert (first.status, second.status) == (201, 201), first.body
    assert first.json["address"] != second.json["address"]
    assert NETWORKS[network].form.fits(first.json["address"])
    listed = api.get(f"{ROOT}/crypto/addresses", plain).json["data"]
    assert listed == [without_request(one.json) for one in (second, first)]
    assert api.get(f"{ROOT}/crypto/addresses", a_client()).json["data"] == []


def test_the_sandbox_writes_good_addresses():
    for network in NETWORKS:
        names = [ids.new("adr") for _ in range(200)]
        provider = SimulatedProvider()

        made = [provider.new_address(network, name) for name in names]

        assert all(NETWORKS[network].form.fits(one) for one in made)
        assert made == [provider.new_address(network, name) for name in names]
        assert len(set(made)) == len(made)


def test_every_asset_has_a_network_and_no_network_has_another():
    assert {asset for one in NETWORKS.values() for asset in one.assets} == set(ASSETS)
    assert GOOD.keys() == NETWORKS.keys()


def test_an_asset_that_a_network_does_not_carry_or_nobody_holds_is_refused(client):
    for asset, network in [("USDC", "tron"), ("cNGN", "polygon")]:
        body = {"asset": asset, "network": network}
        said = [client.ask(ADDRESS, "/crypto/addresses", body)]
        said.append(withdraw(client, "1.00", **body, address=GOOD[network][0]))

        assert [(one.status, one.code) for one in said] == [(422, "NO_PROVIDER_ENABLED")] * 2
        assert not CryptoAddress.objects.exists()


# Withdrawals -------------------------------------------------------------------------------------


def test_a_withdrawal_leaves_the_balance(api, client, plain):
    reply = withdraw(client)

    assert reply.status == 201, reply.body
    made = reply.json
    assert (made["status"], made["fee"], made["failure"]) == ("completed", "0.000000", None)
    assert left(api, plain, "USDC") == ("99879.500000", "0.000000")


def test_an_address_of_the_network_is_taken():
    for network, address in [(n, a) for n, found in GOOD.items() for a in found]:
        assert NETWORKS[network].form.fits(address)


def test_what_is_no_address_of_the_network_is_a_mistake(client):
    for network, address in [(n, a) for n, found in BAD.items() for a in found]:
        assert not NETWORKS[network].form.fits(address)
        asset = min(NETWORKS[network].assets)
        reply = withdraw(client, network=network, address=address, asset=asset)
        assert pointed(reply) == ["/address"]
        assert not CryptoWithdrawal.objects.exists()
