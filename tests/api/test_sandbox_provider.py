"""The table of magic values describes what the sandbox's provider does."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pytest

from api.providers.interface import IdentityOutcome, IdentityQuery, ProviderOutcome
from api.providers.simulated import MAGIC_VALUES, SimulatedProvider
from console.core.money import CURRENCIES, Money
from console.core.refusals import Refused
from onboarding.restrictions import restricted_list

PROVIDER = SimulatedProvider()
STATUSES = {
    ProviderOutcome.FAILED: "failed",
    ProviderOutcome.BLOCKED: "failed",
    ProviderOutcome.WAITS: "pending",
    IdentityOutcome.MISMATCH: "mismatch",
    IdentityOutcome.NOT_FOUND: "not_found",
    IdentityOutcome.WAITS: "pending",
}


def table(member: str) -> dict[str, str]:
    return {one.value: one.effect for one in MAGIC_VALUES if one.member == member}


def effects(act: Callable[..., Any], values: Mapping[str, Any]) -> dict[str, str]:
    """Return the status or the code of each value that does not simply succeed."""
    found = {}
    for pattern, value in values.items():
        try:
            if (outcome := act(value)) in STATUSES:
                found[pattern] = STATUSES[outcome]
        except Refused as refused:
            found[pattern] = refused.code
    return found


@pytest.mark.parametrize("currency", CURRENCIES)
def test_every_amount_does_what_the_table_says_and_no_other_does_anything(currency):
    amounts = {f"*.{part:02}": Money.parse(f"7.{part:02}", currency) for part in range(100)}
    assert effects(partial(PROVIDER.instruct, names=(), tries=0), amounts) == table("amount")


def test_each_name_does_what_the_table_says_and_no_other_does_anything():
    names = {name: [name] for name in (*table("account_name"), "Ada Obi", "possible match")}
    act = partial(PROVIDER.instruct, Money.parse("7.00", "NGN"), tries=0)
    assert effects(act, names) == table("account_name")


def test_only_the_first_two_digits_of_an_asset_count_where_nothing_follows():
    amounts = {text: Money.parse(text, "USDT") for text in ("7.410000", "7.410001")}
    found = effects(partial(PROVIDER.instruct, names=(), tries=0), amounts)
    assert found == {"7.410000": "INSUFFICIENT_BALANCE"}


def test_every_number_does_what_the_table_says_and_no_other_does_anything():
    ends = [f"{end:03}" for end in range(1000)]
    queries = {f"*{end}": IdentityQuery("passport", "NG", f"A00{end}", "Ada Obi") for end in ends}
    assert effects(partial(PROVIDER.identify, tries=0), queries) == table("number")


def test_every_recipient_does_what_the_table_says_and_no_other_does_anything():
    recipients = {f"*{end:03}": f"+234801234{end:03}" for end in range(1000)}
    assert effects(PROVIDER.hold_service, recipients) == table("recipient")


def test_a_last_name_does_what_the_table_says_and_no_other_does_anything():
    names = {name: ["Obi", name] for name in ("Soldout", "soldout", "Soldouts")}
    assert effects(PROVIDER.hold_seats, names) == table("last_name")


def test_the_country_of_the_table_is_the_one_that_is_always_restricted():
    assert [*table("country")] == [restricted_list.ALWAYS]
