"""Inputs from reports to other projects, of other countries, scripts and formats.

Each has the report it comes from. Those of the API are in `tests/api/resources`, those about files
in `tests/onboarding/evidence/producers`.
"""

import pytest
from django.urls import reverse

from console.accounts.forms import _time_zones
from onboarding.reference import countries, register_numbers
from onboarding.registers import vies
from tests import factories
from tests.onboarding.intake.test_typed_by_people import COLLEAGUE, saved


@pytest.mark.parametrize(
    ("section", "key", "typed", "kept"),
    [
        # daddyz/phonelib 239: ten digits in Côte d'Ivoire
        ("legal_identity", "li_contact_phone", "+2250504458020", "+2250504458020"),
        # jackocnr/intl-tel-input 2105: Arabic and Persian keyboards
        ("legal_identity", "li_contact_phone", "+٩٦٦٥٠١٢٣٤٥٦٧", "+966501234567"),
        ("legal_identity", "li_contact_phone", "+۹۸۹۱۲۳۴۵۶۷۸۹", "+989123456789"),
        # scjorge/pydantic_br 4: letters in a CNPJ
        ("legal_identity", "li_registration_number", "12.ABC.345/01DE-35", ...),
        # opencrvs/opencrvs-core 5127, and the letter of Hawaiian
        ("ownership", "ow_signatory_name", "Kealiʻi O’Neill", ...),
        # uswds/uswds 753: one name alone
        ("ownership", "ow_signatory_name", "Suharto", ...),
        # daddyz/phonelib 367, CDCgov/dibbs-ecr-viewer 497, jackocnr/intl-tel-input 852
        ("legal_identity", "li_contact_phone", "+16502530000x136", "+16502530000 ext. 136"),
        ("legal_identity", "li_contact_phone", "+1-608-271-9000-x11", "+16082719000 ext. 11"),
        (
            "legal_identity",
            "li_contact_phone",
            "+12125550100 ext. 12345678",
            "+12125550100 ext. 12345678",
        ),
        ("legal_identity", "li_contact_phone", "+7 495 123-45-67 доб. 12", "+74951234567 ext. 12"),
        ("legal_identity", "li_contact_phone", "+56 2 2123 4567 anexo 12", "+56221234567 ext. 12"),
        # K-and-R/email_validator 87, mailgun/flanker 40
        ("ownership", "ow_signatory_email", "test@xn--umlut-ira.com", "test@umläut.com"),
        ("ownership", "ow_signatory_email", "o'brien@example.com", ...),
        # digitalfabrik/entitlementcard 1827: a surname of one letter
        ("ownership", "ow_signatory_name", "Jan O", ...),
        # umpirsky/country-list 113: Kosovo
        ("legal_identity", "li_country_incorporation", "XK", ...),
    ],
)
def test_it_is_kept(client, section, key, typed, kept):
    _page, values = saved(client, section, **(COLLEAGUE | {key: typed}))
    assert values[key] == (typed if kept is ... else kept)


# autoNumeric/autoNumeric 342 and DevExtreme-Intl 41
@pytest.mark.parametrize(
    ("typed", "minor"),
    [
        ("١٠٢٣٤٥٦٧٫٨٩", 1_023_456_789),
        ("١٤٬٥٠٠٫٥٥", 1_450_055),
        ("۱۲۳۴", 123_400),
        ("१२३४.५", 123_450),
        ("１０２３４", 1_023_400),
        ("1.234.567,50", 123_456_750),
        ("1.234,50", 123_450),
        ("1.234.567", 123_456_700),
        ("12,34,567.50", 123_456_750),
        ("1'080.10", 108_010),  # python/cpython 141631
        ("18'000.–", 1_800_000),
        ("18.000,-", 1_800_000),
        ("18000,-", 1_800_000),
    ],
)
def test_an_amount_is_read_in_any_digits(client, typed, minor):
    _page, values = saved(client, "volumes", vo_m12_value=typed)
    assert values["vo_m12_value"]["minor"] == minor


@pytest.mark.parametrize("typed", ["١٨٫٠٠٠", "1.234", "18,00", "1.23.456", "1,234.567,50", "½"])
def test_an_amount_that_can_be_read_in_two_ways_is_not_guessed(client, typed):
    _page, values = saved(client, "volumes", vo_m12_value=typed)
    assert "vo_m12_value" not in values


# daviddrysdale/python-phonenumbers 291, PHPMailer/PHPMailer 668
@pytest.mark.parametrize(
    ("section", "key", "typed", "said"),
    [
        ("legal_identity", "li_contact_phone", "+353ks.123456789", "Leave out “ks”"),
        # actualbudget/actual 5726, and words of other countries
        ("volumes", "vo_m12_value", "2’805.53 Fr.", "Leave out “Fr.”: the amount is in GBP"),
        ("volumes", "vo_m12_value", "kr 18 000", "Leave out “kr”: the amount is in GBP"),
        ("volumes", "vo_m12_value", "18 000 zł", "Leave out “zł”: the amount is in GBP"),
        ("volumes", "vo_m12_value", "USD 18,000", "Leave out “USD”: the amount is in GBP"),
        ("volumes", "vo_m12_value", "18k", "Enter an amount in digits"),
        ("volumes", "vo_m12_value", "1.5 million", "Enter an amount in digits"),
        ("ownership", "ow_signatory_email", "османов@письмо.рф", "cannot send to this address"),
    ],
)
def test_what_cannot_be_kept_is_said(client, section, key, typed, said):
    page, values = saved(client, section, **(COLLEAGUE | {key: typed}))
    assert said in page
    assert key not in values


@pytest.mark.parametrize("country", ["HK", "BW", "AE"])
def test_an_address_needs_no_postal_code_where_there_is_none(client, country):
    # bcgov/entity 31891
    typed = {"line1": "8 Finance Street", "city": "Central", "country": country}
    _page, values = saved(client, "legal_identity", li_registered_address=typed)
    assert values["li_registered_address"]["line1"] == "8 Finance Street"


def test_a_vat_number_of_northern_ireland_is_asked_for():
    # arthurdejong/python-stdnum 250
    assert vies.vat_number("GB", "XI 110 305 878") == "XI110305878"
    assert vies.vat_number("GB", "XI 110 305 879") == ""
    assert vies.vat_number("GB", "110 305 878") == ""
    assert vies.vat_number("GR", "EL094259216") == "EL094259216"
    # formvalidation/support 891, OpenMage/magento-lts 1971
    assert register_numbers.canonical("FR", "FR 01823580113") == "823 580 113"
    numbers = ("NL859835832B01", "PL5210088067", "BE0480694386", "DK25283147", "DE245335078")
    for number in numbers:
        assert vies.vat_number(number[:2], number) == number


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("Işık Elektrik A.Ş.", "ışık"),  # OHF-Voice/hassil 295
        ("Işık Elektrik A.Ş.", "isik"),
        ("İnşaat Yapı A.Ş.", "inş"),  # 4gray/iptvnator 609
        ("Đặng Trung Nguyên Co", "dang trung"),
        ("ÖBB Personenverkehr AG", "OBB"),  # keepassium/KeePassium 118
        ("Άλφα Τράπεζα", "αλφα τραπεζα"),  # oscurrency/oscurrency 370
    ],
)
def test_a_name_is_found_as_people_type_it(client, name, typed):
    business = factories.a_business(name)
    factories.signed_in(client, factories.owner_of(business))
    page = client.get(reverse("shell:search"), {"q": typed, "part": "1"}).text
    assert business.public_id in page


def test_both_names_of_a_time_zone_are_known():
    # moment/luxon 1290
    assert {"Europe/Kyiv", "Europe/Kiev"} <= {zone for zone, _words in _time_zones()}
    assert countries.name("XK") == "Kosovo"
