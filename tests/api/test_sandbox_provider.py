"""The table of magic values describes what the sandbox's provider does."""

import pytest

from api.sandbox.provider import IdentityOutcome, IdentityQuery, ProviderOutcome
from api.sandbox.sandbox_provider import MAGIC_VALUES, SandboxProvider
from console.core.money import CURRENCIES, Money
from console.core.refusals import Refused
from onboarding.restrictions import restricted_list

OF_AMOUNTS = {
    one.value.removeprefix("*."): one.effect for one in MAGIC_VALUES if one.member == "amount"
}
STATUSES = {
    ProviderOutcome.DONE: "completed",
    ProviderOutcome.FAILED: "failed",
    ProviderOutcome.WAITS: "pending",
}


def effect(amount, currency):
    try:
        return STATUSES[SandboxProvider().instruct(Money.parse(amount, currency), tries=0)]
    except Refused as refused:
        return refused.code


@pytest.mark.parametrize("currency", CURRENCIES)
def test_every_amount_does_what_the_table_says_and_no_other_does_anything(currency):
    found = {f"{part:02}": effect(f"7.{part:02}", currency) for part in range(100)}

    assert {part: said for part, said in found.items() if said != "completed"} == OF_AMOUNTS


def test_only_the_first_two_digits_of_an_asset_count_where_nothing_follows():
    assert effect("7.410000", "USDT") == "INSUFFICIENT_BALANCE"
    assert effect("7.410001", "USDT") == "completed"


def answer_about(number):
    answers = {
        IdentityOutcome.CONFIRMED: "confirmed",
        IdentityOutcome.MISMATCH: "mismatch",
        IdentityOutcome.NOT_FOUND: "not_found",
        IdentityOutcome.WAITS: "pending",
    }
    try:
        query = IdentityQuery("passport", "NG", number, "Ada Obi")
        return answers[SandboxProvider().identify(query, tries=0)]
    except Refused as refused:
        return refused.code


def test_every_number_does_what_the_table_says_and_no_other_does_anything():
    of_numbers = {
        one.value.removeprefix("*"): one.effect for one in MAGIC_VALUES if one.member == "number"
    }
    found = {f"{end:03}": answer_about(f"A00{end:03}") for end in range(1000)}

    assert {end: said for end, said in found.items() if said != "confirmed"} == of_numbers


def test_every_recipient_does_what_the_table_says_and_no_other_does_anything():
    (magic,) = (one for one in MAGIC_VALUES if one.member == "recipient")
    refused = {}
    for end in range(1000):
        try:
            SandboxProvider().hold_service(f"+234801234{end:03}")
        except Refused as said:
            refused[f"*{end:03}"] = said.code

    assert refused == {magic.value: magic.effect}


def test_a_last_name_does_what_the_table_says_and_no_other_does_anything():
    (magic,) = (one for one in MAGIC_VALUES if one.member == "last_name")

    SandboxProvider().hold_seats(["Obi", magic.value.lower(), f"{magic.value}s"])
    with pytest.raises(Refused) as refused:
        SandboxProvider().hold_seats(["Obi", magic.value])
    assert refused.value.code == magic.effect


def test_the_country_of_the_table_is_the_one_that_is_always_restricted():
    assert [one.value for one in MAGIC_VALUES if one.member == "country"] == [
        restricted_list.ALWAYS
    ]
