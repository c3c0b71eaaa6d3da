"""facts_of(): derive the risk model's facts from frozen answers. A pure function."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from console.catalogue.definitions import BASE_PRODUCTS
from onboarding.ownership.interests import nominators_of
from onboarding.ownership.owners import Ownership, ownership_of
from onboarding.ownership.structure import ANSWER, SHARED, PartyKind, is_given
from onboarding.questionnaire.edition_schema import Answers
from onboarding.reference import countries
from onboarding.reference.bands import Bands, Rates
from onboarding.risk.model import Fact

WITHOUT_POINTS = frozenset({*BASE_PRODUCTS, "rates", "merchant", "inventory"})


@dataclass(frozen=True)
class Verified:
    """What the checks, not the applicant, have established."""

    restricted: bool = False
    sanctions: str = "none"
    signatory: str | None = None


@dataclass(frozen=True)
class Reference:
    """The reference data and the date used for an assessment."""

    bands: Bands
    rates: Rates
    today: date


def facts_of(answers: Answers, verified: Verified, reference: Reference) -> dict[str, Fact]:
    """Return every fact that this edition of the questionnaire provides."""
    return {
        **_geography(answers, reference.bands, reference.today),
        **_customer(answers, reference.today),
        **(_structure if is_given(answers) else _owner_rows)(answers, reference.today),
        **_products(answers, reference.bands),
        **_transactions(answers, reference.rates),
        **_channel(answers),
        **_controls(answers),
        **_verified(verified),
    }


def _geography(answers: Answers, bands: Bands, today: date) -> dict[str, Fact]:
    home = _list(answers.get("li_country_incorporation"))
    operating = [
        *answers.get("li_operating_countries", ()),
        *_list(answers.get("se_bank_country")),
        *answers.get("dm_countries", ()),
        *(one["country"] for one in answers.get("ff_intermediaries", ())),
    ]
    owners = _owner_countries(answers, today)
    rows = answers.get("co_rows", ())
    ends = [row[end] for row in rows for end in ("from", "to")]
    risky = [r for r in rows if max(bands.country(r["from"]), bands.country(r["to"])) >= 2]
    return {
        "band_incorporation": _band(home, bands, "li_country_incorporation"),
        "band_operating": _band(operating, bands, "li_operating_countries"),
        "band_owners": _band(owners, bands, _owners_source(answers)),
        "band_corridors": _band(ends, bands, "co_rows"),
        "corridor_share_bp": Fact(
            sum(_bp(row["share"]) for row in risky) if rows else None,
            ", ".join(f"{_name(row['from'])} to {_name(row['to'])}" for row in risky),
            "co_rows",
        ),
        "band_worst": _band([*home, *operating, *owners, *ends], bands, ""),
    }


def _customer(answers: Answers, today: date) -> dict[str, Fact]:
    born = answers.get("li_incorporation_date")
    pep = answers.get("ri_pep_kind") if answers.get("ri_pep") else _no(answers.get("ri_pep"))
    adverse = answers.get("ri_adverse_kind") if answers.get("ri_adverse") else None
    return {
        "age_months": Fact(_months(date.fromisoformat(born), today) if born else None, born or ""),
        "pep": Fact(pep, source="ri_pep"),
        "adverse": Fact(adverse or _no(answers.get("ri_adverse")), source="ri_adverse"),
        "closed_accounts": Fact(
            _pick(answers.get("ri_terminated"), "closed", "none"), source="ri_terminated"
        ),
        "other_control": _yes(answers, "ow_other_control"),
    }


def _owner_rows(answers: Answers, _today: date) -> dict[str, Fact]:
    """Return the facts of the first editions, which asked for people and counted for themselves."""
    owners, layers = answers.get("ow_owners"), answers.get("ow_layers")
    traced = sum(_bp(owner["share"]) for owner in owners) if owners else None
    return {
        "layers": Fact(int(layers) if layers else None, source="ow_layers"),
        "arrangements": Fact(answers.get("ow_structure"), source="ow_structure"),
        "untraced_bp": Fact(
            None if traced is None else max(0, 10_000 - traced), source="ow_owners"
        ),
        "owner_found": Fact("yes" if owners else "no", source="ow_owners"),
    }


def _structure(answers: Answers, today: date) -> dict[str, Fact]:
    """Return the facts that the structure of owners has."""
    found = ownership_of(answers, on=today)
    loops = [" and ".join(sorted(map(found.structure.name_of, one))) for one in found.loops]
    facts = {
        "layers": Fact(found.layers),
        "arrangements": Fact(_arrangements(answers, found)),
        "untraced_bp": Fact(int(found.untraced * 10_000)),
        "owner_found": Fact(
            _pick(found.owners, "yes", "no"), ", ".join(one.party.name for one in found.owners)
        ),
        "ownership_loop": Fact(_pick(found.loops, "yes", "no"), ", ".join(loops)),
    }
    if any(one.interest not in SHARED for one in found.structure.holdings):
        facts["other_control"] = Fact("yes")
    return {key: replace(fact, source=ANSWER) for key, fact in facts.items()}


def _arrangements(answers: Answers, found: Ownership) -> list[str] | None:
    """Return the kinds of arrangement, or None while nobody answered about bearer shares."""
    if (bearer := answers.get("ow_bearer_shares")) is None:
        return None
    is_there = {
        "trust": any(one.kind == PartyKind.ARRANGEMENT for one in found.structure.parties),
        "nominee": bool(nominators_of(found.structure)),
        "bearer": bearer,
    }
    return [kind for kind, is_so in is_there.items() if is_so] or ["none"]


def _owner_countries(answers: Answers, today: date) -> list[str]:
    """Return where owners live, and where organisations between are registered."""
    if not is_given(answers):
        return [owner["country"] for owner in answers.get("ow_owners", ())]
    found = ownership_of(answers, on=today, is_high=True)
    shown = (one for one in found.positions if one.is_owner or not one.party.is_person)
    return [one.party.country for one in shown if one.party.country]


def _owners_source(answers: Answers) -> str:
    return ANSWER if is_given(answers) else "ow_owners"


def _products(answers: Answers, bands: Bands) -> dict[str, Fact]:
    wanted, industry = answers.get("pr_products"), answers.get("bm_industry")
    counted = None if wanted is None else len(set(wanted) - WITHOUT_POINTS)
    return {
        "band_industry": Fact(bands.industry(industry) if industry else None, source="bm_industry"),
        "products": Fact([*BASE_PRODUCTS, *wanted] if wanted else None, source="pr_products"),
        "counted_products": Fact(counted, source="pr_products"),
        "end_users": Fact(answers.get("bm_end_user_id"), source="bm_end_user_id"),
    }


def _transactions(answers: Answers, rates: Rates) -> dict[str, Fact]:
    returns = answers.get("vo_return_rate")
    others = [answers.get("ff_client_money"), answers.get("se_third_party")]
    return {
        "monthly_euro_cents": _euros(answers, "vo_m12_value", rates),
        "largest_euro_cents": _euros(answers, "vo_max_ticket", rates),
        "origin": Fact(answers.get("ff_origin"), source="ff_origin"),
        "client_money": _yes(answers, "ff_client_money"),
        "other_peoples_money": Fact(
            None if None in others else _pick(any(others), "yes", "no"), source="ff_client_money"
        ),
        "returns_bp": Fact(None if returns is None else _bp(returns), source="vo_return_rate"),
    }


def _channel(answers: Answers) -> dict[str, Fact]:
    kind = answers.get("dm_type")
    checked = answers.get("dm_kyc") == "regulated" and answers.get("lc_regulated")
    sub_merchants = "sub_regulated" if checked else "sub_other"
    has_sub_merchants = kind == "sub_merchants"
    return {
        "introduced": Fact(answers.get("ri_introduced"), source="ri_introduced"),
        "downstream": Fact(sub_merchants if has_sub_merchants else kind, source="dm_type"),
        "nested": _yes(answers, "dm_nested") if has_sub_merchants else Fact("no"),
        "downstream_count": Fact(answers.get("dm_count") if has_sub_merchants else 0),
    }


def _controls(answers: Answers) -> dict[str, Fact]:
    needed = answers.get("lc_regulated") or answers.get("dm_type") == "sub_merchants"
    aml = answers.get("lc_aml")
    touches = answers.get("dh_card_data") in ("passes", "stored")
    attested = answers.get("dh_pci") in ("assessor", "self")
    return {
        "licence": Fact(answers.get("lc_needed"), source="lc_needed"),
        "aml": Fact(_aml(aml, needed=bool(needed)), source="lc_aml"),
        "screening": Fact(answers.get("lc_screening"), source="lc_screening"),
        "card_data": Fact(_pick(touches and not attested, "yes", "no"), source="dh_card_data"),
        "breach": _yes(answers, "dh_breach"),
    }


def _aml(answer: str | None, *, needed: bool) -> str | None:
    """Return the AML answer. "Does not apply" is the same as none if a programme is required."""
    if answer is None:
        return None
    if not needed:
        return "not_applicable"
    return "absent" if answer == "not_applicable" else answer


def _verified(verified: Verified) -> dict[str, Fact]:
    return {
        "restricted": Fact(_pick(verified.restricted, "yes", "no")),
        "sanctions_match": Fact(verified.sanctions),
        "signatory_verified": Fact(verified.signatory, source="check"),
    }


def _band(codes: Iterable[str], bands: Bands, source: str) -> Fact:
    by_band = sorted({(bands.country(code), code) for code in codes})
    if not by_band:
        return Fact(None, source=source)
    top = by_band[-1][0]
    named = ", ".join(_name(code) for band, code in by_band if band == top) if top else ""
    return Fact(top, named, source)


def _euros(answers: Answers, key: str, rates: Rates) -> Fact:
    amount = answers.get(key)
    if amount is None:
        return Fact(None, source=key)
    cents = rates.euro_cents(amount["minor"], amount["currency"])
    return Fact(cents, f"about EUR {cents // 100:,}", key)


def _yes(answers: Answers, key: str) -> Fact:
    value = answers.get(key)
    return Fact(None if value is None else _pick(value, "yes", "no"), source=key)


def _months(since: date, today: date) -> int:
    months = (today.year - since.year) * 12 + today.month - since.month
    return max(0, months - (today.day < since.day))


def _pick(condition: object, yes: str, no: str) -> str:
    return yes if condition else no


def _no(answer: object) -> str | None:
    return "none" if answer is False else None


def _bp(percent: str) -> int:
    return int(Decimal(percent) * 100)


def _list(code: str | None) -> list[str]:
    return [code] if code else []


def _name(code: str) -> str:
    return countries.name(code)
