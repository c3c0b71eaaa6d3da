"""Our commercial terms: governing law by country, and prices by product and tier.

Both are versioned files. A pack uses the versions that were in use when it was opened
(`Pack.versions`).
"""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path
from typing import Generic, TypeVar, cast

from django.utils.translation import gettext_noop
from pydantic import Field
from pydantic.dataclasses import dataclass

from agreements.document_templates.facts_schema import (
    FeeRow,
    Fees,
    GoverningLaw,
    Limit,
    Reserve,
    ServiceLevels,
    TierName,
)
from agreements.document_templates.template_library import LIBRARY
from console.publishing.files import STRICT, JsonFiles, VersionedFile
from onboarding.questionnaire.document_facts import Volumes

V = TypeVar("V")


@dataclass(frozen=True, config=STRICT, kw_only=True)
class ByTier(Generic[V]):
    """A member for each tier. Subclasses repeat the fields, because pydantic needs their type."""

    LOW: V
    MEDIUM: V
    HIGH: V

    def at(self, tier: TierName) -> V:
        """Return the member for a tier."""
        return cast(V, getattr(self, tier))


@dataclass(frozen=True, config=STRICT, kw_only=True)
class Charges:
    """A price: a percentage, a fixed amount, or both; empty if not charged."""

    percent: str = ""
    fixed: str = ""
    minimum: str = ""
    maximum: str = ""


@dataclass(frozen=True, config=STRICT, kw_only=True)
class PriceRow(ByTier[Charges]):
    """A priced item of a product."""

    product: str
    item: str
    unit: str
    LOW: Charges
    MEDIUM: Charges
    HIGH: Charges


@dataclass(frozen=True, config=STRICT, kw_only=True)
class LimitRow(ByTier[tuple[int, int]]):
    """An API limit with its burst, in the sandbox and live."""

    policy: str
    meaning: str
    per: str
    sandbox: tuple[int, int]
    LOW: tuple[int, int]
    MEDIUM: tuple[int, int]
    HIGH: tuple[int, int]


@dataclass(frozen=True, config=STRICT, kw_only=True)
class LevelRow:
    """Service level targets for one tier."""

    availability: str
    urgent_minutes: int
    high_hours: int
    normal_hours: int
    support_hours: str


@dataclass(frozen=True, config=STRICT, kw_only=True)
class ReserveRow:
    """The reserve for one tier."""

    percent: str
    days: int
    cap_of_monthly_value: str


@dataclass(frozen=True, config=STRICT, kw_only=True)
class ReserveTerms(ByTier[ReserveRow | None]):
    """Products and tiers with a reserve; a tier that is not listed has none."""

    products: tuple[str, ...]
    LOW: ReserveRow | None = None
    MEDIUM: ReserveRow | None = None
    HIGH: ReserveRow | None = None


@dataclass(frozen=True, config=STRICT, kw_only=True)
class PriceList(VersionedFile):
    """An immutable edition of prices, limits and service levels."""

    version: str = Field(alias="edition")
    currency: str
    invoice_days: int
    minimum_from_month: int
    monthly_minimum: ByTier[str]
    prices: tuple[PriceRow, ...]
    limits: tuple[LimitRow, ...]
    service_levels: ByTier[LevelRow]
    reserve: ReserveTerms


@dataclass(frozen=True, config=STRICT, kw_only=True)
class LawRow:
    """`law` completes "governed by", `courts` completes "submit to"."""

    law: str
    courts: str


@dataclass(frozen=True, config=STRICT, kw_only=True)
class LawTable(VersionedFile):
    """Governing law by country; `otherwise` names the row for all other countries."""

    version: str = Field(alias="edition")
    note: str = ""
    otherwise: str
    countries: dict[str, LawRow]


def _faults(laws: LawTable) -> Iterator[str]:
    if laws.otherwise not in laws.countries:
        yield f"otherwise names {laws.otherwise}, which has no row."


PRICE_LISTS = JsonFiles(
    "price_list",
    gettext_noop("Price list"),
    "agr.price-list.v1",
    PriceList,
    Path(__file__).parent / "fees",
)
LAW_TABLES = JsonFiles(
    "governing_law",
    gettext_noop("Governing law"),
    "agr.governing-law.v1",
    LawTable,
    LIBRARY / "reference/governing-law",
    faults=_faults,
)


def governing_law(country: str, laws: LawTable) -> GoverningLaw:
    """Return the law for a business in that country, by default England and Wales."""
    chosen = country if country in laws.countries else laws.otherwise
    row = laws.countries[chosen]
    return {"country": chosen, "law": row.law, "courts": row.courts}


def fees(products: Iterable[tuple[str, str]], tier: TierName, prices: PriceList) -> Fees:
    """Return the prices of products given as (key, name), in price list order."""
    names = dict(products)
    rows = [
        _fee_row(row, names[row.product], tier) for row in prices.prices if row.product in names
    ]
    return {
        "edition": prices.version,
        "currency": prices.currency,
        "rows": rows,
        "monthly_minimum": prices.monthly_minimum.at(tier),
        "minimum_from_month": prices.minimum_from_month,
        "invoice_days": prices.invoice_days,
    }


def limits(tier: TierName, prices: PriceList) -> list[Limit]:
    """Return the API limits of the sandbox and live."""
    return [_limit(row, tier) for row in prices.limits]


def service_levels(tier: TierName, prices: PriceList) -> ServiceLevels:
    """Return the service level targets of a tier."""
    return cast(ServiceLevels, asdict(prices.service_levels.at(tier)))


def reserve(
    products: Iterable[str], tier: TierName, volumes: Volumes, prices: PriceList
) -> Reserve:
    """Return the tier's reserve if any requested product can be returned or disputed."""
    terms = prices.reserve.at(tier)
    if terms is None or not set(products) & set(prices.reserve.products):
        return {"applies": False, "percent": "", "days": 0, "cap": "", "currency": ""}
    share = Decimal(terms.cap_of_monthly_value) / 100
    cap = (Decimal(volumes["monthly_value"]) * share).quantize(Decimal("0.01"))
    return {
        "applies": True,
        "percent": terms.percent,
        "days": terms.days,
        "cap": f"{cap:f}",
        "currency": volumes["currency"],
    }


def _fee_row(row: PriceRow, name: str, tier: TierName) -> FeeRow:
    about = {"product": row.product, "product_name": name, "item": row.item, "unit": row.unit}
    return cast(FeeRow, {**about, **asdict(row.at(tier))})


def _limit(row: LimitRow, tier: TierName) -> Limit:
    (sandbox, sandbox_burst), (live, live_burst) = row.sandbox, row.at(tier)
    return {
        "policy": row.policy,
        "meaning": row.meaning,
        "sandbox": sandbox,
        "sandbox_burst": sandbox_burst,
        "live": live,
        "live_burst": live_burst,
        "per": row.per,
    }
