"""The facts alone determine which documents a pack contains, and the trace gives the reasons."""

from typing import Any

import pytest

from agreements.document_templates import selection, template_library
from agreements.document_templates.selection import RULESETS, Ruleset
from console.publishing.files import FileFault
from tests.agreements.document_templates.facts import CROSSING, KIOSK, facts

SCHEDULES = {
    "PS-ACC": {"balances", "virtual_accounts", "savings"},
    "PS-CHK": {"checkout", "refunds", "merchant", "inventory"},
    "PS-REM": {"remittance", "payouts", "payroll"},
    "PS-FX": {"conversions", "otc", "rates"},
    "PS-CRD": {"cards"},
    "PS-DIG": {"crypto"},
    "PS-SVC": {"digital_services", "flights"},
    "PS-FIN": {"financing"},
    "PS-IDV": {"customers", "identity_verification"},
}
ALWAYS = ["CVR", "ERC", "MSA", "SBX", "FEE", "SLA", "API", "SEC", "AUP", "AML", "AUT"]


NEWEST = RULESETS.newest()


def codes(of):
    return [document.code for document in selection.select(of, NEWEST).documents]


def ruleset(*rules: dict[str, Any]) -> Ruleset:
    """Rules for a test; each chooses the master agreement by default."""
    plain = {"id": "r", "paper": "MSA", "version": "1.0.0", "why": "", "when": {"all": []}}
    return RULESETS.parse({"edition": "t", "rules": [plain | rule for rule in rules]})


def test_a_small_shop_gets_the_short_pack():
    assert codes(KIOSK) == [
        *("CVR", "ERC", "MSA", "SBX", "PS-ACC", "PS-CHK", "FEE", "SLA", "API", "SEC"),
        *("AUP", "AML", "CTY", "AUT"),
    ]


def test_a_regulated_platform_gets_everything_it_needs():
    assert codes(CROSSING) == [
        *("CVR", "ERC", "MSA", "SBX", "PS-ACC", "PS-CHK", "PS-REM", "PS-FX", "FEE", "SLA"),
        *("API", "SEC", "DPA", "DPT", "AUP", "AML", "DSM", "OUT", "SAF", "RES", "CTY", "AUT"),
    ]


def test_some_documents_are_in_every_pack():
    bare = facts(KIOSK)
    bare["products"] = []
    bare["business"]["country"] = "SG"
    assert codes(bare) == ALWAYS


def test_every_rule_says_why():
    assert all(rule.why.endswith(".") for rule in NEWEST.rules)


def test_every_product_belongs_to_exactly_one_schedule():
    from console.catalogue.definitions import PRODUCTS

    for key in PRODUCTS:
        asked = facts(KIOSK)
        asked["products"] = [{"key": key, "name": key, "schedule": "", "scopes": []}]
        found = {code for code in codes(asked) if code.startswith("PS-")}
        listed = {code for code, keys in SCHEDULES.items() if key in keys}
        assert not listed or found == listed
        assert len(found) == (key != "webhooks")
        assert selection.schedule_of(key, NEWEST) == next(iter(found), "")


def test_the_rules_choose_every_document_and_leave_its_version_to_what_is_in_use():
    assert not any(rule.template_version for rule in NEWEST.rules)
    assert {rule.code for rule in NEWEST.rules} == set(template_library.codes())


def test_the_trace_holds_every_rule_with_what_it_looked_at():
    trace = {asked["rule"]: asked for asked in selection.select(CROSSING, NEWEST).trace}
    assert len(trace) == len(NEWEST.rules)
    assert trace["client-money"] == {
        "rule": "client-money",
        "paper": "SAF",
        "inputs": {"funds_flow.model": "held", "funds_flow.client_money": True},
        "result": True,
    }
    assert trace["remittance"]["inputs"]["products.key"][-1] == "conversions"


def test_another_answer_gives_another_trace():
    changed = facts()
    changed["funds_flow"]["client_money"] = False
    before, after = selection.select(CROSSING, NEWEST), selection.select(changed, NEWEST)
    assert before == selection.select(facts(), NEWEST)
    assert before.evidence != after.evidence


def test_a_fact_that_a_rule_needs_may_not_be_missing():
    wrong = facts()
    del wrong["funds_flow"]
    with pytest.raises(selection.RulesRefused, match=r"funds_flow\.model is missing"):
        selection.select(wrong, NEWEST)


def test_rules_can_combine_and_deny():
    rules = ruleset({"when": {"not": {"field": "tier", "op": "eq", "value": "LOW"}}})
    assert not selection.select(KIOSK, rules).documents
    assert selection.select(CROSSING, rules).documents


def test_two_rules_may_not_choose_the_same_document():
    with pytest.raises(selection.RulesRefused, match="same document"):
        selection.select(KIOSK, ruleset({}, {"id": "s"}))


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        ({"when": {"field": "tier", "op": "like"}}, "like is not an operator"),
        ({"when": {"tier": "LOW"}}, "is not a condition"),
        ({"when": {"always": True, "field": "tier"}}, "is not a condition"),
        ({"colour": "red"}, "colour is not known"),
        ({"version": 1}, "version is wrong"),
    ],
)
def test_a_rule_that_cannot_be_read_is_refused(rule, says):
    with pytest.raises(FileFault, match=says):
        ruleset(rule)


def test_an_edition_that_does_not_exist_is_refused():
    with pytest.raises(FileFault, match="2019-01"):
        RULESETS.load("2019-01")


PUBLISHED = {
    "2026-11": "0dcb7de7134bfb3d29546468dd4acd59e2dbb9e2a15559351c2e9a7edfb27c6c",
    "2026-11.2": "891ab8d98c586cab40eaea5ece29d3ac342e5872cb2e01395e1bc930ef792a1e",
    "2026-11.3": "ee525d9d21891a319242145d6f35f02fe12121376cfb56a5d4074df845dc5785",
}


def test_published_editions_stay_what_they_were():
    """Executed packs refer to these hashes and contain their files."""
    assert {version: RULESETS.load(version).sha256 for version in PUBLISHED} == PUBLISHED
