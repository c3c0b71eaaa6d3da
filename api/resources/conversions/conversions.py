"""Create and settle conversions."""

from django.db import transaction

from api.resources import announcing
from api.resources.conversions.models import Conversion
from api.resources.disbursing import Disbursing
from api.resources.quotes import quotes
from console.accounts.actors import Actor


def _tell(conversion: Conversion, to: str, by: Actor) -> None:
    if to == "created":
        announcing.announce(conversion, "conversion.created", by=by)
    else:
        announcing.announce(conversion, f"conversion.{to}", by=by)


CONVERSIONS = Disbursing(Conversion, _tell)


@transaction.atomic(savepoint=False)
def create(conversion: Conversion, *, tries: int, by: Actor) -> Conversion:
    """Use the quote and convert what it is of, or refuse and leave the quote unused."""
    quotes.use(conversion.quote)
    return CONVERSIONS.create(conversion, tries=tries, by=by)
