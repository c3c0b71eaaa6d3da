"""Search for API objects of a user's own businesses, by ID."""

from collections.abc import Callable, Iterator
from typing import Any

from django.http import Http404

from api.modules import module_pages, module_resources
from api.payments.models import CardTransaction, Deposit, SavingsMovement
from console.accounts import access
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.roles import Permission
from console.shell.search import SearchHit

# Objects without a page of their own: the model, and the ID of the object whose page shows them.
_WITHIN: dict[str, tuple[Any, Callable[[Any], str]]] = {
    "dep": (Deposit, lambda one: one.checkout_session_id or one.virtual_account_id),
    "svm": (SavingsMovement, lambda one: one.savings_id),
    "ctx": (CardTransaction, lambda one: one.card_id),
}
# What has a better page. `apikeys.register.own_search` finds it.
_ELSEWHERE = ("whe", "whd", "whr")


def objects(request: ConsoleRequest, words: str) -> Iterator[SearchHit]:
    """Find an object in the modules that the user may see."""
    prefix, _mark, rest = words.partition("_")
    own = Business.objects.of(request.user)
    if prefix in _WITHIN:
        model, page_of = _WITHIN[prefix]
        for inner in model.objects.filter(public_id=words, business__in=own):
            yield from _object(request, page_of(inner), words)
    elif rest and prefix not in _ELSEWHERE:
        yield from _object(request, words, words)


def _object(request: ConsoleRequest, public_id: str, words: str) -> Iterator[SearchHit]:
    resource = module_resources.of_prefix(public_id.partition("_")[0])
    if resource is None or resource.reading is None:
        return
    own = Business.objects.of(request.user)
    rows = resource.reading.view.queryset.filter(public_id=public_id, business__in=own)
    for row in rows.select_related("business"):
        if not access.can(request.user, Permission.PRODUCT_VIEW, row.business):
            continue
        try:
            place = module_pages.place_of(row.business, resource.product, row.environment)
            module_pages.row_of(place, resource, public_id)
        except Http404:
            continue
        detail = f"{row.business.name}, {row.environment}"
        address = place.address_of(resource, public_id)
        yield SearchHit(f"{resource.one} {words}", detail, address, place.product.icon)
