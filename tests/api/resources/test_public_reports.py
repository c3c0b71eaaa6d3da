"""Inputs to the API from reports to other projects, each with the report it comes from."""

import pytest

from apikeys.webhooks import addresses
from tests.api.asking import EXAMPLES, ROWS

PERSON = "Erika Mustermann"


def fault_of(client, path, body):
    reply = client.ask(ROWS["POST", path], path, body)
    assert reply.status == 422, reply.body
    (fault,) = reply.json["errors"]
    return fault["pointer"], fault["detail"]


def with_iban(country, iban):
    account = {"account_name": PERSON, "country": country, "iban": iban}
    changes = {"name": PERSON, "country": country, "currency": "EUR", "account": account}
    return EXAMPLES["beneficiaries.create"] | changes


@pytest.mark.parametrize(
    ("iban", "words"),
    [
        ("GB82 WEST 1234 5698 7654 32", "without spaces"),  # skwasjer/IbanNet 142
        ("gb82west12345698765432", "in capital letters"),  # python-validators/validators 471
        ("GB01BARC20714583608387", "not a valid IBAN"),  # arhs/iban.js 72
        ("GB00HLFX11016111455365", "not a valid IBAN"),
        ("GB82WEST12345698765433", "not a valid IBAN"),
    ],
)
def test_an_iban_is_refused_with_the_reason(client, iban, words):
    pointer, said = fault_of(client, "/beneficiaries", with_iban("GB", iban))
    assert pointer == "/account/iban"
    assert words in said


@pytest.mark.parametrize(
    ("country", "iban", "is_one"),
    [
        ("CI", "CI93CI0080111301134291200589", True),  # Simplify/ibantools 630
        ("CI", "CI94CI0080111301134291200589", False),
        ("CI", "CI93CI008011130113429120058", False),
        ("ES", "ES4901825500610201630983", True),  # Simplify/ibantools 76
        ("ES", "ES8350210036679521296135", False),  # Simplify/ibantools 36
    ],
)
def test_an_iban_is_valid_or_not(client, country, iban, is_one):
    path = "/beneficiaries"
    reply = client.ask(ROWS["POST", path], path, with_iban(country, iban))
    assert reply.status == (201 if is_one else 422)


@pytest.mark.parametrize(
    ("number", "code", "pointer"),
    [
        ("00000000", "601613", "/account/account_number"),  # cs278/bank-modulus 222
        ("31926819", "00-00-00", "/account/bank_code"),
    ],
)
def test_a_number_of_zeros_belongs_to_nobody(client, number, code, pointer):
    account = {"account_name": PERSON, "country": "GB", "account_number": number, "bank_code": code}
    changes = {"name": PERSON, "country": "GB", "currency": "GBP", "account": account}
    where, said = fault_of(client, "/beneficiaries", EXAMPLES["beneficiaries.create"] | changes)
    assert where == pointer
    assert "only zeros" in said


@pytest.mark.parametrize(
    ("url", "is_taken"),
    [
        ("https://localhost./hook", False),  # hyperdxio/hyperdx 2672
        ("https://127.1/hook", False),
        ("https://[2606:4700::1]/hook", True),  # Infisical/infisical 6561
        ("https://[::1]/hook", False),
    ],
)
def test_webhooks_go_to_public_hosts_however_they_are_written(client, url, is_taken):
    body = EXAMPLES["webhook_endpoints.create"] | {"url": url}
    reply = client.ask(ROWS["POST", "/webhook-endpoints"], "/webhook-endpoints", body)
    assert reply.status == (201 if is_taken else 422)


@pytest.mark.parametrize(
    ("phone", "place"),
    [
        ("+٩٦٦٥٠١٢٣٤٥٦٧", 2),  # jackocnr/intl-tel-input 2105
        ("+353ks.123456789", 5),  # daviddrysdale/python-phonenumbers 291
        ("+++46700000000", 2),  # google/libphonenumber 1005
        ("+96-990-555-8499", 4),  # daviddrysdale/python-phonenumbers 162
    ],
)
def test_the_place_of_a_character_in_a_number_is_named(client, phone, place):
    body = EXAMPLES["customers.create"] | {"phone": phone}
    pointer, said = fault_of(client, "/customers", body)
    assert pointer == "/phone"
    assert f"at position {place} is not a digit" in said


def test_a_number_of_ten_digits_in_ivory_coast_is_kept(client):
    # daddyz/phonelib 239
    body = EXAMPLES["customers.create"] | {"phone": "+2250504458020"}
    reply = client.ask(ROWS["POST", "/customers"], "/customers", body)
    assert reply.json["phone"] == "+2250504458020"


# strapi/strapi 7079, colinhacks/zod 5960
@pytest.mark.parametrize(
    ("host", "sign"), [("my_shop.example", "_"), ("shop!.example", "!"), ("sh*p.example", "*")]
)
def test_the_sign_that_no_host_name_has_is_named(client, host, sign):
    body = EXAMPLES["webhook_endpoints.create"] | {"url": f"https://{host}/hook"}
    pointer, said = fault_of(client, "/webhook-endpoints", body)
    assert pointer == "/url"
    assert f"cannot contain “{sign}”" in said


def test_a_dot_at_the_end_of_a_host_name_is_its_full_form():
    assert addresses.host_name("shop.example.") == "shop.example"
    for name in ("shop.example..", ".", "-shop.example", "a..example"):
        with pytest.raises(addresses.AddressRefused):
            addresses.host_name(name)
