"""Create and settle conversions."""

from django.db import transaction

from api.sandbox import quotes
from api.sandbox.disbursing import Disbursing
from api.sandbox.models import Conversion
from console.accounts.actors import Actor

CONVERSIONS = Disbursing(Conversion, "conversion")


@transaction.atomic(savepoint=False)
def create(conversion: Conversion, *, tries: int, by: Actor) -> Conversion:
    """Use the quote and convert what it is of, or refuse and leave the quote unused."""
    quotes.use(conversion.quote)
    return CONVERSIONS.create(conversion, tries=tries, by=by)
