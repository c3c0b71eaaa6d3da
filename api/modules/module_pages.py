"""Contents of module pages: lists, single objects, and what replaces them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from django.http import Http404, QueryDict
from django.urls import reverse

from api.modules import module_filters, module_resources, own_calls, shown_values
from api.modules.module_filters import ModuleFilter
from api.modules.module_resources import ModuleResource
from api.modules.shown_values import ShownColumn, ShownMember, ShownValue
from api.operations import Operation
from api.payments.models import NotApplied
from api.problems import ApiProblem
from api.providers import connected
from api.reference import sample_calls
from api.v1.words import title_of
from apikeys.lifecycle import OPENS, Environment
from apikeys.models import ApiKey, Grant
from console.accounts.models import Business
from console.audit import history
from console.audit.history import HistoryLine
from console.catalogue import module_settings
from console.catalogue.definitions import PRODUCTS, Product

# Reasons of held payments that may still count.
_MAY_COUNT = (None, NotApplied.CONFIRMING)
# What the card of held payments shows of each.
_OF_HELD = ("id", "amount", "reason", "seen_at")
# Maximum number of lines of an object's history.
_MOST_LINES = 100


@dataclass(frozen=True)
class ModulePlace:
    """A module of a business in one environment. `shown` are the modules the business sees."""

    business: Business
    product: Product
    environment: Environment
    shown: frozenset[str]

    @cached_property
    def grant(self) -> Grant:
        return own_calls.grant_in(self.business, self.environment)

    @property
    def resources(self) -> tuple[ModuleResource, ...]:
        return module_resources.of_product(self.product.key)

    @property
    def is_open(self) -> bool:
        """Tell whether keys can use the product here."""
        return self.grant.is_open and self.product.key in self.grant.products

    def resource(self, key: str) -> ModuleResource:
        """Return the resource with this URL key, or raise a 404."""
        found = next((one for one in self.resources if one.key == key), None)
        if found is None:
            raise Http404
        return found

    def address_of(self, resource: ModuleResource, row_id: str = "") -> str:
        """Return the URL of a resource, or of one of its objects, in this environment."""
        names = [self.business.public_id, resource.product, resource.key]
        address = (
            reverse("api:module_row", args=[*names, row_id])
            if row_id
            else reverse("api:module_resource", args=names)
        )
        return f"{address}?environment={self.environment}"

    def link(self, name: str, value: str) -> str:
        """Return the URL of the object that a field such as `customer_id` names, or ""."""
        named = module_resources.of_word(name.removesuffix("_id")) if name.endswith("_id") else None
        return self.address_of(named, value) if named and named.product in self.shown else ""


@dataclass(frozen=True)
class ListedRow:
    """A row of a list. `url` is its own page, if it has one."""

    cells: list[tuple[ShownColumn, ShownValue]]
    url: str


@dataclass(frozen=True)
class HeldPayment:
    """A payment that waits for the business's decision."""

    id: str
    cells: list[tuple[ShownColumn, ShownValue]]


@dataclass(frozen=True)
class ModuleList:
    """A page of a list; `problem` says why there is none."""

    name: str
    columns: list[ShownColumn]
    filters: list[ModuleFilter]
    rows: list[ListedRow]
    next_cursor: str | None = None
    prev_cursor: str | None = None
    problem: ApiProblem | None = None
    lacks_provider: bool = False

    @property
    def status(self) -> int:
        """Return the status of the page: a mistake in its address is reported, not ignored."""
        return 200 if self.problem is None else self.problem.status


def place_of(business: Business, module: str, environment: str) -> ModulePlace:
    """Return a module that the business sees, or raise a 404."""
    shown = module_settings.shown(business.pk)
    if module not in PRODUCTS or module not in shown or environment not in Environment.values:
        raise Http404
    return ModulePlace(business, PRODUCTS[module], Environment(environment), shown)


def list_of(place: ModulePlace, resource: ModuleResource, asked: QueryDict) -> ModuleList:
    """Return a page of the list, filtered by the query string."""
    assert resource.listing is not None
    with_pages = resource.has_rows_of_their_own
    url = partial(place.address_of, resource) if with_pages else None
    return _list(place, resource.listing, resource.name, asked, url)


def parts_of(
    place: ModulePlace, resource: ModuleResource, row_id: str, asked: QueryDict
) -> list[ModuleList]:
    """Return a list for each kind of object that belongs to this one."""
    return [
        _list(
            place,
            one,
            title_of(one.path.rpartition("/")[2]),
            asked,
            None,
            id=row_id,
        )
        for one in resource.parts
    ]


def read(place: ModulePlace, resource: ModuleResource, **names: str) -> dict[str, Any]:
    """Return an object as the API returns it, or raise ApiProblem."""
    assert resource.reading is not None
    return own_calls.ask(resource.reading, place.grant, **names)


def row_of(place: ModulePlace, resource: ModuleResource, row_id: str) -> dict[str, Any]:
    """Return an object as the API returns it, or raise a 404.

    It may not exist, or be another business's or in the other environment.
    """
    if not resource.has_rows_of_their_own:
        raise Http404
    try:
        return read(place, resource, id=row_id)
    except ApiProblem:
        raise Http404 from None


def members_of(
    place: ModulePlace, resource: ModuleResource, row: Mapping[str, Any]
) -> tuple[ShownMember, ...]:
    """Return all fields of an object."""
    assert resource.reading is not None
    return shown_values.members(module_resources.members_of(resource.reading), row, place.link)


def history_of(row_id: str, row: Mapping[str, Any]) -> list[HistoryLine]:
    """Return what happened to an object and its payments, newest first."""
    payments = [str(payment["id"]) for payment in row.get("payments", ())]
    return list(history.lines(history.about([row_id, *payments])[:_MOST_LINES]))


def held_payments(
    place: ModulePlace, resource: ModuleResource, row: Mapping[str, Any]
) -> list[HeldPayment]:
    """Return the payments of a checkout session that the business can accept or return."""
    payments = row.get("payments", ()) if row.get("object") == "checkout_session" else ()
    held = [one for one in payments if one["status"] == "held" and one["reason"] not in _MAY_COUNT]
    if not held:
        return []
    assert resource.reading is not None
    payment: Any = module_resources.members_of(resource.reading)["payments"]
    fields = payment.child.fields
    columns = shown_values.columns(fields, with_pages=False, chosen=_OF_HELD)
    return [
        HeldPayment(one["id"], shown_values.cells(columns, fields, one, place.link)) for one in held
    ]


def first_call(place: ModulePlace, making: Operation | None, *, names_key: bool) -> str:
    """Return a command that creates the first object, or "" if the API cannot."""
    if making is None or (making.is_test_helper and place.environment != Environment.SANDBOX):
        return ""
    keys = ApiKey.objects.of(place.business).filter(
        grant__environment=place.environment, status__in=OPENS
    )
    key = keys.first() if names_key else None
    return sample_calls.curl(making, key.public_id if key else "", place.environment)


def _list(
    place: ModulePlace,
    listing: Operation,
    name: str,
    asked: QueryDict,
    url: "partial[str] | None",
    **names: str,
) -> ModuleList:
    fields = module_resources.members_of(listing)
    chosen = listing.view.serializer_class.columns if url else ()
    found = shown_values.columns(fields, with_pages=url is not None, chosen=chosen)
    filters = module_filters.of_listing(listing, asked)
    query = module_filters.query_of(listing, asked)
    try:
        page = own_calls.ask(listing, place.grant, query, **names)
    except ApiProblem as problem:
        return ModuleList(name, found, filters, [], problem=problem)
    rows = [
        ListedRow(shown_values.cells(found, fields, row, place.link), url(row["id"]) if url else "")
        for row in page["data"]
    ]
    lacks_provider = listing.view.needs_provider and not connected.serves(
        place.environment, listing.product
    )
    return ModuleList(
        name,
        found,
        filters,
        rows,
        page["next_cursor"],
        page["prev_cursor"],
        lacks_provider=lacks_provider and not rows,
    )
