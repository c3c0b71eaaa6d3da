"""Facts for a pack's documents, frozen when it is made: the business's answers and our terms."""

from datetime import timedelta
from typing import cast

from agreements.document_templates import facts_check, selection
from agreements.document_templates.facts_schema import EDITION, PackFacts, ProductFacts, TierName
from agreements.document_templates.selection import Ruleset
from agreements.models import Pack
from agreements.our_company import company_versions
from agreements.packs import commercial_terms
from agreements.packs.pack_versions import PackVersions
from console.catalogue.definitions import PRODUCTS
from console.core import clock
from onboarding import application_facts

OFFER = timedelta(days=30)


def facts_of(pack: Pack, versions: PackVersions) -> PackFacts:
    """Return all facts that the pack's documents may state, validated against the schema."""
    submission = pack.application.submission
    assert submission is not None
    told, wanted = (
        application_facts.submitted_facts(pack.application),
        application_facts.products(submission),
    )
    products = [_product(key, versions.ruleset) for key in PRODUCTS if key in wanted]
    prices, tier = versions.prices, cast(TierName, pack.tier)
    today = clock.now().date()
    facts = {
        **told,
        "edition": EDITION,
        "language": "en",
        "pack": {
            "number": pack.number,
            "offered_on": today.isoformat(),
            "offer_ends_on": (today + OFFER).isoformat(),
            "supersedes": pack.supersedes,
        },
        "supplier": company_versions.supplier(),
        "products": products,
        "tier": tier,
        "governing_law": commercial_terms.governing_law(told["business"]["country"], versions.laws),
        "fees": commercial_terms.fees(
            [(one["key"], one["name"]) for one in products], tier, prices
        ),
        "limits": commercial_terms.limits(tier, prices),
        "service_levels": commercial_terms.service_levels(tier, prices),
        "reserve": commercial_terms.reserve(
            [one["key"] for one in products], tier, told["volumes"], prices
        ),
    }
    return facts_check.check(facts)


def _product(key: str, ruleset: Ruleset) -> ProductFacts:
    product = PRODUCTS[key]
    return {
        "key": key,
        "name": product.name,
        "schedule": selection.schedule_of(key, ruleset),
        "scopes": list(product.scopes),
    }
