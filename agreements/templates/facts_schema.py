"""The facts that documents are made from: one contract, checked at run time by `facts_check`.

Plain text, whole numbers, yes or no, lists and dictionaries; money is a decimal string.
"""

from typing import Annotated, Literal, TypedDict

EDITION = "pack-facts-1"

Amount = Annotated[str, "amount"]  # "1250.00"; its currency stands beside it
MaybeAmount = Annotated[str, "amount or nothing"]  # as Amount, or empty
Day = Annotated[str, "day"]  # "2026-11-21"
Country = Annotated[str, "country"]  # "NG"
CurrencyCode = Annotated[str, "currency"]  # "NGN"
Text = Annotated[str, "text"]  # one line with something in it
Maybe = Annotated[str, "maybe"]  # one line, or empty when there is nothing to say

TierName = Literal["LOW", "MEDIUM", "HIGH"]
Basis = Literal["sole_director", "director", "joint_directors", "authority_document"]
RoleName = Literal["own_use", "platform", "agent", "psp", "bank"]


class PackDetails(TypedDict):
    """The pack and its offer."""

    number: Text
    offered_on: Day
    offer_ends_on: Day
    supersedes: Maybe  # the number of the pack that this one replaces


class Supplier(TypedDict):
    """Us, as the contracting party."""

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


class BusinessFacts(TypedDict):
    """The applicant, as it stands on its register."""

    legal_name: Text
    trading_names: list[Text]
    legal_form: Text
    register: Text
    registration_number: Text
    country: Country
    country_name: Text
    address: list[Text]


class Person(TypedDict):
    """Somebody to write to."""

    name: Text
    title: Maybe
    email: Text


class MaybePerson(TypedDict):
    """Somebody to write to, or three empty strings."""

    name: Maybe
    title: Maybe
    email: Maybe


class SignatoryFacts(TypedDict):
    """The person who signs, and the right by which they do."""

    name: Text
    title: Text
    email: Text
    basis: Basis


class ProductFacts(TypedDict):
    """A product asked for: `schedule` is the code of its one schedule, empty when it needs none."""

    key: Text
    name: Text
    schedule: Maybe
    scopes: list[Text]


class Corridor(TypedDict):
    """Stages that money will take; `share` is a percentage of value."""

    origin: Country
    origin_name: Text
    destination: Country
    destination_name: Text
    send_currency: CurrencyCode
    receive_currency: CurrencyCode
    share: Amount


class Volumes(TypedDict):
    """What the business expects twelve months after it starts."""

    currency: CurrencyCode
    monthly_value: Amount
    monthly_payments: int
    peak_monthly_value: Amount
    largest_payment: Amount


class FundsFlow(TypedDict):
    """Where the money is while we handle it, and whose it is."""

    model: Literal["held", "passed_through", "none"]
    client_money: bool


class Settlement(TypedDict):
    """When the business is paid, and in what."""

    model: Literal["prefunded", "T+1", "T+2", "T+3", "weekly", "credit_line"]
    currencies: list[CurrencyCode]


class PlaceFacts(TypedDict):
    """A country and its English name."""

    code: Country
    name: Text


class Subprocessor(TypedDict):
    """A firm of the business that will see personal data from us."""

    name: Text
    country_name: Text
    purpose: Text


class PersonalData(TypedDict):
    """Personal data the business will send us; no categories means none."""

    categories: list[
        Literal["names", "contact", "identity_numbers", "bank_details", "special_category"]
    ]
    locations: list[PlaceFacts]
    transfers: list[PlaceFacts]  # locations that need a transfer mechanism
    mechanism: Literal["same_jurisdiction", "adequacy", "standard_clauses", "other"]
    retention_months: int
    subprocessors: list[Subprocessor]


class Downstream(TypedDict):
    """Others who will be paid, or take payments, through the business."""

    kind: Literal["none", "group_only", "sub_merchants"]
    merchants: int
    nested: bool
    countries: list[PlaceFacts]


class Licence(TypedDict):
    """A permission held by the business."""

    regulator: Text
    kind: Text
    number: Text
    country_name: Text


class Licensing(TypedDict):
    """What the business is allowed, and how much depends on us."""

    regulated: bool
    financial_entity: bool
    critical_function: bool
    licences: list[Licence]


class GoverningLaw(TypedDict):
    """`law` reads after "governed by", `courts` after "submit to"."""

    country: Country
    law: Text
    courts: Text


class FeeRow(TypedDict):
    """One price: a percentage, a fixed amount, or both; empty means not charged that way."""

    product: Text
    product_name: Text
    item: Text
    unit: Text
    percent: MaybeAmount
    fixed: MaybeAmount
    minimum: MaybeAmount
    maximum: MaybeAmount


class Fees(TypedDict):
    """The price list of this pack; every amount is in `currency`."""

    edition: Text
    currency: CurrencyCode
    rows: list[FeeRow]
    monthly_minimum: Amount
    minimum_from_month: int
    invoice_days: int


class Limit(TypedDict):
    """One limit of the API in each environment; `burst` 0 means that bursts do not apply."""

    policy: Text
    meaning: Text
    sandbox: int
    sandbox_burst: int
    live: int
    live_burst: int
    per: Text


class ServiceLevels(TypedDict):
    """What we aim at, by tier."""

    availability: Amount  # percent of a calendar month
    urgent_minutes: int
    high_hours: int
    normal_hours: int
    support_hours: Text


class Reserve(TypedDict):
    """Money held against returns; all empty or zero when `applies` is no."""

    applies: bool
    percent: MaybeAmount
    days: int
    cap: MaybeAmount
    currency: Maybe


class PackFacts(TypedDict):
    """Everything a pack may say about a business, frozen before the first document is rendered."""

    edition: Literal["pack-facts-1"]
    language: Literal["en"]
    pack: PackDetails
    supplier: Supplier
    business: BusinessFacts
    contact: Person
    signatory: SignatoryFacts
    compliance_officer: MaybePerson
    privacy_contact: MaybePerson
    security_contact: MaybePerson
    products: list[ProductFacts]
    tier: TierName
    role: RoleName
    corridors: list[Corridor]
    currencies: list[CurrencyCode]
    volumes: Volumes
    funds_flow: FundsFlow
    settlement: Settlement
    card_data: Literal["none", "tokens", "passes", "stored"]
    personal_data: PersonalData
    downstream: Downstream
    end_users: list[
        Literal["consumers", "businesses", "public_bodies", "non_profits", "financial_firms"]
    ]
    licensing: Licensing
    governing_law: GoverningLaw
    fees: Fees
    limits: list[Limit]
    service_levels: ServiceLevels
    reserve: Reserve


class IndexRow(TypedDict):
    """One line of the cover's index; the last three are empty or 0 for the cover itself."""

    order: int
    code: Text
    title: Text
    version: Text
    reference: Text
    pages: int
    unsigned_sha256: Maybe


class DocumentFacts(PackFacts):
    """What a wording may declare: the facts of the pack, and the index of its documents."""

    index: list[IndexRow]
