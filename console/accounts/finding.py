"""What the search finds among businesses: staff find every one, others their own."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Q
from django.urls import reverse

from console.accounts import access
from console.accounts.models import Business
from console.accounts.roles import Permission
from console.shell.search import EACH, Hit


def businesses(user: Any, words: str) -> Iterator[Hit]:
    """Find businesses by a part of the name, or by their whole id."""
    # As behind every door of staff: without the second factor there is nothing to find.
    every = user.is_verified() and access.can(user, Permission.REVIEW_VIEW)
    rows = Business.objects.all() if every else Business.objects.of(user)
    found = rows.filter(Q(name__icontains=words) | Q(public_id=words)).order_by("name", "pk")
    for business in found[:EACH]:
        address = reverse("accounts:business", args=[business.public_id])
        yield Hit(business.name, f"Business {business.public_id}", address, "building-2")
