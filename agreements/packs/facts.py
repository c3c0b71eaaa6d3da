"""The facts documents may quote, frozen when a pack is made: what the business said, our terms."""

from datetime import timedelta
from typing import Any

from agreements.models import Pack
from agreements.our_company import company_versions
from agreements.packs import commercial_terms
from agreements.packs.pack_versions import PackVersions
from agreements.templates import facts_check, selection
from agreements.templates.facts_schema import EDITION, PackFacts
from agreements.templates.selection import Ruleset
from console.catalogue.definitions import PRODUCTS
from console.core import clock
from onboarding import application_facts as onboarding_facts

OFFER_DAYS = 30
NOBODY = {"name": "", "title": "", "email": ""}


def of(pack: Pack, versions: PackVersions) -> PackFacts:
    """Return everything the documents of this pack may say, checked against the contract."""
    told = onboarding_facts.of(pack.application)
    tier, volumes = told["tier"], told["volumes"]
    products = [_product(key, versions.ruleset) for key in PRODUCTS if key in told["products"]]
    keys = [product["key"] for product in products]
    today = clock.now().date()
    facts = {
        "edition": EDITION,
        "language": "en",
        "pack": {
            "number": pack.number,
            "offered_on": today.isoformat(),
            "offer_ends_on": (today + timedelta(days=OFFER_DAYS)).isoformat(),
            "supersedes": "",
        },
        "supplier": company_versions.supplier(),
        "business": _business(told["business"]),
        "contact": _person(told["contact"]),
        "signatory": told["signatory"],
        "compliance_officer": _person(told.get("compliance_officer", NOBODY)),
        "privacy_contact": _person(told["privacy_contact"]),
        "security_contact": _person(told.get("security_contact", NOBODY)),
        "products": products,
        "tier": tier,
        "governing_law": commercial_terms.governing_law(told["business"]["country"], versions.laws),
        "fees": commercial_terms.fees(
            [(product["key"], product["name"]) for product in products], tier, versions.prices
        ),
        "limits": commercial_terms.limits(tier, versions.prices),
        "service_levels": commercial_terms.service_levels(tier, versions.prices),
        "reserve": commercial_terms.reserve(keys, tier, volumes, versions.prices),
    }
    same = (
        "role", "corridors", "currencies", "volumes", "funds_flow", "settlement", "card_data",
        "personal_data", "downstream", "end_users", "licensing",
    )  # fmt: skip
    return facts_check.check(facts | {name: told[name] for name in same})


def _business(told: dict[str, Any]) -> dict[str, Any]:
    """The business; its name in its own script stands beside the Latin one where it can be set."""
    business, native = _only(told, PackFacts.__annotations__["business"]), told["native_name"]
    if native and not facts_check.unsettable(native):
        business["legal_name"] = f"{business['legal_name']} ({native})"
    return business


def _product(key: str, ruleset: Ruleset) -> dict[str, Any]:
    product = PRODUCTS[key]
    return {
        "key": key,
        "name": product.name,
        "schedule": selection.schedule_of(key, ruleset),
        "scopes": list(product.scopes),
    }


def _person(told: dict[str, str]) -> dict[str, str]:
    return {name: told[name] for name in NOBODY}


def _only(told: dict[str, Any], contract: Any) -> dict[str, Any]:
    return {name: told[name] for name in contract.__annotations__}
