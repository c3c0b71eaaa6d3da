"""A whole questionnaire as its forms would send it, and what takes a review another way."""

from copy import deepcopy
from typing import Any

# A software firm in one calm country: tier LOW, nothing for a person to decide.
KIOSK: dict[str, Any] = {
    "li_country_incorporation": "GB",
    "li_legal_name": "Kettle & Kiosk Ltd",
    "li_legal_form": "Private limited company",
    "li_register": "Companies House",
    "li_registration_number": "09999991",
    "li_incorporation_date": "2016-04-01",
    "li_registered_address": {
        "line1": "14 Quay Lane",
        "city": "Bristol",
        "postal_code": "BS1 4XX",
        "country": "GB",
    },
    "li_operating_countries": ["GB"],
    "li_website": "https://kettle.example",
    "li_contact_name": "Mara Ellwood",
    "li_contact_title": "Director",
    "li_contact_email": "mara@kettle.example",
    "li_contact_phone": "+44 20 7946 0018",
    "ow_owners": [
        {"name": "Mara Ellwood", "share": "60", "country": "GB", "born": "1984-05-02"},
        {"name": "Ifan Rhys", "share": "40", "country": "GB", "born": "1979-11-30"},
    ],
    "ow_layers": "0",
    "ow_structure": ["none"],
    "ow_other_control": "no",
    "ow_signatory_name": "Mara Ellwood",
    "ow_signatory_title": "Director",
    "ow_signatory_basis": "director",
    "ow_signatory_email": "mara@kettle.example",
    "bm_summary": "We sell coffee equipment to small kiosks and earn a margin on each sale.",
    "bm_industry": "software",
    "bm_customers": ["businesses"],
    "bm_end_user_id": "always",
    "pr_products": ["customers", "refunds"],
    "pr_use": "Keeping our customers' records, and refunds.",
    "pr_tech_email": "dev@kettle.example",
    "co_rows": [{"from": "GB", "to": "GB", "currency": "GBP", "share": "100"}],
    "co_purpose": ["goods"],
    "co_controls": ["bank_country"],
    "vo_currency": "GBP",
    "vo_m12_value": "18,000.00",
    "vo_m12_count": "900",
    "vo_max_ticket": "240.00",
    "vo_return_rate": "0.2",
    "vo_basis": "history",
    "ff_steps": "A kiosk pays us by bank transfer into our account at our bank in Bristol.",
    "ff_origin": ["bank_transfer"],
    "ff_client_money": "no",
    "ff_third_party_payers": "no",
    "se_model": "t1",
    "se_currencies": ["GBP"],
    "se_bank_country": "GB",
    "se_third_party": "no",
    "lc_regulated": "no",
    "lc_needed": "no",
    "lc_aml": "not_applicable",
    "lc_screening": "not_applicable",
    "dh_categories": ["names", "contact"],
    "dh_locations": ["GB"],
    "dh_transfer": "same_jurisdiction",
    "dh_retention_months": "24",
    "dh_card_data": "none",
    "dh_breach": "no",
    "dh_privacy_email": "privacy@kettle.example",
    "dm_type": "none",
    "ri_pep": "no",
    "ri_sanctions": "no",
    "ri_adverse": "no",
    "ri_terminated": "no",
    "ri_introduced": "directly",
}
# One change each, from the calm firm to another way the review can go.
HIGH = {"ri_pep": "yes", "ri_pep_kind": "domestic", "ri_pep_text": "Ifan Rhys, a minister."}
DECLARED = {
    "ri_sanctions": "yes",
    "ri_sanctions_text": "A director was listed until 2019.",
}
LISTED = {"li_legal_name": "Sanctioned Kettle Ltd"}
NOT_FOUND = {"li_registration_number": "09999000"}
FLAKY = {"li_legal_name": "Flaky Kettle Ltd"}


def answers(**changes: Any) -> dict[str, Any]:
    """Return a complete set of answers, as typed, with some of them changed."""
    return {key: value for key, value in (deepcopy(KIOSK) | changes).items() if value is not None}
