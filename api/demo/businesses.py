"""The demo businesses: the stage of each, and its answers."""

from dataclasses import dataclass, field
from typing import Any

from api.demo import worked_examples
from console.catalogue.definitions import BASE_PRODUCTS, PRODUCTS

# A software company in one low-risk country: tier LOW, so no manual decision is needed.
_LOW_RISK: dict[str, Any] = {
    "li_country_incorporation": "GB",
    "li_legal_form": "Private limited company",
    "li_register": "Companies House",
    "li_incorporation_date": "2016-04-01",
    "li_operating_countries": ["GB"],
    "ow_bearer_shares": "no",
    "ow_other_control": "no",
    "ow_signatory_title": "Director",
    "ow_signatory_basis": "director",
    "bm_summary": "We sell coffee equipment to small kiosks and earn a margin on each sale.",
    "bm_industry": "software",
    "bm_customers": ["businesses"],
    "bm_end_user_id": "always",
    "pr_products": ["customers", "checkout", "refunds"],
    "pr_use": "Taking payments on our own shop, and giving money back when something is returned.",
    "co_rows": [{"from": "GB", "to": "GB", "currency": "GBP", "share": "100"}],
    "co_purpose": ["goods"],
    "co_controls": ["bank_country"],
    "vo_currency": "GBP",
    "vo_m12_value": "18000.00",
    "vo_m12_count": "900",
    "vo_max_ticket": "240.00",
    "vo_return_rate": "0.2",
    "vo_basis": "forecast",
    "ff_steps": "A customer pays us by bank transfer into our account at our bank in Bristol.",
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
    "dm_type": "none",
    "ri_pep": "no",
    "ri_sanctions": "no",
    "ri_adverse": "no",
    "ri_terminated": "no",
    "ri_introduced": "directly",
}
# Stages, in order.
NOT_STARTED, ANSWERING, IN_REVIEW, READING, PARTLY_SIGNED, APPROVING, ALMOST_LIVE, LIVE = (
    "not_started",
    "answering",
    "in_review",
    "reading",
    "partly_signed",
    "approving",
    "almost_live",
    "live",
)


@dataclass(frozen=True)
class DemoBusiness:
    """A demo business, the stage to take it to, and its answers.

    `asked` is a question of compliance that stays open, so that the application stays in review.
    """

    key: str
    name: str
    stage: str
    answers: dict[str, Any] = field(default_factory=dict)
    asked: str = ""


def owner(name: str, share: str, **own: str) -> dict[str, str]:
    """Return a person who owns a share of the business directly, in the form's format."""
    person = {"kind": "person", "country": "GB", "born": "1984-05-02"}
    holding = {"holds.0.owned": "business", "holds.0.share": share}
    return {"name": name, **person, **holding, **own}


def answers_of(domain: str, name: str, number: str, signatory: str, **own: Any) -> dict[str, Any]:
    """Complete questionnaire answers of a low-risk business, in the form's format.

    The signatory is a colleague of the person who answers, unless the answers say otherwise.
    """
    first = signatory.split()[0].lower()
    home = own.get("li_country_incorporation", "GB")
    colleague = {
        "ow_signatory": "colleague",
        "ow_signatory_name": signatory,
        "ow_signatory_email": f"{first}@{domain}",
    }
    return {
        **_LOW_RISK,
        "li_legal_name": name,
        "li_registration_number": number,
        "li_registered_address": {
            "line1": "14 Quay Lane",
            "city": "Bristol",
            "postal_code": "BS1 4XX",
            "country": home,
        },
        "li_website": f"https://{domain}",
        "li_contact_name": signatory,
        "li_contact_title": "Director",
        "li_contact_email": f"{first}@{domain}",
        "li_contact_phone": "+44 20 7946 0018",
        "ow_structure_of_owners": [owner(signatory, "100", country=home, director="yes")],
        **({} if "ow_signatory" in own else colleague),
        "pr_tech_email": f"dev@{domain}",
        "dh_privacy_email": f"privacy@{domain}",
        **own,
    }


def _business(
    key: str, name: str, stage: str, number: str, signatory: str, **own: Any
) -> DemoBusiness:
    return DemoBusiness(
        key, name, stage, answers_of(f"{key}.example", name, number, signatory, **own)
    )


def _example(
    key: str, name: str, number: str, signatory: str, *, answers: dict[str, Any], asked: str = ""
) -> DemoBusiness:
    typed = answers_of(f"{key}.example", name, number, signatory, **answers)
    return DemoBusiness(key, name, IN_REVIEW, typed, asked)


BUSINESSES = (
    DemoBusiness("harmattan", "Harmattan Books Limited", NOT_STARTED),
    _business(
        "quayside",
        "Quayside Tickets Ltd",
        ANSWERING,
        "09999994",
        "Elin Morgan",
        ow_signatory="me",
        ow_structure_of_owners=[
            owner("Elin Morgan", "40", director="yes", id="p1")
            | {"holds.1.owned": "p2", "holds.1.share": "75"},
            owner("Morgan Holdings Ltd", "60", kind="entity", number="09999982", id="p2"),
            owner("Rhodri Morgan", "25", born="1952-03-14", id="p3") | {"holds.0.owned": "p2"},
        ],
    ),
    _business(
        "savanna",
        "Savanna Freight Limited",
        APPROVING,
        "RC 1482093",
        "Tunde Bakare",
        li_country_incorporation="NG",
        li_legal_form="Private company limited by shares",
        li_register="Corporate Affairs Commission",
        li_operating_countries=["NG", "GH"],
        li_registered_address={
            "line1": "8 Harbour Close",
            "line2": "Victoria Island",
            "city": "Lagos",
            "postal_code": "101241",
            "country": "NG",
        },
        bm_summary="We move goods between Lagos and Accra and pay drivers and depots abroad.",
        pr_products=["customers", "payouts", "remittance", "conversions"],
        pr_use="Paying drivers and depots in Ghana, from what our customers pay us in naira.",
        co_rows=[
            {"from": "NG", "to": "GH", "currency": "NGN", "share": "70"},
            {"from": "NG", "to": "NG", "currency": "NGN", "share": "30"},
        ],
        vo_currency="NGN",
        vo_m12_value="480000000.00",
        vo_m12_count="4200",
        vo_max_ticket="9000000.00",
        se_currencies=["NGN", "USD"],
        se_bank_country="NG",
        dh_locations=["NG"],
    ),
    _business(
        "kettle",
        "Kettle & Kiosk Ltd",
        LIVE,
        "09999991",
        "Mara Ellwood",
        ow_signatory="me",
        bm_summary="We equip small kiosks: our counter sells coffee, top-ups, bills and"
        " tickets, takes the payments, and pays suppliers and staff. We earn a fee per sale.",
        pr_products=[key for key in PRODUCTS if key not in BASE_PRODUCTS],
        pr_use="Whatever a kiosk sells, and all that it receives, holds and pays out, goes"
        " through our counter; we want to try every part of it before we choose.",
        dh_categories=["names", "contact", "identity_numbers", "bank_details"],
    ),
    _business(
        "lumen",
        "Lumen Lessons Ltd",
        READING,
        "09999988",
        "Joan Ferreira",
        ow_signatory="me",
        bm_summary="We teach languages online, in small groups, and charge by the lesson.",
        bm_customers=["consumers"],
    ),
    # Its two directors sign together, and one of them has signed.
    _business(
        "orchard",
        "Orchard Street Press Ltd",
        PARTLY_SIGNED,
        "09999986",
        "Greta Lindqvist",
        ow_signatory="me",
        ow_signatory_basis="joint_directors",
        ow_signing_rule="all",
        ow_cosignatories=[
            {
                "cosignatory_name": "Milo Ferrer",
                "cosignatory_email": "milo@orchard.example",
                "cosignatory_title": "Director",
            }
        ],
        ow_structure_of_owners=[
            owner("Greta Lindqvist", "50", director="yes"),
            owner("Milo Ferrer", "50", director="yes"),
        ],
        bm_summary="We print and sell small books, in our shop and on our own site.",
        bm_customers=["consumers"],
    ),
    # Few products keep its pack small.
    _business(
        "marlow",
        "Marlow Bikes Ltd",
        ALMOST_LIVE,
        "09999985",
        "Isla Grant",
        ow_signatory="me",
        bm_summary="We repair and sell bicycles, in our workshop and on our own site.",
        bm_customers=["consumers"],
    ),
    # A politically exposed person makes the tier HIGH: compliance decides, and has asked why.
    _business(
        "cedar",
        "Cedar Tutors Ltd",
        IN_REVIEW,
        "09999982",
        "Nadia Haddad",
        ow_signatory="me",
        bm_summary="We find tutors for families abroad and keep a part of each lesson's price.",
        bm_customers=["consumers"],
        ri_pep="yes",
        ri_pep_kind="foreign",
        ri_pep_people=[
            {
                "name": "Karim Haddad",
                "relation": "family",
                "office": "Member of parliament since 2021, brother of Nadia Haddad",
            }
        ],
    ),
    # The simulated screening finds the owner's name, and the register does not know the number.
    _business(
        "tidal",
        "Tidal Gear Ltd",
        IN_REVIEW,
        "09999000",
        "Rhys Sanctioned Cole",
        ow_signatory="me",
        bm_summary="We rent diving equipment on two coasts and charge by the day.",
    ),
    # The worked examples of the risk model, E1 to E6.
    _example(
        *("prosser", "Prosser Software Ltd", "09990301", "Owen Prosser"),
        answers=worked_examples.SOFTWARE,
        asked="How many firms pay you each month?",
    ),
    _example(
        *("bramble", "Bramble Market Ltd", "09990302", "Hazel Bright"),
        answers=worked_examples.MARKETPLACE,
        asked="Which of your sellers are the ten largest?",
    ),
    _example(
        *("hopkin", "Hopkin Haulage Ltd", "09990303", "Marged Visited Hopkin"),
        answers=worked_examples.LOGISTICS,
    ),
    _example(
        *("baobab", "Baobab Remit Limited", "RC 1482094", "Adaeze Adeola"),
        answers=worked_examples.REMITTER,
    ),
    _example(
        *("lloyd", "Lloyd Software Ltd", "09990305", "Gethin Lloyd"),
        answers=worked_examples.EXPORTER,
    ),
    _example(
        *("pepperbox", "Pepperbox Club Ltd", "09990306", "Tessa Scanned Vickers"),
        answers=worked_examples.SUBSCRIPTIONS,
    ),
)
