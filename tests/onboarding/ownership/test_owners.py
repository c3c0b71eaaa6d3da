"""The worked examples O1 to O11, and what a structure shows beside owners."""

from fractions import Fraction

import pytest

from onboarding.ownership.findings import FindingKind
from onboarding.ownership.interests import percent
from onboarding.ownership.sentences import sentences
from tests.onboarding.ownership.examples import HIGH, UK, findings, interest, met, owned


def test_o1_people_own_the_business_directly():
    found = owned("Ana 60 App; Ben 40 App")

    assert met(found) == {"Ana": ["interest", "control"], "Ben": ["interest"]}
    assert not found.findings
    assert not found.untraced + found.layers
    assert sentences(found)["Ben"] == "Ben holds 40 % directly."


def test_o2_shares_multiply_along_a_chain():
    chain = "Ana 60 HoldCo; Cara 40 HoldCo; HoldCo 50 App; Ben 50 App"
    found = owned(chain)

    assert [interest(found, name) for name in ("Ana", "Cara", "Ben")] == [
        Fraction(30, 100), Fraction(20, 100), Fraction(50, 100),
    ]  # fmt: skip
    assert met(found) == {"Ana": ["interest"], "Ben": ["interest"]}
    assert [one.party.name for one in found.positions if one.is_near] == ["Cara"]
    assert findings(found) == ["deadlock"]
    assert met(owned(chain, HIGH))["Cara"] == ["interest"]
    assert found.layers == 1


def test_o3_no_single_path_is_enough():
    found = owned(
        "Dia 30 X1; Dia 40 Y1; Dia 5 App; X1 50 App; Y1 30 App; o1 70 X1; o2 60 Y1; o3 15 App"
    )

    assert interest(found, "Dia") == Fraction(32, 100)
    assert met(found)["Dia"] == ["interest"]
    assert [interest(found, name) for name in ("o1", "o2", "o3")] == [
        Fraction(35, 100), Fraction(18, 100), Fraction(15, 100),
    ]  # fmt: skip
    assert sentences(found)["Dia"] == (
        "Dia holds 32 %: 15 % through X1 (30 % × 50 %), 12 % through Y1 (40 % × 30 %) "
        "and 5 % directly."
    )


def test_o4_control_does_not_multiply():
    found = owned("Eve 51 A; o1 49 A; A 51 B1; o2 49 B1; B1 51 App; o3 49 App")

    assert percent(interest(found, "Eve")) == "13.2651 %"
    assert met(found)["Eve"] == ["control"]
    assert met(found)["o3"] == ["interest"]
    assert percent(interest(found, "o2")) == "24.99 %"
    near = {one.party.name for one in found.positions if one.is_near}
    assert "o2" in near
    # It owns 49 % of a company that controls the business.
    assert met(found)["o2"] == ["mixed"]
    assert found.layers == 2
    assert sentences(found)["Eve"] == (
        "Eve holds 13.2651 %: 13.2651 % through A and B1 (51 % × 51 % × 51 %). Eve controls A with "
        "51 % of the shares, B1 with 51 % of the shares through A, and the business with 51 % of "
        "the shares through B1."
    )  # fmt: skip


def test_o5_who_controls_a_direct_owner_of_enough_is_an_owner():
    found = owned("Finn 60 H; H 30 App; z 70 App; o1 40 H")

    assert interest(found, "Finn") == Fraction(18, 100)
    assert met(found) == {"Finn": ["mixed"], "z": ["interest", "control"]}


def test_o6_a_loop_is_solved_exactly():
    found = owned("P1 90 H; App 10 H; H 80 App; G 20 App")

    assert (interest(found, "P1"), interest(found, "G")) == (Fraction(18, 23), Fraction(5, 23))
    assert met(found) == {"P1": ["interest", "control"]}
    assert [one.party.name for one in found.positions if one.is_near] == ["G"]
    assert not found.untraced
    assert findings(found) == ["loop"]
    assert found.loops == (frozenset({"business", "H"}),)
    assert sentences(found)["P1"].startswith(
        "P1 holds 78.2609 %: 72 % through H (90 % × 80 %) and 6.2609 % through other paths. "
    )


def test_o7_exactly_on_the_line_the_threshold_decides():
    chain = "Hugo 50 M; K 50 M; M 50 App; Iris 50 App"

    assert set(met(owned(chain))) == {"Hugo", "K", "Iris"}
    assert set(met(owned(chain, UK))) == {"Iris"}


@pytest.mark.parametrize(
    "votes",
    ["Jon 10 App shareholding 60; Kim 90 App", "Jon 10 App; Jon 60 App votingRights; Kim 90 App"],
)
def test_o8_votes_count_like_shares(votes):
    found = owned(votes)
    jon, kim = found.positions

    assert (str(jon.interest), str(jon.votes)) == ("10 %", "60 %")
    assert met(found)["Jon"] == ["interest", "control"]
    # The others have the votes that remain.
    assert (str(kim.interest), str(kim.votes)) == ("90 %", "40 %")


def test_o9_what_nobody_stated_is_untraced():
    found = owned("Lea 40 App")

    assert (found.untraced, findings(found)) == (Fraction(60, 100), ["untraced"])
    assert found.findings[0].says == (
        "60 % of the business is not traced: no owner is given for it."
    )


def test_o10_a_range_counts_until_it_is_narrowed():
    found = owned("Max 20-30 App; Ben 70 App")

    (most,) = [one for one in found.owners if one.party.name == "Max"]
    assert (str(most.interest), most.is_possible) == ("20 % to 30 %", True)
    assert findings(found) == ["untraced", "possible_owner"]
    assert found.untraced == Fraction(10, 100)


def test_o11_everybody_in_a_trust_is_an_owner():
    roles = "S settlor T; Nora trustee T; Q protector T; B beneficiary T"
    found = owned("T 100 App", kinds={"T": "arrangement"}, roles=roles)

    assert interest(found, "T") == 1
    assert met(found) == {
        "S": ["arrangement"],
        "Nora": ["control", "arrangement"],
        "Q": ["arrangement"],
        "B": ["arrangement"],
    }
    assert (found.untraced, found.layers) == (Fraction(0), 1)
    assert not found.findings


def test_a_trust_without_its_people_is_not_traced():
    found = owned("T 100 App", kinds={"T": "arrangement"}, roles="B beneficiary T")

    assert findings(found) == ["untraced", "incomplete_arrangement"]
    assert found.untraced == 1


def test_whoever_controls_a_company_in_a_trust_is_an_owner():
    roles = "S settlor T; Trustees trustee T"
    found = owned("T 30 App; Ben 70 App; Kim 80 Trustees", kinds={"T": "arrangement"}, roles=roles)

    assert met(found)["Kim"] == ["mixed", "arrangement"]


def test_a_set_that_owns_itself_has_no_owner():
    found = owned("A 100 App; B1 100 A; A 0 B1; A 100 B1")

    assert found.untraced == 1
    assert "closed_loop" in findings(found)
    assert found.owners == []
    assert "no_official" in findings(found)


def test_a_nominee_holds_for_the_nominator():
    found = owned("Nora 60 App; Ben 40 App", roles="Nora nominee App; Kim nominator Nora")

    assert met(found)["Kim"] == ["interest", "control"]
    assert "interest" not in met(found).get("Nora", [])
    assert found.untraced == Fraction(0)
    alone = owned("Nora 60 App; Ben 40 App", roles="Nora nominee App")
    assert (alone.untraced, findings(alone)) == (
        Fraction(60, 100),
        ["untraced", "unknown_nominator"],
    )
    assert met(owned("Nora 60 App; Ben 40 App", roles="Nora nominee Kim"))["Kim"]


@pytest.mark.parametrize(
    "interest",
    ["appointmentOfBoard", "controlViaCompanyRulesOrArticles", "otherInfluenceOrControl"],
)
def test_a_right_that_decides_is_control(interest):
    found = owned(f"Ana 100 App; Kim - App {interest}")

    assert met(found)["Kim"] == ["control"]


def test_listed_companies_and_states_need_no_further_tracing():
    kinds = {"Plc": "listed", "Norland": "state"}
    given = "Plc 70 App; Norland 30 App"
    found = owned(given, kinds=kinds, Plc={"market": "XLON"}, roles="Kim director App")

    assert not found.untraced
    assert not found.open_findings
    assert findings(found) == ["no_owner"]
    assert [one.name for one in found.officials] == ["Kim"]
    assert owned(given, kinds=kinds).untraced == Fraction(70, 100)


def test_a_person_without_a_birth_date_and_an_entity_without_owners_are_not_traced():
    found = owned("Ana 60 App; Firm 40 App", Ana={"born": ""}, Firm={"end": "unknown"})

    assert found.untraced == 1
    assert [one.parties for one in found.findings if one.kind == FindingKind.UNTRACED] == [
        ("Ana",), ("Firm",),
    ]  # fmt: skip


def test_more_than_the_whole_is_a_finding():
    found = owned("Ana 60 App; Ben 60 App")

    assert "more_than_all" in findings(found)


def test_whoever_has_control_without_shares_is_traced_too():
    votes = owned("Ana 100 App; Firm 60 App votingRights")

    assert votes.untraced == 0
    assert [one.says for one in votes.open_findings] == [
        "Firm may have control, and is not traced: not all owners of Firm are given."
    ]
    roles = "S settlor T; Trustees trustee T"
    trust = owned("T 100 App", kinds={"T": "arrangement"}, roles=roles)
    assert [one.parties for one in trust.open_findings] == [("Trustees",)]
    assert owned("Ana 100 App; Firm 60 App votingRights; Kim 100 Firm").open_findings == []
