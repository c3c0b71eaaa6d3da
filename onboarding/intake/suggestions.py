"""Suggested answers to open questions, from what the console already knows."""

from collections.abc import Mapping
from typing import Any

from console.accounts.models import Business, User
from onboarding.intake.answer_set import AnswerSet
from onboarding.intake.signatory import ME, WHO
from onboarding.questionnaire.answer_problems import Typed

# Countries with a single company register, by its local name.
REGISTERS = {
    "AT": "Firmenbuch", "AU": "Australian Securities and Investments Commission",
    "BE": "Banque-Carrefour des Entreprises", "CY": "Department of Registrar of Companies",
    "DK": "Det Centrale Virksomhedsregister", "EE": "Äriregister",
    "ES": "Registro Mercantil", "FI": "Kaupparekisteri",
    "FR": "Registre du commerce et des sociétés", "GB": "Companies House",
    "GH": "Office of the Registrar of Companies", "HK": "Companies Registry",
    "IE": "Companies Registration Office", "IN": "Registrar of Companies",
    "IT": "Registro delle imprese", "KE": "Business Registration Service",
    "LU": "Registre de commerce et des sociétés", "MT": "Malta Business Registry",
    "NG": "Corporate Affairs Commission", "NL": "Kamer van Koophandel",
    "NO": "Foretaksregisteret", "NZ": "New Zealand Companies Office",
    "PL": "Krajowy Rejestr Sądowy", "PT": "Registo Comercial", "RW": "Rwanda Development Board",
    "SE": "Bolagsverket", "SG": "Accounting and Corporate Regulatory Authority",
    "UG": "Uganda Registration Services Bureau",
    "ZA": "Companies and Intellectual Property Commission",
}  # fmt: skip
# The currency of a country whose currency we hold.
_CURRENCIES = {
    "CA": "CAD", "CD": "CDF", "GB": "GBP", "GH": "GHS", "KE": "KES", "NG": "NGN", "US": "USD",
    "ZA": "ZAR", **dict.fromkeys(
        ("AT", "BE", "CY", "DE", "EE", "ES", "FI", "FR", "GR", "HR", "IE", "IT", "LT", "LU", "LV",
         "MT", "NL", "PT", "SI", "SK"), "EUR"),
}  # fmt: skip
# With only what we suggest, an address or a corridor is not an answer.
_BEGUN = ("li_registered_address", "co_rows")


def suggestions(given: AnswerSet, business: Business, reader: User) -> dict[str, Typed]:
    """Return suggestions as form values, by question, except for questions already answered."""
    known = given.values
    country = known.get("li_country_incorporation", "")
    email = known.get("li_contact_email", "")
    currency = known.get("vo_currency") or _first(known.get("co_rows"), "currency")
    is_signing = known.get(WHO) == ME and email == reader.email
    found: dict[str, Typed] = {
        "li_legal_name": business.name,
        "li_register": REGISTERS.get(country, ""),
        "li_registered_address": {"country": country} if country else {},
        "li_operating_countries": [country] if country else [],
        "li_contact_name": reader.name,
        "li_contact_email": reader.email,
        "ow_signatory_title": known.get("li_contact_title", "") if is_signing else "",
        "pr_tech_email": email,
        "vo_currency": currency,
        "se_currencies": [currency] if currency else [],
        "se_bank_country": country,
        "co_rows": [_corridor(country)] if country else [],
        "dh_locations": [country] if country else [],
        "dh_transfer": "same_jurisdiction" if known.get("dh_locations") == [country] else "",
        "dh_privacy_email": email,
    }
    return {key: typed for key, typed in found.items() if typed and key not in given.rows}


def _corridor(country: str) -> dict[str, str]:
    """Return what the country of incorporation says of a first corridor: it begins there."""
    return {"from": country} | (
        {"currency": currency} if (currency := _CURRENCIES.get(country)) else {}
    )


def without_begun(typed: Mapping[str, Typed], suggested: Mapping[str, Typed]) -> dict[str, Typed]:
    """Return the form values, without an address or corridors that have only what we suggest.

    Otherwise, saving a draft would fail because of an address that the user has not started.
    """
    return {
        key: value
        for key, value in typed.items()
        if key not in _BEGUN or key not in suggested or _filled(value) != suggested[key]
    }


def _filled(value: Any) -> Any:
    """Return the parts and rows of an answer that are not empty."""
    if isinstance(value, dict):
        return {name: text for name, text in value.items() if text.strip()}
    if isinstance(value, list):
        return [row for one in value if (row := _filled(one))]
    return value


def _first(rows: Any, column: str) -> str:
    return str(rows[0].get(column, "")) if rows else ""
