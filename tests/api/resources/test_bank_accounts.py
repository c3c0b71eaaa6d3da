"""Account numbers and bank codes have the format of their country, in every corridor."""

import pytest

from api.payments import corridors
from api.payments.bank_accounts import FORMATS, is_nuban
from api.v1.shared_fields import BankAccountSerializer
from console.publishing import in_use
from tests.api.asking import BY_NAME, Client, a_client, faults

IBAN = {"DE": "DE89370400440532013000", "FR": "FR1420041010050500013M02606",
        "NL": "NL91ABNA0417164300", "IE": "IE29AIBK93115212345678"}  # fmt: skip
GOOD = {
    "NG": {"account_number": "0123456784", "bank_code": "044"},
    "GH": {"account_number": "0123456789012", "bank_code": "030100"},
    "KE": {"account_number": "0123456789", "bank_code": "01"},
    "ZA": {"account_number": "62000000001", "bank_code": "250655"},
    "CD": {"account_number": "00011000121", "bank_code": "00011"},
    "US": {"account_number": "000123456789", "bank_code": "021000021"},
    "GB": {"account_number": "31926819", "bank_code": "60-16-13"},
    "CA": {"account_number": "1234567", "bank_code": "00312345"},
} | {country: {"iban": iban} for country, iban in IBAN.items()}


def wrong(country, **account):
    body = BankAccountSerializer(data={"account_name": "Ada Obi", "country": country, **account})
    return {} if body.is_valid() else {n: e[0].code for n, e in body.errors.items()}


@pytest.mark.django_db
def test_every_country_of_our_corridors_has_a_format():
    countries = {end.country for end in in_use.current(corridors.FILES).destinations}
    assert FORMATS.keys() >= countries
    assert GOOD.keys() >= countries


@pytest.mark.parametrize("country", GOOD)
def test_an_account_of_each_country(db, country):
    good = GOOD[country]
    assert wrong(country, **good) == {}
    if "iban" in good:
        assert wrong(country, account_number="532013000", bic="DEUTDEFF") != {}
        assert "account_number" in wrong(country, account_number="532013000", bank_code="37040044")
        return
    assert wrong(country, **good | {"account_number": "ABCD1234"}) == {
        "account_number": "wrong_shape"
    }
    assert wrong(country, **good | {"bank_code": "XYZ"}) == {"bank_code": "wrong_shape"}
    both = {"account_number": "ABCD1234", "bank_code": "XYZ"}
    assert wrong(country, **both) == dict.fromkeys(both, "wrong_shape")


@pytest.mark.parametrize(
    ("code", "number", "right"),
    [
        # The example of the standard (CBN, 2010): First Bank, 011, serial 000001457.
        ("011", "0000014579", True),
        ("011", "0000014578", False),
        ("044", "0123456784", True),
        ("044", "0123456789", False),
        # Six digits of NIP do not take part.
        ("000014", "0123456789", True),
    ],
)
def test_a_nuban_has_its_check_digit(code, number, right):
    assert is_nuban(number, code) is right


def test_a_wrong_routing_number(db):
    assert wrong("US", account_number="1234", bank_code="021000022") == {"bank_code": "wrong_shape"}


def test_every_operation_that_pays_an_account_refuses_it_at_its_field(api):
    client = Client(api, a_client())
    short = {
        "account_name": "Ada Obi", "country": "NG", "account_number": "123456789",
        "bank_code": "044",
    }  # fmt: skip

    def refused(name, changes):
        row = BY_NAME[name]
        return faults(client.ask(row, row.path, client.body_of(row) | changes))

    at = [("/bank_account/account_number", "wrong_shape")]
    assert refused("payouts.create", {"bank_account": short}) == at
    assert refused("beneficiaries.create", {"account": short}) == [
        ("/account/account_number", "wrong_shape")
    ]
    item = {"amount": "1.00", "bank_account": short | {"account_number": "0123456789"}}
    assert refused("payroll_runs.create", {"items": [item]}) == [
        ("/items/0/bank_account/account_number", "wrong_shape")
    ]
