"""The `folded` transform: `name__folded__contains` finds a name however people spell it."""

from django.db.models import CharField, Transform


@CharField.register_lookup
class Folded(Transform):
    """A name without case, accents, apostrophes and hyphens, as are the words it is compared to."""

    lookup_name = "folded"
    function = "public.accounts_folded"
    bilateral = True
