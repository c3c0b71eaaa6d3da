"""The terms we offer: who we are, the law by country, and the versioned price list by tier."""

import json
from collections.abc import Iterable
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, cast

from agreements.templates.facts_schema import (
    FeeRow,
    Fees,
    GoverningLaw,
    Limit,
    Reserve,
    ServiceLevels,
    Supplier,
    TierName,
    Volumes,
)
from agreements.templates.template_library import LIBRARY

CURRENT = "2026-11"
FEES = Path(__file__).parent / "fees"
CHARGES = ("percent", "fixed", "minimum", "maximum")


@cache
def price_list(edition: str = CURRENT) -> dict[str, Any]:
    """The whole price list of that edition."""
    return _read(FEES / f"{edition}.json")


def supplier() -> Supplier:
    """Us, as we stand in every document."""
    return cast(Supplier, _read(LIBRARY / "reference/supplier.json"))


def governing_law(country: str) -> GoverningLaw:
    """The law for a business of that country; England and Wales where no row is kept."""
    reference = _read(LIBRARY / "reference/governing-law.json")
    chosen = country if country in reference["countries"] else reference["otherwise"]
    return cast(GoverningLaw, {"country": chosen, **reference["countries"][chosen]})


def fees(products: Iterable[tuple[str, str]], tier: TierName, *, edition: str = CURRENT) -> Fees:
    """The prices of these products, given as (key, name), in the order of the list."""
    prices = price_list(edition)
    names = dict(products)
    rows = [
        _fee_row(row, names[row["product"]], tier)
        for row in prices["prices"]
        if row["product"] in names
    ]
    return {
        "edition": edition,
        "currency": prices["currency"],
        "rows": rows,
        "monthly_minimum": prices["monthly_minimum"][tier],
        "minimum_from_month": prices["minimum_from_month"],
        "invoice_days": prices["invoice_days"],
    }


def limits(tier: TierName, *, edition: str = CURRENT) -> list[Limit]:
    """The limits of the API, sandbox beside live."""
    return [_limit(row, tier) for row in price_list(edition)["limits"]]


def service_levels(tier: TierName, *, edition: str = CURRENT) -> ServiceLevels:
    """What we aim at for that tier."""
    return cast(ServiceLevels, dict(price_list(edition)["service_levels"][tier]))


def reserve(
    products: Iterable[str], tier: TierName, volumes: Volumes, *, edition: str = CURRENT
) -> Reserve:
    """The reserve for that tier, when a product asked for can be returned or disputed."""
    terms = price_list(edition)["reserve"]
    if tier not in terms or not set(products) & set(terms["products"]):
        return {"applies": False, "percent": "", "days": 0, "cap": "", "currency": ""}
    share = Decimal(terms[tier]["cap_of_monthly_value"]) / 100
    cap = (Decimal(volumes["monthly_value"]) * share).quantize(Decimal("0.01"))
    return {
        "applies": True,
        "percent": terms[tier]["percent"],
        "days": terms[tier]["days"],
        "cap": f"{cap:f}",
        "currency": volumes["currency"],
    }


def _fee_row(row: dict[str, Any], name: str, tier: TierName) -> FeeRow:
    charges = {charge: row[tier].get(charge, "") for charge in CHARGES}
    about = {"product": row["product"], "product_name": name, "item": row["item"]}
    return cast(FeeRow, {**about, "unit": row["unit"], **charges})


def _limit(row: dict[str, Any], tier: TierName) -> Limit:
    sandbox, sandbox_burst = row["sandbox"]
    live, live_burst = row[tier]
    return {
        "policy": row["policy"],
        "meaning": row["meaning"],
        "sandbox": sandbox,
        "sandbox_burst": sandbox_burst,
        "live": live,
        "live_burst": live_burst,
        "per": row["per"],
    }


def _read(path: Path) -> dict[str, Any]:
    return cast(dict[str, Any], json.loads(path.read_text("utf-8")))
