"""What a cleared application tells the layers above: plain values, frozen with it."""

from decimal import Decimal
from typing import Any

from console.accounts.models import Business
from console.core.money import Money
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Application, Submission
from onboarding.questionnaire.schema import Answers
from onboarding.reference import countries
from onboarding.risk.facts import BASE_PRODUCTS

SETTLEMENT = {"prefunded": "prefunded", "t1": "T+1", "t2": "T+2", "t3": "T+3", "weekly": "weekly"}


def of(application: Application) -> dict[str, Any]:
    """Return the facts of the newest submission, and the hashes that pin them.

    Money and percentages are decimal strings, days `YYYY-MM-DD`, countries ISO 3166-1 alpha-2.
    """
    submission, assessment = application.submission, application.assessment
    assert submission is not None, f"{application} was never submitted"
    answers = submission.answers
    return {
        "application": application.public_id,
        "submission": submission.public_id,
        "submission_sha256": submission.submission_sha256,
        "assessment": assessment.public_id if assessment else "",
        "tier": assessment.tier if assessment else "",
        "business": _business(answers),
        **_people(answers),
        "products": products(submission),
        "role": _role(answers),
        **_money(answers),
        "card_data": answers["dh_card_data"],
        "personal_data": _personal_data(answers),
        "downstream": _downstream(answers),
        "end_users": answers["bm_customers"],
        "licensing": _licensing(answers),
    }


def products(submission: Submission) -> list[str]:
    """Return the products that a submission asks for; the base products are in every one."""
    return [*BASE_PRODUCTS, *submission.answers["pr_products"]]


def legal_name(business: Business) -> str:
    """Return the legal name that the executed application of a business states.

    Its name, where none is executed: that one the business can change by itself.
    """
    executed = Application.objects.of(business).filter(status=ApplicationStatus.EXECUTED)
    application = executed.select_related("submission").first()
    if application is None or application.submission is None:
        return business.name
    return str(application.submission.answers["li_legal_name"])


def _business(answers: Answers) -> dict[str, Any]:
    country = answers["li_country_incorporation"]
    return {
        "legal_name": answers["li_legal_name"],
        "native_name": answers.get("li_native_name", ""),
        "trading_names": [answers["li_trading_name"]] if "li_trading_name" in answers else [],
        "legal_form": answers["li_legal_form"],
        "register": answers["li_register"],
        "registration_number": answers["li_registration_number"],
        "incorporated_on": answers["li_incorporation_date"],
        "country": country,
        "country_name": countries.name(country),
        "address": address_lines(answers["li_registered_address"]),
        "website": answers.get("li_website", ""),
    }


def address_lines(address: dict[str, str]) -> list[str]:
    """Return an address as it is written on an envelope, without empty lines."""
    town = " ".join(part for part in (address["city"], address.get("postal_code", "")) if part)
    lines = [address["line1"], address.get("line2", ""), town, address.get("state", "")]
    return [line for line in [*lines, countries.name(address["country"])] if line]


def _people(answers: Answers) -> dict[str, Any]:
    return {
        "contact": {
            "name": answers["li_contact_name"],
            "title": answers["li_contact_title"],
            "email": answers["li_contact_email"],
            "phone": answers["li_contact_phone"],
        },
        "signatory": {
            "name": answers["ow_signatory_name"],
            "title": answers["ow_signatory_title"],
            "email": answers["ow_signatory_email"],
            "basis": answers["ow_signatory_basis"],
        },
        "privacy_contact": _mailbox("Privacy contact", answers["dh_privacy_email"]),
        "technical_contact": _mailbox("Technical contact", answers["pr_tech_email"]),
    }


def _mailbox(name: str, email: str) -> dict[str, str]:
    return {"name": name, "title": "", "email": email}


def _role(answers: Answers) -> str:
    """What the business is to us, from what it says about licences and downstream merchants."""
    if answers["dm_type"] == "sub_merchants":
        return "psp" if answers["lc_regulated"] else "platform"
    return "agent" if answers["ff_client_money"] else "own_use"


def _money(answers: Answers) -> dict[str, Any]:
    monthly = _decimal(answers["vo_m12_value"])
    return {
        "corridors": [_corridor(row) for row in answers["co_rows"]],
        "currencies": list(
            dict.fromkeys(
                [row["currency"] for row in answers["co_rows"]] + answers["se_currencies"]
            )
        ),
        "volumes": {
            "currency": answers["vo_currency"],
            "monthly_value": monthly,
            "monthly_payments": answers["vo_m12_count"],
            "peak_monthly_value": monthly,
            "largest_payment": _decimal(answers["vo_max_ticket"]),
        },
        "funds_flow": {"model": "held", "client_money": answers["ff_client_money"]},
        "settlement": {
            "model": SETTLEMENT[answers["se_model"]],
            "currencies": answers["se_currencies"],
        },
    }


def _corridor(row: dict[str, str]) -> dict[str, str]:
    return {
        "origin": row["from"],
        "origin_name": countries.name(row["from"]),
        "destination": row["to"],
        "destination_name": countries.name(row["to"]),
        "send_currency": row["currency"],
        "receive_currency": row["currency"],
        "share": f"{Decimal(row['share']):.2f}",
    }


def _personal_data(answers: Answers) -> dict[str, Any]:
    home = answers["li_country_incorporation"]
    kept = answers["dh_locations"]
    return {
        "categories": [key for key in answers["dh_categories"] if key != "none"],
        "locations": _places(kept),
        "transfers": _places([code for code in kept if code != home]),
        "mechanism": answers["dh_transfer"],
        "retention_months": answers["dh_retention_months"],
        "subprocessors": [],
    }


def _downstream(answers: Answers) -> dict[str, Any]:
    return {
        "kind": answers["dm_type"],
        "merchants": answers.get("dm_count", 0),
        "nested": answers.get("dm_nested", False),
        "countries": _places(answers.get("dm_countries", [])),
    }


def _licensing(answers: Answers) -> dict[str, Any]:
    regulated = answers["lc_regulated"]
    licence = {
        "regulator": answers.get("lc_regulator", ""),
        "kind": answers.get("lc_licence_kind", ""),
        "number": answers.get("lc_licence_number", ""),
        "country_name": countries.name(answers["li_country_incorporation"]),
    }
    return {
        "regulated": regulated,
        "financial_entity": regulated,
        "critical_function": False,
        "licences": [licence] if regulated else [],
    }


def _places(codes: list[str]) -> list[dict[str, str]]:
    return [{"code": code, "name": countries.name(code)} for code in codes]


def _decimal(amount: dict[str, Any]) -> str:
    return Money(amount["minor"], amount["currency"]).decimal()
