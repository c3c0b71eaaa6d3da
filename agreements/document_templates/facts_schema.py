"""Schema of the facts that documents are made from, checked at run time by `facts_check`.

Facts that come from a business's answers are declared with the questions, in `document_facts`.
"""

from typing import Annotated, Literal, TypedDict

from onboarding.questionnaire.document_facts import (
    Amount,
    ApplicationFacts,
    Country,
    CurrencyCode,
    Maybe,
    Text,
)

EDITION = "pack-facts-1"

MaybeAmount = Annotated[str, "amount or nothing"]  # as Amount, or empty
Day = Annotated[str, "day"]  # "2026-11-21"

TierName = Literal["LOW", "MEDIUM", "HIGH"]


class PackDetails(TypedDict):
    """The pack and its offer."""

    number: Text
    offered_on: Day
    offer_ends_on: Day
    supersedes: Maybe  # number of the pack that this one replaces


class Supplier(TypedDict):
    """Our company, as the contracting party."""

    legal_name: Text
    short_name: Text
    registration_number: Text
    country: Country
    country_name: Text
    address: list[Text]
    website: Text
    notices_email: Text
    privacy_email: Text
    security_email: Text
    support_email: Text


class ProductFacts(TypedDict):
    """A requested product; `schedule` is the code of its schedule, empty if it needs none."""

    key: Text
    name: Text
    schedule: Maybe
    scopes: list[Text]


class GoverningLaw(TypedDict):
    """`law` completes "governed by", `courts` completes "submit to"."""

    country: Country
    law: Text
    courts: Text


class FeeRow(TypedDict):
    """A price: a percentage, a fixed amount, or both; empty if not charged that way."""

    product: Text
    product_name: Text
    item: Text
    unit: Text
    percent: MaybeAmount
    fixed: MaybeAmount
    minimum: MaybeAmount
    maximum: MaybeAmount


class Fees(TypedDict):
    """The pack's price list; all amounts are in `currency`."""

    edition: Text
    currency: CurrencyCode
    rows: list[FeeRow]
    monthly_minimum: Amount
    minimum_from_month: int
    invoice_days: int


class Limit(TypedDict):
    """An API limit in each environment; `burst` is 0 if bursts do not apply."""

    policy: Text
    meaning: Text
    sandbox: int
    sandbox_burst: int
    live: int
    live_burst: int
    per: Text


class ServiceLevels(TypedDict):
    """Service level targets by tier."""

    availability: Amount  # percentage of a calendar month
    urgent_minutes: int
    high_hours: int
    normal_hours: int
    support_hours: Text


class Reserve(TypedDict):
    """Money held back against returns; all empty or zero if `applies` is no."""

    applies: bool
    percent: MaybeAmount
    days: int
    cap: MaybeAmount
    currency: Maybe


class PackFacts(ApplicationFacts):
    """All facts about a business that a pack may state, frozen before any document is rendered."""

    edition: Literal["pack-facts-1"]
    language: Literal["en"]
    pack: PackDetails
    supplier: Supplier
    products: list[ProductFacts]
    tier: TierName
    governing_law: GoverningLaw
    fees: Fees
    limits: list[Limit]
    service_levels: ServiceLevels
    reserve: Reserve


class IndexRow(TypedDict):
    """A row of the cover's index; the last three fields are empty or 0 for the cover itself."""

    order: int
    code: Text
    title: Text
    version: Text
    reference: Text
    pages: int
    unsigned_sha256: Maybe


class DocumentFacts(PackFacts):
    """The facts that a template may declare: those of the pack, and the index of its documents."""

    index: list[IndexRow]
