"""The worked examples of the risk model, recomputed line by line."""

import pytest

from onboarding.risk.assess import assess
from onboarding.risk.model import MODELS, Fact
from onboarding.tiers import Tier

# A business without any risk: every fact is known and none adds to the score.
PLAIN = {
    "band_incorporation": 0,
    "band_operating": 0,
    "band_owners": 0,
    "band_corridors": 0,
    "band_worst": 0,
    "corridor_share_bp": 0,
    "age_months": 96,
    "layers": 0,
    "arrangements": ["none"],
    "untraced_bp": 0,
    "owner_found": "yes",
    "ownership_loop": "no",
    "pep": "none",
    "adverse": "none",
    "closed_accounts": "none",
    "standing": "none",
    "other_control": "no",
    "band_industry": 0,
    "products": ["balances", "webhooks", "customers"],
    "counted_products": 1,
    "end_users": "always",
    "monthly_euro_cents": 12_000_000,
    "largest_euro_cents": 400_000,
    "origin": ["bank_transfer"],
    "other_peoples_money": "no",
    "client_money": "no",
    "volume_unexplained": "no",
    "returns_bp": 0,
    "signatory_verified": "remote_liveness",
    "introduced": "directly",
    "downstream": "none",
    "nested": "no",
    "downstream_count": 0,
    "licence": "no",
    "aml": "not_applicable",
    "screening": "not_applicable",
    "card_data": "no",
    "breach": "no",
    "officer_missing": "no",
    "restricted": "no",
    "sanctions_match": "none",
}
MARKETPLACE = {
    "age_months": 14,
    "layers": 1,
    "band_operating": 1,
    "band_corridors": 1,
    "band_worst": 1,
    "band_industry": 1,
    "products": ["checkout", "payouts", "customers"],
    "counted_products": 3,
    "monthly_euro_cents": 60_000_000,
    "largest_euro_cents": 200_000,
    "client_money": "yes",
    "other_peoples_money": "yes",
    "returns_bp": 70,
    "downstream": "sub_other",
    "downstream_count": 400,
    "aml": "untested",
}
PEP_OWNER = {
    "products": ["payouts", "customers"],
    "counted_products": 2,
    "monthly_euro_cents": 8_000_000,
    "largest_euro_cents": 1_500_000,
    "signatory_verified": "in_person",
    "pep": "domestic",
}
REMITTER = {
    "band_incorporation": 1,
    "band_operating": 2,
    "band_owners": 1,
    "band_corridors": 2,
    "band_worst": 2,
    "corridor_share_bp": 4000,
    "age_months": 30,
    "layers": 2,
    "arrangements": ["trust"],
    "band_industry": 3,
    "products": ["remittance", "conversions", "virtual_accounts"],
    "counted_products": 3,
    "monthly_euro_cents": 600_000_000,
    "largest_euro_cents": 900_000,
    "origin": ["cash"],
    "client_money": "yes",
    "other_peoples_money": "yes",
    "introduced": "other",
    "downstream": "sub_regulated",
    "aml": "tested",
}
BLOCKED = {"band_corridors": 3, "restricted": "yes"}
YOUNG_SHOP = {
    "age_months": 5,
    "layers": 1,
    "closed_accounts": "closed",
    "band_operating": 1,
    "band_owners": 1,
    "band_corridors": 2,
    "band_worst": 2,
    "corridor_share_bp": 2000,
    "band_industry": 2,
    "products": ["checkout"],
    "monthly_euro_cents": 30_000_000,
    "largest_euro_cents": 50_000,
    "volume_unexplained": "yes",
    "returns_bp": 120,
    "signatory_verified": "remote_document",
    "introduced": "regulated",
    "card_data": "yes",
}


def outcome(**changes):
    return assess({name: Fact(value) for name, value in (PLAIN | changes).items()}, MODELS.newest())


@pytest.mark.parametrize(
    ("facts", "factors", "score", "by_score", "floors", "tier"),
    [
        ({}, (0, 0, 75, 225, 150, 0), 450, Tier.LOW, [], Tier.LOW),
        (
            MARKETPLACE,
            (500, 500, 600, 750, 1050, 150),
            3550,
            Tier.MEDIUM,
            ["F6"],
            Tier.MEDIUM,
        ),
        (PEP_OWNER, (0, 750, 225, 375, 0, 0), 1350, Tier.LOW, ["F1"], Tier.HIGH),
        (
            REMITTER,
            (1900, 875, 1500, 1425, 900, 0),
            6600,
            Tier.HIGH,
            ["F4", "F6", "F7"],
            Tier.HIGH,
        ),
        (BLOCKED, (1000, 0, 75, 225, 150, 0), 1450, Tier.LOW, [], Tier.PROHIBITED),
        (
            YOUNG_SHOP,
            (1100, 1250, 825, 675, 450, 200),
            4500,
            Tier.HIGH,
            ["F7"],
            Tier.HIGH,
        ),
    ],
    ids=["E1", "E2", "E3", "E4", "E5", "E6"],
)
def test_the_worked_example_comes_out_as_printed(facts, factors, score, by_score, floors, tier):
    found = outcome(**facts)

    assert tuple(factor.x100 for factor in found.factors) == factors
    assert found.score_x100 == score
    assert found.tier_by_score == by_score
    assert [hit.id for hit in found.floors] == floors
    assert found.tier == tier


def test_the_attestation_takes_the_young_shop_below_the_line():
    found = outcome(**YOUNG_SHOP | {"card_data": "no"})

    assert (found.score_x100, found.tier) == (4300, Tier.MEDIUM)
