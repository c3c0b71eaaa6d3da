"""The facts of an application that documents state, with the kind and source of each.

Values are plain text, integers, booleans, lists and dictionaries; money is a decimal string.
"""

from decimal import Decimal
from functools import partial
from typing import Annotated, Any, Literal, TypedDict, cast

from console.core.money import Money
from onboarding.questionnaire import fact_sources, lettering
from onboarding.questionnaire.edition_schema import Answers
from onboarding.questionnaire.fact_sources import answer, made, one_if, rows
from onboarding.reference import countries

Amount = Annotated[str, "amount"]  # "1250.00"; its currency is a separate fact
Country = Annotated[str, "country"]  # "NG"
CurrencyCode = Annotated[str, "currency"]  # "NGN"
Text = Annotated[str, "text"]  # one line, not empty
Maybe = Annotated[str, "maybe"]  # one line, or empty

YesNo = bool | None  # None if the question was not asked
Basis = Literal["sole_director", "director", "joint_directors", "authority_document"]
SigningRule = Literal["alone", "any_two", "all", "pair"]
RoleName = Literal["own_use", "platform", "agent", "psp", "bank"]


def _legal_name(latin: str, native: str | None) -> str:
    """Return a name followed by its native-script form, if documents can display that."""
    return f"{latin} ({native})" if native and not lettering.unsettable(native) else latin


def _address_lines(address: dict[str, str]) -> list[str]:
    """Return an address in postal form, without empty lines."""
    town = " ".join(filter(None, (address.get("city"), address.get("postal_code"))))
    lines = [address["line1"], address.get("line2", ""), town, address.get("state", "")]
    return [line for line in [*lines, countries.name(address["country"])] if line]


class BusinessFacts(TypedDict):
    """The applicant, as entered on its company register."""

    legal_name: Annotated[Text, made(_legal_name, "li_legal_name", "li_native_name")]
    trading_names: Annotated[
        list[Text], made(lambda name: [name] if name else [], "li_trading_name")
    ]
    legal_form: Annotated[Text, answer("li_legal_form")]
    register: Annotated[Text, answer("li_register")]
    registration_number: Annotated[Text, answer("li_registration_number")]
    country: Annotated[Country, answer("li_country_incorporation")]
    country_name: Annotated[Text, made(countries.name, "li_country_incorporation")]
    address: Annotated[list[Text], made(_address_lines, "li_registered_address")]


class Person(TypedDict):
    """A contact person."""

    name: Annotated[Text, answer("li_contact_name")]
    title: Annotated[Maybe, answer("li_contact_title")]
    email: Annotated[Text, answer("li_contact_email")]


class Cosignatory(TypedDict):
    """Another person who signs, from one row of the answer."""

    name: Annotated[Text, answer("cosignatory_name")]
    title: Annotated[Text, answer("cosignatory_title")]
    email: Annotated[Text, answer("cosignatory_email")]


def _rule(basis: str, rule: str | None) -> SigningRule:
    """Return who must sign. Editions before the question had directors who sign together."""
    return cast(SigningRule, rule or "all") if basis == "joint_directors" else "alone"


def _others(named: list[dict[str, str]] | None) -> list[dict[str, str]]:
    return [fact_sources.read(Cosignatory, row) for row in named or []]


class SignatoryFacts(TypedDict):
    """The person who signs, the basis of their authority, and who signs with them.

    `rule` says how many of them bind the company: `alone` is the signatory and nobody else.
    `authority_sha256` is of the file that gives a written authority, once legal has accepted it.
    """

    name: Annotated[Text, answer("ow_signatory_name")]
    title: Annotated[Text, answer("ow_signatory_title")]
    email: Annotated[Text, answer("ow_signatory_email")]
    basis: Annotated[Basis, answer("ow_signatory_basis")]
    rule: Annotated[SigningRule, made(_rule, "ow_signatory_basis", "ow_signing_rule")]
    others: Annotated[list[Cosignatory], made(_others, "ow_cosignatories")]
    authority_sha256: Annotated[Maybe, made(str)]


class MaybePerson(TypedDict):
    """A contact person, or three empty strings."""

    name: Maybe
    title: Maybe
    email: Maybe


def _mailbox(email: str = "", name: str = "") -> MaybePerson:
    return {"name": name, "title": "", "email": email}


class Corridor(TypedDict):
    """A payment corridor, from one row of the answer. `share` is a percentage of value."""

    origin: Annotated[Country, answer("from")]
    origin_name: Annotated[Text, made(countries.name, "from")]
    destination: Annotated[Country, answer("to")]
    destination_name: Annotated[Text, made(countries.name, "to")]
    send_currency: Annotated[CurrencyCode, answer("currency")]
    receive_currency: Annotated[CurrencyCode, answer("currency")]
    share: Annotated[Amount, made(lambda share: f"{Decimal(share):.2f}", "share")]


def _currencies(rows: list[dict[str, str]], settled: list[str]) -> list[str]:
    return list(dict.fromkeys([row["currency"] for row in rows] + settled))


def _decimal(amount: dict[str, Any]) -> str:
    return Money(amount["minor"], amount["currency"]).decimal()


class Volumes(TypedDict):
    """The volumes that the business expects twelve months after it starts."""

    currency: Annotated[CurrencyCode, answer("vo_currency")]
    monthly_value: Annotated[Amount, made(_decimal, "vo_m12_value")]
    monthly_payments: Annotated[int, answer("vo_m12_count")]
    peak_monthly_value: Annotated[Amount, made(_decimal, "vo_m12_value")]
    largest_payment: Annotated[Amount, made(_decimal, "vo_max_ticket")]


class FundsFlow(TypedDict):
    """Where the money is while we handle it, and whose it is."""

    model: Annotated[Literal["held", "passed_through", "none"], made(lambda: "held")]
    client_money: Annotated[bool, answer("ff_client_money")]


SETTLEMENT = {"prefunded": "prefunded", "t1": "T+1", "t2": "T+2", "t3": "T+3", "weekly": "weekly"}


class Settlement(TypedDict):
    """When the business is paid, and in which currencies."""

    model: Annotated[
        Literal["prefunded", "T+1", "T+2", "T+3", "weekly", "credit_line"],
        made(SETTLEMENT.get, "se_model"),
    ]
    currencies: Annotated[list[CurrencyCode], answer("se_currencies")]


class PlaceFacts(TypedDict):
    """A country's code and English name."""

    code: Country
    name: Text


def _places(codes: list[str] | None) -> list[PlaceFacts]:
    return [{"code": code, "name": countries.name(code)} for code in codes or []]


def _abroad(codes: list[str], home: str) -> list[PlaceFacts]:
    return _places([code for code in codes if code != home])


class Subprocessor(TypedDict):
    """A company that processes personal data from us for the business."""

    name: Text
    country_name: Text
    purpose: Text


class PersonalData(TypedDict):
    """Personal data that the business will send us; an empty list of categories means none.

    `transfers` are the locations that require a transfer mechanism.
    """

    categories: Annotated[
        list[Literal["names", "contact", "identity_numbers", "bank_details", "special_category"]],
        made(lambda keys: [key for key in keys if key != "none"], "dh_categories"),
    ]
    locations: Annotated[list[PlaceFacts], made(_places, "dh_locations")]
    transfers: Annotated[
        list[PlaceFacts], made(_abroad, "dh_locations", "li_country_incorporation")
    ]
    mechanism: Annotated[
        Literal["same_jurisdiction", "adequacy", "standard_clauses", "other"],
        answer("dh_transfer"),
    ]
    retention_months: Annotated[int, answer("dh_retention_months")]
    subprocessors: Annotated[list[Subprocessor], made(list)]


class Downstream(TypedDict):
    """Others who will pay or be paid through the business."""

    kind: Annotated[Literal["none", "group_only", "sub_merchants"], answer("dm_type")]
    merchants: Annotated[int, answer("dm_count", otherwise=0)]
    nested: Annotated[bool, answer("dm_nested", otherwise=False)]
    countries: Annotated[list[PlaceFacts], made(_places, "dm_countries")]


class Licence(TypedDict):
    """A licence of the business."""

    regulator: Annotated[Text, answer("lc_regulator")]
    kind: Annotated[Text, answer("lc_licence_kind")]
    number: Annotated[Text, answer("lc_licence_number")]
    country_name: Annotated[Text, made(countries.name, "li_country_incorporation")]


class Licensing(TypedDict):
    """The business's licences, and how critical our service is to it."""

    regulated: Annotated[bool, answer("lc_regulated")]
    financial_entity: Annotated[bool, answer("lc_regulated")]
    critical_function: Annotated[bool, made(lambda: False)]
    licences: Annotated[list[Licence], one_if("lc_regulated", Licence)]


def _role(downstream: str, regulated: YesNo, client_money: YesNo) -> RoleName:
    """Return the business's role, from its answers about licences and downstream merchants."""
    if downstream == "sub_merchants":
        return "psp" if regulated else "platform"
    return "agent" if client_money else "own_use"


class ApplicationFacts(TypedDict):
    """Everything that documents state from a business's answers."""

    business: BusinessFacts
    contact: Person
    signatory: SignatoryFacts
    compliance_officer: Annotated[MaybePerson, made(_mailbox)]
    privacy_contact: Annotated[
        MaybePerson, made(partial(_mailbox, name="Privacy contact"), "dh_privacy_email")
    ]
    security_contact: Annotated[MaybePerson, made(_mailbox)]
    role: Annotated[RoleName, made(_role, "dm_type", "lc_regulated", "ff_client_money")]
    corridors: Annotated[list[Corridor], rows("co_rows", Corridor)]
    currencies: Annotated[list[CurrencyCode], made(_currencies, "co_rows", "se_currencies")]
    volumes: Volumes
    funds_flow: FundsFlow
    settlement: Settlement
    card_data: Annotated[Literal["none", "tokens", "passes", "stored"], answer("dh_card_data")]
    personal_data: PersonalData
    downstream: Downstream
    end_users: Annotated[
        list[Literal["consumers", "businesses", "public_bodies", "non_profits", "financial_firms"]],
        answer("bm_customers"),
    ]
    licensing: Licensing


def facts_from(answers: Answers) -> ApplicationFacts:
    """Return the facts for these answers, which must be complete as submitted."""
    return cast(ApplicationFacts, fact_sources.read(ApplicationFacts, answers))


# Every question that a fact is derived from.
KEYS = frozenset(fact_sources.keys(ApplicationFacts))
