"""Credit offers by tier, from a versioned file."""

from collections.abc import Iterator

from django.utils.translation import gettext_noop
from pydantic.dataclasses import dataclass as typed

from api.payments.commercial_files import FOLDER, CommercialFile, repeated
from console.core.money import CURRENCIES, Money, NotMoney
from console.publishing import in_use
from console.publishing.files import STRICT, JsonFiles


@typed(frozen=True, config=STRICT, kw_only=True)
class FinancingOffer:
    """Credit up to `limit` for `term_days` days at a fee, for businesses of these `tiers`."""

    id: str
    currency: str
    limit: str
    fee: str
    term_days: int
    tiers: tuple[str, ...]


@typed(frozen=True, config=STRICT, kw_only=True)
class FinancingFile(CommercialFile):
    """One version of the offers."""

    offers: tuple[FinancingOffer, ...]


def _unusable(found: FinancingFile) -> Iterator[str]:
    yield from repeated(one.id for one in found.offers)
    for one in found.offers:
        if one.currency not in CURRENCIES or CURRENCIES[one.currency].opt_in:
            yield f"{one.id} is in no currency that every business holds."
            continue
        if one.term_days < 1:
            yield f"{one.id} is for no day."
        try:
            least = min(Money.parse(text, one.currency).minor for text in (one.limit, one.fee))
        except NotMoney as wrong:
            yield f"{one.id}: {wrong}"
        else:
            if not least:
                yield f"{one.id} has no limit or no fee."


FILES = JsonFiles(
    "financing_offers",
    gettext_noop("Financing offers"),
    "api.financing.v1",
    FinancingFile,
    FOLDER,
    prefix="financing-",
    faults=_unusable,
)


def available(tier: str) -> list[FinancingOffer]:
    """Return today's offers for a business of that tier."""
    found = in_use.current(FILES).offers
    return [one for one in found if tier.lower() in one.tiers]
