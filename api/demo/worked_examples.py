"""The worked examples of the risk model as applications that a reviewer can open, with owners.

E1 to E6 have the scores 4.50, 35.50, 13.50, 66.00, 14.50 and 45.00. E6 gets its last three points
by a wallet and a higher volume, because the questionnaire does not ask for the year's revenue.
"""

from datetime import date
from typing import Any

from console.core import clock

# The list restricts it while E5 is in review.
RESTRICTED_LATER = "MM"
_GROUND = "We hold money for our sellers for a day, as their agent under a written contract."


def _months_ago(months: int) -> str:
    """Return a date so that a business founded on it is this old today."""
    years, month = divmod(clock.now().year * 12 + clock.now().month - 1 - months, 12)
    return date(years, month + 1, 1).isoformat()


def _owner(name: str, of: str = "business", share: str = "", **own: str) -> dict[str, str]:
    holds = {"holds.0.owned": of, "holds.0.share": share} if share else {}
    return {"kind": "person", "country": "GB", "born": "1975-08-19", "name": name, **holds, **own}


def _firm(party: str, name: str, of: str, share: str, **own: str) -> dict[str, str]:
    return _owner(name, of, share, id=party, kind="entity", **own)


_PLAIN: dict[str, Any] = {
    "li_incorporation_date": _months_ago(96),
    "ow_signatory": "me",
    "pr_products": ["customers"],
    "vo_currency": "EUR",
    "vo_m12_value": "120000.00",
    "vo_max_ticket": "4000.00",
    "vo_return_rate": "0",
}
SOFTWARE: dict[str, Any] = _PLAIN | {
    "bm_summary": "We sell accounting software to small firms and earn a monthly fee from each.",
    "ow_structure_of_owners": [
        _owner("Owen Prosser", share="60", director="yes"),
        _owner("Lowri Prosser", share="40"),
    ],
}
MARKETPLACE: dict[str, Any] = _PLAIN | {
    "li_incorporation_date": _months_ago(14),
    "li_operating_countries": ["GB", "ZA"],
    "ow_structure_of_owners": [
        _firm("p1", "Bramble Holdings Ltd", "business", "70", number="09990311"),
        _owner("Hazel Bright", "p1", "50", director="yes"),
        _owner("Rowan Bright", "p1", "50"),
        _owner("Jude Park", share="30"),
    ],
    "bm_summary": "Makers of garden tools sell on our site; we take the payment and pay them out.",
    "bm_industry": "marketplace",
    "bm_customers": ["consumers", "businesses"],
    "pr_products": ["checkout", "payouts", "customers"],
    "co_rows": [
        {"from": "GB", "to": "GB", "currency": "GBP", "share": "80"},
        {"from": "GB", "to": "ZA", "currency": "ZAR", "share": "20"},
    ],
    "vo_m12_value": "600000.00",
    "vo_max_ticket": "2000.00",
    "vo_return_rate": "0.7",
    "ff_client_money": "yes",
    "ff_safeguarding": "In a separate account at our bank, compared with our books every day.",
    "ff_intermediaries": [{"name": "Severn Vale Bank", "country": "GB", "role": "Our bank"}],
    "lc_exemption": f"{_GROUND} Our lawyers confirmed that this needs no licence here.",
    "lc_aml": "untested",
    "lc_screening": "yes",
    "dm_type": "sub_merchants",
    "dm_count": "400",
    "dm_countries": ["GB", "ZA"],
    "dm_nested": "no",
    "dm_kyc": "ourselves",
}
LOGISTICS: dict[str, Any] = _PLAIN | {
    "ow_structure_of_owners": [
        _owner("Marged Visited Hopkin", share="70", director="yes"),
        _owner("Emlyn Hopkin", share="30"),
    ],
    "bm_summary": "We carry goods for shops in three counties and pay our drivers every week.",
    "bm_industry": "logistics",
    "pr_products": ["payouts", "customers"],
    "vo_m12_value": "80000.00",
    "vo_max_ticket": "15000.00",
    "ri_pep": "yes",
    "ri_pep_kind": "domestic",
    "ri_pep_people": [
        {"name": "Emlyn Hopkin", "relation": "own", "office": "Member of parliament since 2024"}
    ],
}
REMITTER: dict[str, Any] = _PLAIN | {
    "li_country_incorporation": "NG",
    "li_legal_form": "Private company limited by shares",
    "li_register": "Corporate Affairs Commission",
    "li_incorporation_date": _months_ago(30),
    "li_operating_countries": ["NG", "KE"],
    "li_registered_address": {
        "line1": "3 Harbour Close",
        "city": "Lagos",
        "postal_code": "101241",
        "country": "NG",
    },
    "ow_structure_of_owners": [
        _firm("p1", "Baobab Group Limited", "business", "100", country="NG", number="RC 1482095"),
        _owner("Adeola Family Trust", "p1", "100", kind="arrangement", country="NG", id="p2"),
        _owner("Adaeze Adeola", country="NG", director="yes")
        | {"acts.0.role": "settlor", "acts.0.of": "p2"},
        _owner("Chidi Okoro", country="NG") | {"acts.0.role": "trustee", "acts.0.of": "p2"},
        _owner("Zainab Adeola", country="NG") | {"acts.0.role": "beneficiary", "acts.0.of": "p2"},
    ],
    "bm_summary": "People bring cash to our agents in Nigeria, and their families in Kenya get it.",
    "bm_industry": "money_services",
    "bm_customers": ["consumers"],
    "pr_products": ["remittance", "conversions", "virtual_accounts"],
    "co_rows": [
        {"from": "NG", "to": "NG", "currency": "NGN", "share": "60"},
        {"from": "NG", "to": "KE", "currency": "NGN", "share": "40"},
    ],
    "co_purpose": ["remittance"],
    "vo_m12_value": "6000000.00",
    "vo_max_ticket": "9000.00",
    "ff_origin": ["cash"],
    "ff_client_money": "yes",
    "ff_safeguarding": "In a trust account at our bank, compared with our books every evening.",
    "ff_intermediaries": [{"name": "Marina Trust Bank", "country": "NG", "role": "Trust account"}],
    "se_currencies": ["NGN", "USD"],
    "se_bank_country": "NG",
    "lc_regulated": "yes",
    "lc_regulator": "Central Bank of Nigeria",
    "lc_licence_kind": "International money transfer operator",
    "lc_licence_number": "IMTO 0457",
    "lc_needed": "held",
    "lc_aml": "tested",
    "lc_screening": "yes",
    "dh_locations": ["NG"],
    "dm_type": "sub_merchants",
    "dm_count": "80",
    "dm_countries": ["NG"],
    "dm_nested": "no",
    "dm_kyc": "regulated",
    "ri_introduced": "other",
    "ri_introducers": [{"name": "Palmgrove Advisers", "kind": "organisation"}],
}
EXPORTER: dict[str, Any] = SOFTWARE | {
    "ow_structure_of_owners": [
        _owner("Gethin Lloyd", share="60", director="yes"),
        _owner("Sian Lloyd", share="40"),
    ],
    "co_rows": [
        {"from": "GB", "to": "GB", "currency": "GBP", "share": "95"},
        {"from": RESTRICTED_LATER, "to": "GB", "currency": "USD", "share": "5"},
    ],
}
SUBSCRIPTIONS: dict[str, Any] = _PLAIN | {
    "li_incorporation_date": _months_ago(5),
    "li_operating_countries": ["GB", "ZA"],
    "ow_structure_of_owners": [
        _firm("p1", "Pepperbox Group Ltd", "business", "100", number="09990322"),
        _owner("Tessa Scanned Vickers", "p1", "80", country="ZA", director="yes"),
        _owner("Imran Patel", "p1", "20"),
    ],
    "bm_summary": "Members get a box of spices every month, and pay by card until they cancel.",
    "bm_industry": "subscriptions",
    "bm_customers": ["consumers"],
    "pr_products": ["checkout"],
    "co_rows": [
        {"from": "GB", "to": "GB", "currency": "GBP", "share": "80"},
        {"from": "GB", "to": "KE", "currency": "KES", "share": "20"},
    ],
    "vo_m12_value": "600000.00",
    "vo_max_ticket": "500.00",
    "vo_return_rate": "1.2",
    "ff_origin": ["card", "third_party_wallet"],
    "dh_card_data": "stored",
    "dh_pci": "unvalidated",
    "ri_terminated": "yes",
    "ri_terminated_firms": [{"name": "Quickpay Europe"}],
    "ri_terminated_text": "In June 2026, because too many members disputed a payment.",
    "ri_introduced": "regulated",
    "ri_introducers": [{"name": "Ledgerwise Partners", "kind": "organisation"}],
}
