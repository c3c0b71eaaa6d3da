"""Complete facts of two businesses: examples of `PackFacts`, which a test checks them against."""

from copy import deepcopy
from typing import Any

from agreements.document_templates.facts_schema import TierName
from agreements.packs import commercial_terms
from agreements.packs.commercial_terms import LAW_TABLES, PRICE_LISTS
from api.demo.company import EXAMPLE
from onboarding.questionnaire.document_facts import Volumes

PRICES, LAWS = PRICE_LISTS.load("2026-11"), LAW_TABLES.load("2026-11")
PRODUCTS = {
    "balances": ("Balances & transactions", "PS-ACC", ["balances:read", "usage:read"]),
    "webhooks": ("Webhooks", "", ["webhooks:read", "webhooks:write"]),
    "checkout": ("Checkout", "PS-CHK", ["checkout:read", "checkout:write"]),
    "refunds": ("Store refunds", "PS-CHK", ["refunds:read", "refunds:write"]),
    "payouts": ("Bank payouts", "PS-REM", ["payouts:read", "payouts:write"]),
    "remittance": (
        "Remittance & transfers",
        "PS-REM",
        ["beneficiaries:read", "beneficiaries:write", "transfers:read", "transfers:write"],
    ),
    "conversions": (
        "Conversions & swaps",
        "PS-FX",
        ["quotes:read", "quotes:write", "conversions:read", "conversions:write"],
    ),
}
NOBODY = {"name": "", "title": "", "email": ""}


def products(*keys: str) -> Any:
    """Return products as facts, the base products first."""
    return [
        {
            "key": key,
            "name": PRODUCTS[key][0],
            "schedule": PRODUCTS[key][1],
            "scopes": PRODUCTS[key][2],
        }
        for key in ("balances", "webhooks", *keys)
    ]


def offered(keys: tuple[str, ...], tier: TierName, volumes: Volumes) -> Any:
    """Return all facts that depend on the products and the tier."""
    wanted = products(*keys)
    return {
        "products": wanted,
        "tier": tier,
        "volumes": volumes,
        "fees": commercial_terms.fees(
            [(product["key"], product["name"]) for product in wanted], tier, PRICES
        ),
        "limits": commercial_terms.limits(tier, PRICES),
        "service_levels": commercial_terms.service_levels(tier, PRICES),
        "reserve": commercial_terms.reserve(
            [product["key"] for product in wanted], tier, volumes, PRICES
        ),
    }


KIOSK: dict[str, Any] = {
    "edition": "pack-facts-1",
    "language": "en",
    "pack": {
        "number": "AGP-2026-000041",
        "offered_on": "2026-11-21",
        "offer_ends_on": "2026-12-21",
        "supersedes": "",
    },
    "supplier": EXAMPLE,
    "business": {
        "legal_name": "Kettle & Kiosk Ltd",
        "trading_names": ["The Corner Kiosk"],
        "legal_form": "Private limited company",
        "register": "Companies House",
        "registration_number": "09999991",
        "country": "GB",
        "country_name": "United Kingdom",
        "address": ["14 Quay Lane", "Bristol", "BS1 4XX", "United Kingdom"],
    },
    "contact": {"name": "Mara Ellwood", "title": "Director", "email": "mara@kettle.example"},
    "signatory": {
        "name": "Mara Ellwood",
        "title": "Director",
        "email": "mara@kettle.example",
        "basis": "sole_director",
        "rule": "alone",
        "others": [],
        "authority_sha256": "",
    },
    "compliance_officer": {**NOBODY},
    "privacy_contact": {**NOBODY},
    "security_contact": {**NOBODY},
    "role": "own_use",
    "corridors": [
        {
            "origin": "GB",
            "origin_name": "United Kingdom",
            "destination": "GB",
            "destination_name": "United Kingdom",
            "send_currency": "GBP",
            "receive_currency": "GBP",
            "share": "100.00",
        }
    ],
    "currencies": ["GBP"],
    "funds_flow": {"model": "held", "client_money": False},
    "settlement": {"model": "T+1", "currencies": ["GBP"]},
    "card_data": "none",
    "personal_data": {
        "categories": [],
        "locations": [],
        "transfers": [],
        "mechanism": "same_jurisdiction",
        "retention_months": 0,
        "subprocessors": [],
    },
    "downstream": {"kind": "none", "merchants": 0, "nested": False, "countries": []},
    "end_users": ["consumers"],
    "licensing": {
        "regulated": False,
        "financial_entity": False,
        "critical_function": False,
        "licences": [],
    },
    "governing_law": commercial_terms.governing_law("GB", LAWS),
    **offered(
        ("checkout", "refunds"),
        "LOW",
        {
            "currency": "GBP",
            "monthly_value": "18000.00",
            "monthly_payments": 900,
            "peak_monthly_value": "26000.00",
            "largest_payment": "240.00",
        },
    ),
}

CROSSING: dict[str, Any] = {
    "edition": "pack-facts-1",
    "language": "en",
    "pack": {
        "number": "AGP-2026-000042",
        "offered_on": "2026-11-21",
        "offer_ends_on": "2026-12-21",
        "supersedes": "",
    },
    "supplier": EXAMPLE,
    "business": {
        "legal_name": "Ọ̀nà Crossing Payments Limited",
        "trading_names": ["Crossing", "Ọ̀nà Pay"],
        "legal_form": "Private company limited by shares",
        "register": "Corporate Affairs Commission",
        "registration_number": "RC 1999992",
        "country": "NG",
        "country_name": "Nigeria",
        "address": ["8 Harbour Close", "Victoria Island", "Lagos 101241", "Nigeria"],
    },
    "contact": {
        "name": "Adaeze Okonjo-Bello",
        "title": "Chief operating officer",
        "email": "adaeze@crossing.example",
    },
    "signatory": {
        "name": "Babatúndé Afọlábí",
        "title": "Chief executive officer",
        "email": "babatunde@crossing.example",
        "basis": "authority_document",
        "rule": "alone",
        "others": [],
        "authority_sha256": "5d" * 32,
    },
    "compliance_officer": {
        "name": "Hauwa Danladi",
        "title": "Chief compliance officer",
        "email": "hauwa@crossing.example",
    },
    "privacy_contact": {
        "name": "Ifeoma Nwachukwu",
        "title": "Data protection officer",
        "email": "privacy@crossing.example",
    },
    "security_contact": {
        "name": "Security desk",
        "title": "",
        "email": "security@crossing.example",
    },
    "role": "psp",
    "corridors": [
        {
            "origin": "NG",
            "origin_name": "Nigeria",
            "destination": "GB",
            "destination_name": "United Kingdom",
            "send_currency": "NGN",
            "receive_currency": "GBP",
            "share": "55.00",
        },
        {
            "origin": "NG",
            "origin_name": "Nigeria",
            "destination": "KE",
            "destination_name": "Kenya",
            "send_currency": "NGN",
            "receive_currency": "KES",
            "share": "45.00",
        },
    ],
    "currencies": ["NGN", "GBP", "KES", "USD"],
    "funds_flow": {"model": "held", "client_money": True},
    "settlement": {"model": "prefunded", "currencies": ["NGN", "USD"]},
    "card_data": "none",
    "personal_data": {
        "categories": ["names", "contact", "identity_numbers", "bank_details"],
        "locations": [{"code": "NG", "name": "Nigeria"}, {"code": "IE", "name": "Ireland"}],
        "transfers": [{"code": "IE", "name": "Ireland"}],
        "mechanism": "standard_clauses",
        "retention_months": 60,
        "subprocessors": [
            {
                "name": "Cloud Harbour BV",
                "country_name": "Ireland",
                "purpose": "Hosting of the customer records",
            }
        ],
    },
    "downstream": {
        "kind": "sub_merchants",
        "merchants": 120,
        "nested": False,
        "countries": [{"code": "NG", "name": "Nigeria"}],
    },
    "end_users": ["consumers", "businesses"],
    "licensing": {
        "regulated": True,
        "financial_entity": True,
        "critical_function": True,
        "licences": [
            {
                "regulator": "Central Bank of Nigeria",
                "kind": "International money transfer operator",
                "number": "IMTO/2024/0199",
                "country_name": "Nigeria",
            }
        ],
    },
    "governing_law": commercial_terms.governing_law("NG", LAWS),
    **offered(
        ("checkout", "remittance", "payouts", "conversions"),
        "HIGH",
        {
            "currency": "USD",
            "monthly_value": "1250000.00",
            "monthly_payments": 8400,
            "peak_monthly_value": "1900000.00",
            "largest_payment": "25000.00",
        },
    ),
}


def facts(of: dict[str, Any] = CROSSING) -> Any:
    """Return a copy that a test may change."""
    return deepcopy(of)
