"""Files of a structure: what their formats ask for."""

from datetime import date

from onboarding.ownership import exports
from onboarding.ownership.structure import BUSINESS, OwnershipParty, PartyKind
from tests.onboarding.ownership.examples import structure

KETTLE = OwnershipParty(BUSINESS, PartyKind.ENTITY, "Kettle Ltd", "GB", number="09999991")
OWNED = structure(
    "T 40 App; Plc 30 App; Firm 20-25 App; Kim 5.5 App shareholding 60; "
    "Ben - App appointmentOfBoard",
    kinds={"T": "arrangement", "Plc": "listed"}, Plc={"market": "XLON"},
    roles="Q protector T; Kim director App; Ana acts_for Firm",
)  # fmt: skip


def test_bods_has_a_statement_for_each_party_and_relationship():
    made = exports.bods(OWNED, KETTLE, of="app_1", on=date(2026, 11, 29))
    kinds = [one["recordType"] for one in made]

    assert kinds == [
        *(["entity"] * 4), *(["person"] * 4), *(["relationship"] * 8),
    ]  # fmt: skip
    assert len({one["statementId"] for one in made}) == len(made)
    assert {len(one["statementId"]) for one in made} == {64}
    by_record = {one["recordId"]: one["recordDetails"] for one in made}
    assert by_record["app_1-T"]["entityType"] == {"type": "arrangement"}
    assert by_record["app_1-Plc"]["publicListing"] == {"hasPublicListing": True}
    assert by_record["app_1-Kim"]["birthDate"] == "1980-01-31"
    assert [one["interests"] for key, one in by_record.items() if "-h" in key][2:] == [
        [{"type": "shareholding", "directOrIndirect": "direct",
          "share": {"minimum": 20, "maximum": 25}}],
        [{"type": "shareholding", "directOrIndirect": "direct", "share": {"exact": 5.5}},
         {"type": "votingRights", "directOrIndirect": "direct", "share": {"exact": 60}}],
        [{"type": "appointmentOfBoard", "directOrIndirect": "direct"}],
    ]  # fmt: skip
    assert by_record["app_1-r0"]["interestedParty"] == "app_1-Q"


def test_follow_the_money_has_parties_ownerships_and_roles():
    made = {one["id"]: one for one in exports.followthemoney(OWNED, KETTLE, of="app_1")}

    assert made["app_1-business"] == {
        "id": "app_1-business", "schema": "Company",
        "properties": {
            "name": ["Kettle Ltd"], "registrationNumber": ["09999991"], "jurisdiction": ["gb"],
        },
    }  # fmt: skip
    assert made["app_1-Q"]["schema"] == "Person"
    assert made["app_1-h2"]["properties"]["percentage"] == ["20 - 25"]
    assert "percentage" not in made["app_1-h4"]["properties"]
    assert [made[f"app_1-r{number}"]["schema"] for number in range(3)] == [
        "UnknownLink", "Directorship", "Representation",
    ]  # fmt: skip
