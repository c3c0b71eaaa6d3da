"""Product prices as text, for a business that requests further products."""

from collections.abc import Iterable
from typing import cast

from django.utils.translation import gettext as _

from agreements.document_templates.facts_schema import FeeRow, Fees, TierName
from agreements.packs import commercial_terms
from agreements.packs.commercial_terms import PRICE_LISTS
from console.catalogue.definitions import Product
from console.publishing import in_use


def in_words(products: Iterable[Product], tier: str) -> dict[str, list[str]]:
    """Return each product's prices at a tier, by product key, from the current price list."""
    named = [(product.key, product.name) for product in products]
    fees = commercial_terms.fees(named, cast(TierName, tier), in_use.current(PRICE_LISTS))
    return {key: [] for key, _name in named} | of_fees(fees)


def of_fees(fees: Fees) -> dict[str, list[str]]:
    """Return the prices of each product that has any in these fees, by product key."""
    found: dict[str, list[str]] = {}
    for row in fees["rows"]:
        found.setdefault(row["product"], []).append(_words(row, fees["currency"]))
    return found


def _words(row: FeeRow, currency: str) -> str:
    """Return one price, such as `Deposit received: 0.25% per deposit, at least USD 0.05`."""
    charged = [f"{row['percent']}%"] if row["percent"] else []
    charged += [f"{currency} {row['fixed']}"] if row["fixed"] else []
    words = f"{row['item']}: {' + '.join(charged) or _('free')} {row['unit']}"
    if row["minimum"]:
        words += _(", at least %(amount)s") % {"amount": f"{currency} {row['minimum']}"}
    if row["maximum"]:
        words += _(", at most %(amount)s") % {"amount": f"{currency} {row['maximum']}"}
    return words
