"""Which documents a pack holds follows from its facts alone, and the trace says why."""

import pytest

from agreements.templates import selection, template_library
from tests.agreements.documents.facts import CROSSING, KIOSK, facts

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


def codes(of):
    return [document.code for document in selection.select(of).documents]


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


def test_documents_are_numbered_in_order_and_say_why():
    found = selection.select(CROSSING).documents
    assert [document.order for document in found] == list(range(1, len(found) + 1))
    assert all(document.why.endswith(".") for document in found)


def test_every_product_belongs_to_exactly_one_schedule():
    from console.catalogue.definitions import PRODUCTS

    for key in PRODUCTS:
        asked = facts(KIOSK)
        asked["products"] = [{"key": key, "name": key, "schedule": "", "scopes": []}]
        found = {code for code in codes(asked) if code.startswith("PS-")}
        assert found == {code for code, keys in SCHEDULES.items() if key in keys}
        assert len(found) == (key != "webhooks")
        assert selection.schedule_of(key) == next(iter(found), "")


def test_every_rule_names_a_published_version():
    for rule in selection.ruleset()["rules"]:
        assert template_library.load(rule["paper"], rule["version"]).code == rule["paper"]
    assert {rule["paper"] for rule in selection.ruleset()["rules"]} == set(template_library.codes())


def test_the_trace_holds_every_rule_with_what_it_looked_at():
    trace = {asked["rule"]: asked for asked in selection.select(CROSSING).trace}
    assert len(trace) == len(selection.ruleset()["rules"])
    assert trace["client-money"] == {
        "rule": "client-money",
        "paper": "SAF",
        "inputs": {"funds_flow.model": "held", "funds_flow.client_money": True},
        "result": True,
    }
    assert trace["remittance"]["inputs"]["products.key"][-1] == "conversions"


def test_the_same_facts_give_the_same_trace():
    assert selection.select(facts()) == selection.select(facts())


def test_another_answer_gives_another_trace():
    changed = facts()
    changed["funds_flow"]["client_money"] = False
    before, after = selection.select(CROSSING), selection.select(changed)
    assert before.trace_sha256 != after.trace_sha256
    assert before.ruleset_sha256 == after.ruleset_sha256


def test_a_fact_that_a_rule_needs_may_not_be_missing():
    wrong = facts()
    del wrong["funds_flow"]
    with pytest.raises(selection.RulesRefused, match=r"funds_flow\.model is missing"):
        selection.select(wrong)


def test_rules_can_combine_and_deny():
    when = {"all": [{"not": {"fact": "tier", "op": "eq", "value": "LOW"}}, {"always": True}]}
    rules = {
        "edition": "t",
        "rules": [{"id": "r", "paper": "MSA", "version": "1.0.0", "why": "", "when": when}],
    }
    assert not selection.select(KIOSK, rules).documents
    assert selection.select(CROSSING, rules).documents


def test_two_rules_may_not_choose_the_same_document():
    rule = {"id": "r", "paper": "MSA", "version": "1.0.0", "why": "", "when": {"always": True}}
    with pytest.raises(selection.RulesRefused, match="same document"):
        selection.select(KIOSK, {"edition": "t", "rules": [rule, rule]})


def test_a_rule_in_an_unknown_language_is_refused():
    rule = {
        "id": "r",
        "paper": "MSA",
        "version": "1.0.0",
        "why": "",
        "when": {"fact": "tier", "op": "like"},
    }
    with pytest.raises(selection.RulesRefused, match="not known"):
        selection.select(KIOSK, {"edition": "t", "rules": [rule]})


def test_an_edition_that_does_not_exist_is_refused():
    with pytest.raises(selection.RulesRefused, match="2019-01"):
        selection.ruleset("2019-01")
