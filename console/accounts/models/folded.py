"""Transforms of names: `name__folded__contains` finds a name however people spell it."""

from django.db.models import CharField, Transform


@CharField.register_lookup
class Folded(Transform):
    """A name without case, accents, apostrophes and hyphens, as are the words it is compared to."""

    lookup_name = "folded"
    function = "public.accounts_folded"
    bilateral = True


class NameOrder(Transform):
    """A name as lists are ordered by it: not by case, accents and the code of each letter."""

    function = "public.accounts_name_order"
