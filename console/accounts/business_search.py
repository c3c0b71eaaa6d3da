"""Search over a user's own businesses."""

from collections.abc import Iterator

from django.db.models import Q

from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.core import pages_above
from console.shell.search import EACH, SearchHit


def businesses(request: ConsoleRequest, words: str) -> Iterator[SearchHit]:
    """Find a user's businesses by part of their name or by their full id."""
    rows = Business.objects.of(request.user)
    for business in rows.filter(Q(name__folded__contains=words) | Q(public_id=words))[:EACH]:
        address = pages_above.address("business_home", business.public_id)
        yield SearchHit(business.name, f"Business {business.public_id}", address, "building-2")
