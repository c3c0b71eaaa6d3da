"""Create and use quotes."""

from decimal import ROUND_FLOOR, ROUND_HALF_EVEN

from django.db import transaction

from api.payments import exchange_rates, scoping
from api.payments.currencies import held_currencies
from api.payments.exchange_rates import DOLLAR
from api.payments.models import Quote
from console.accounts.actors import Actor
from console.accounts.models import Business
from console.core import clock
from console.core.money import Money
from console.core.refusals import Refused

LIFETIME = Quote.LIFETIME


class QuoteExpired(Refused):
    """Raised when a quote has expired or was already used."""

    code = "QUOTE_EXPIRED"


def price(business: Business, environment: str, money: Money, to: str) -> Quote:
    """Return an unsaved quote for an amount at today's rates, or raise NoProvider."""
    held = held_currencies(business.pk)
    rates = exchange_rates.current()
    rate = rates.of_pair(money.currency, to, held)
    in_dollars = rates.between(money.currency, DOLLAR)
    return Quote(
        business=business,
        environment=environment,
        from_currency=money.currency,
        from_amount=money.minor,
        to_currency=to,
        to_amount=rate.convert(money, ROUND_FLOOR).minor,
        rate=rate.text,
        dollar_amount=in_dollars.convert(money, ROUND_HALF_EVEN).minor,
        dollar_rate=in_dollars.text,
    )


@transaction.atomic
def create(quote: Quote, *, by: Actor) -> Quote:
    """Save a quote, which makes it binding."""
    quote.created_at = clock.now()
    quote.expires_at = quote.created_at + LIFETIME
    return scoping.create(quote, "quote.created", by=by)


def use(quote: Quote) -> None:
    """Use a quote, in the transaction of the operation that needs it, or raise QuoteExpired.

    A concurrent use waits for the first, and succeeds only if that was rolled back.
    """
    now = clock.now()
    unused = Quote.objects.filter(pk=quote.pk, used_at=None, expires_at__gt=now)
    if not unused.update(used_at=now):
        quote.refresh_from_db(fields=["used_at"])
        reason = "quote_used" if quote.used_at else "quote_expired"
        raise QuoteExpired("The quote has expired or was used.", reason=reason)
