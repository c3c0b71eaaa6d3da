"""What the search finds among businesses: a person's own."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Q
from django.urls import reverse

from console.accounts.models import Business
from console.shell.search import EACH, SearchHit


def businesses(user: Any, words: str) -> Iterator[SearchHit]:
    """Find the businesses one works for by a part of the name, or by their whole id."""
    rows = Business.objects.of(user)
    for business in rows.filter(Q(name__icontains=words) | Q(public_id=words))[:EACH]:
        address = reverse("accounts:business", args=[business.public_id])
        yield SearchHit(business.name, f"Business {business.public_id}", address, "building-2")
