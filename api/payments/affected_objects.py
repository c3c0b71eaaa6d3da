"""What a change of the restricted list touches: customers, cardholders and beneficiaries."""

from collections.abc import Iterator

from django.db.models import Q, QuerySet

from api.payments.models import Beneficiary, Cardholder, Customer
from api.payments.restricted_places import account_places, residence_places
from onboarding.restrictions.affected import Stating
from onboarding.restrictions.restricted_list import RestrictionScope, StatedPlace


def customers(countries: frozenset[str]) -> Iterator[Stating]:
    """Yield customers in these countries."""
    yield from _residents(Customer.objects.all(), countries)


def cardholders(countries: frozenset[str]) -> Iterator[Stating]:
    """Yield cardholders in these countries."""
    yield from _residents(Cardholder.objects.all(), countries)


def beneficiaries(countries: frozenset[str]) -> Iterator[Stating]:
    """Yield beneficiaries in these countries, or with a bank there."""
    codes = sorted(countries)
    there = Q(country__in=codes) | Q(account__country__in=codes)
    there |= Q(account__bic__regex=f"^.{{4}}({'|'.join(codes)})")
    rows = Beneficiary.objects.filter(there, removed_at=None).select_related("business")
    for row in rows.order_by("pk").iterator():
        to = StatedPlace(row.country, RestrictionScope.CORRIDOR)
        yield Stating(row.public_id, row.business.name, (to, *account_places(row.account)))


def _residents(
    rows: "QuerySet[Customer] | QuerySet[Cardholder]", countries: frozenset[str]
) -> Iterator[Stating]:
    codes = sorted(countries)
    there = rows.filter(Q(country__in=codes) | Q(address__country__in=codes))
    for row in there.select_related("business").order_by("pk").iterator():
        places = tuple(residence_places(row.country, row.address))
        yield Stating(row.public_id, row.business.name, places)
