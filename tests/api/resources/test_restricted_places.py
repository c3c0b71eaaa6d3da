"""Restricted countries and regions are refused in every notation, including addresses and BICs."""

from api.payments.models import Beneficiary, Cardholder, Customer, Payout, PayrollRun, Transfer
from tests.api.asking import BY_NAME, EXAMPLES, kept_before

ACCOUNT = {"account_name": "Ada Obi", "country": "US", "account_number": "532013000"}
GERMAN = {"account_name": "Ada Obi", "country": "DE", "iban": "DE89370400440532013000"}
BRITISH = {"account_name": "Ada Obi", "country": "GB", "iban": "GB82WEST12345698765432"}
IRANIAN, KOREAN = "BMJIIRTH", "FTBDKPPY"


def ask(client, name, **changes):
    row = BY_NAME[name]
    return client.ask(row, row.path, client.body_of(row) | changes)


def paid_to(client, account):
    """Return the responses of every operation that takes a bank account."""
    item = EXAMPLES["payroll_runs.create"]["items"][0] | {"bank_account": account}
    return {
        "payout": ask(client, "payouts.create", bank_account=account),
        "beneficiary": ask(client, "beneficiaries.create", account=account),
        "payroll": ask(client, "payroll_runs.create", items=[item]),
    }


def codes(replies):
    return {reply.code for reply in replies.values()}


def test_a_bic_of_a_restricted_country_is_blocked(client):
    for account in [ACCOUNT, GERMAN]:
        for bic in [IRANIAN, KOREAN, f"{IRANIAN}XXX"]:
            replies = paid_to(client, account | {"bic": bic})

            assert codes(replies) == {"COMPLIANCE_BLOCKED"}, replies
            assert {reply.status for reply in replies.values()} == {403}
            for model in (Payout, Beneficiary, PayrollRun):
                assert not model.objects.exists()


def test_a_bic_of_another_country_than_the_bank_is_a_mistake(client):
    for account, bic in [
        *((GERMAN, "BARCGB22"), (BRITISH, "DEUTDEFF"), (GERMAN, "BNPAFRPP")),
        # Without an IBAN, too.
        *((ACCOUNT, "BARCGB22"), (ACCOUNT, "HSBCJESH"), (ACCOUNT, "BNPAFRPPXXX")),
    ]:
        replies = paid_to(client, account | {"bic": bic})

        assert codes(replies) == {"VALIDATION_ERROR"}, replies
        for reply in replies.values():
            (fault,) = reply.json["errors"]
            assert fault["pointer"].endswith("/bic")
            assert fault["code"] == "wrong_country"


def test_a_bic_that_fits_is_taken(client):
    for account, bic in [
        (GERMAN, "DEUTDEFF"),
        (BRITISH, "BARCGB22XXX"),
        # Banks in Jersey have IBANs of the United Kingdom.
        (BRITISH, "HSBCJESH"),
        (ACCOUNT, "CHASUS33XXX"),
    ]:
        reply = ask(client, "beneficiaries.create", account=account | {"bic": bic})
        assert reply.status == 201, reply.body


def test_a_beneficiary_that_was_kept_is_asked_again_by_its_bic(client):
    ask(client, "beneficiaries.create")
    one = Beneficiary.objects.get()
    kept = kept_before(one, account=one.account | {"bic": IRANIAN})

    reply = ask(client, "transfers.create", beneficiary_id=kept)

    assert (reply.status, reply.code) == (403, "COMPLIANCE_BLOCKED")
    assert not Transfer.objects.exists()


RESTRICTED = [
    ("UA", {"city": "Sevastopol"}),
    ("RU", {"city": "Sevastopol"}),
    ("RU", {"city": "г. Севастополь"}),
    ("UA", {"city": "simferopol"}),
    ("RU", {"city": "SIMFEROPOL"}),
    ("RU", {"city": "Simferopol'"}),
    ("RU", {"city": "Симферополь"}),
    ("UA", {"city": "м. Сімферополь"}),
    ("UA", {"city": "Sevastopol, Crimea"}),
    ("RU", {"city": "Sevastopol 299011"}),
    ("UA", {"city": "Sеvаstopol"}),  # two letters are Cyrillic
    ("UA", {"city": "Town", "state": "АР Крим"}),
    ("RU", {"city": "Town", "state": "Республика Крым"}),
    ("RU", {"city": "Town", "state": "Republic of Crimea"}),
    ("UA", {"city": "Town", "state": "UA-43"}),
    ("UA", {"city": "Town", "state": "Donetska oblast"}),
    ("UA", {"city": "Town", "state": "Донецька обл."}),
    ("RU", {"city": "Town", "state": "Donetsk People’s Republic"}),
    ("RU", {"city": "Town", "state": "ЛНР"}),
    ("UA", {"city": "Luhans’k"}),
    ("RU", {"city": "Donetsk"}),
    ("UA", {"city": "Town", "postal_code": "95000"}),
    ("UA", {"city": "Town", "postal_code": "UA-99 011"}),
    ("RU", {"city": "Town", "postal_code": "295 000"}),
    ("RU", {"city": "Town", "postal_code": "299011"}),
    ("RU", {"city": "Town", "postal_code": "283001"}),
    ("UA", {"city": "Town", "postal_code": "91000"}),
]
ALLOWED = [
    ("UA", {"line1": "Donetska Street 12", "line2": "Donetsk", "city": "Kyiv"}),
    ("UA", {"line1": "вул. Донецька, 5", "city": "Київ", "postal_code": "03151"}),
    ("UA", {"line1": "Sevastopol Square 1", "city": "Kyiv", "state": "Kyiv City"}),
    ("UA", {"city": "Uzhhorod", "postal_code": "88000"}),
    ("RU", {"city": "Krymsk", "state": "Krasnodar Krai", "postal_code": "353380"}),
    ("RU", {"city": "Donetsk", "state": "Rostov Oblast"}),
    ("RU", {"city": "Донецк", "postal_code": "346330"}),
    ("DE", {"city": "Krim", "postal_code": "95000"}),
]


def address_in(country, parts):
    return {"line1": "1 Main Street", **parts, "country": country}


def test_a_restricted_region_is_blocked_however_it_is_written(client):
    made = ask(client, "customers.create").json["id"]
    for number, (country, parts) in enumerate(RESTRICTED):
        there = {"address": address_in(country, parts)}
        reply = ask(client, ("customers.create", "cardholders.create")[number % 2], **there)
        assert reply.code == "COMPLIANCE_BLOCKED", there
    assert client.do("customers.change", made, there).code == "COMPLIANCE_BLOCKED"
    assert not Cardholder.objects.exists()
    assert Customer.objects.get().address != there["address"]


def test_another_place_is_not_taken_for_a_restricted_one(client):
    for number, (country, parts) in enumerate(ALLOWED):
        there = {"address": address_in(country, parts)}
        reply = ask(client, ("customers.create", "cardholders.create")[number % 2], **there)
        assert reply.status == 201, there


def test_whoever_was_kept_in_a_restricted_region_gets_no_account_and_no_card(client):
    customer = ask(client, "customers.create").json["id"]
    holder = ask(client, "cardholders.create").json["id"]
    for model in (Customer, Cardholder):
        model.objects.update(address=address_in("RU", {"city": "Sevastopol"}))

    for reply in (
        ask(client, "virtual_accounts.create", customer_id=customer),
        ask(client, "cards.create", cardholder_id=holder),
    ):
        assert (reply.status, reply.code) == (403, "COMPLIANCE_BLOCKED")
