"""Financing: offers depend on the tier and come from a valid file."""

import pytest

from api.payments import financing
from console.publishing.files import FileFault
from tests.apikeys import world

PATH = "/financing"


def offered(api, tier):
    _, plain = world.a_key(
        world.a_grant(products=("financing",), tier=tier), scopes=("financing:read",)
    )
    return api.get(f"/sandbox/v1{PATH}", plain).json["data"]


def test_what_is_offered_follows_the_tier(api):
    low, medium, high = ({one["id"] for one in offered(api, t)} for t in ("LOW", "MEDIUM", "HIGH"))

    assert high < medium < low
    assert high


def test_an_offer_says_what_it_costs_and_how_long_it_lasts(api):
    first = offered(api, "LOW")[0]

    assert first == {
        "id": "fin-ngn-30",
        "object": "financing_offer",
        "currency": "NGN",
        "limit": "2000000.00",
        "fee": "50000.00",
        "term_days": 30,
    }


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"id": "fin-ngn-90"}, "fin-ngn-90 is there twice."),
        ({"currency": "cNGN"}, "no currency that every business holds"),
        ({"term_days": 0}, "for no day"),
        ({"limit": "0.00"}, "no limit or no fee"),
        ({"fee": "much"}, "Enter an amount"),
    ],
)
def test_offers_with_a_fault_are_not_read(change, said):
    found = [vars(one) for one in financing.FILES.newest().offers]
    found[0] = found[0] | change

    with pytest.raises(FileFault, match=said):
        financing.FILES.parse({"version": "2027-01-01", "offers": found})
