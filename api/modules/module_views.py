"""Module pages, the same for every product, generated from the API's ViewSets."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render

from api.modules import module_pages, own_pages
from api.modules.module_pages import ModulePlace
from api.modules.module_resources import ModuleResource
from api.problems import ApiProblem
from api.reference.documented_operations import DocumentedOperation
from apikeys.lifecycle import Environment
from console.accounts import access
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.page_access import business_page
from console.accounts.roles import Permission


@business_page(Permission.PRODUCT_VIEW)
def module(request: ConsoleRequest, business: Business, module: str) -> HttpResponse:
    """Show a product's module, starting with its first resource, or the product's own pages."""
    place = _place(request, business, module)
    if module in own_pages.PAGES:
        page, permission = own_pages.PAGES[module]
        if access.allows(request.roles, permission):
            return redirect(page, business.public_id)
    return _resource(request, place, place.resources[0])


@business_page(Permission.PRODUCT_VIEW)
def module_resource(
    request: ConsoleRequest, business: Business, module: str, resource: str
) -> HttpResponse:
    """Show a list, or the only object, or a form for an object's ID."""
    place = _place(request, business, module)
    return _resource(request, place, place.resource(resource))


@business_page(Permission.PRODUCT_VIEW)
def module_row(
    request: ConsoleRequest, business: Business, module: str, resource: str, row_id: str
) -> HttpResponse:
    """Show an object with all its fields and what belongs to it."""
    place = _place(request, business, module)
    here = place.resource(resource)
    row = module_pages.row_of(place, here, row_id)
    context = _context(place, here) | {
        "row_id": row_id,
        "members": module_pages.members_of(place, here, row),
        "parts": module_pages.parts_of(place, here, row_id, request.GET),
        "documented": _documented(here),
        "held": module_pages.held_payments(place, here, row),
        "may_decide": access.allows(request.roles, Permission.CHECKOUT_EDIT),
        "history": module_pages.history_of(row_id, row),
    }
    return render(request, "api/module_row.html", context)


def _place(request: ConsoleRequest, business: Business, module: str) -> ModulePlace:
    environment = request.GET.get("environment", Environment.SANDBOX)
    return module_pages.place_of(business, module, environment)


def _resource(request: ConsoleRequest, place: ModulePlace, here: ModuleResource) -> HttpResponse:
    if here.listing is not None:
        return _listed(request, place, here)
    return _single(request, place, here) if here.is_single else _entered(request, place, here)


def _listed(request: ConsoleRequest, place: ModulePlace, here: ModuleResource) -> HttpResponse:
    page = module_pages.list_of(place, here, request.GET)
    narrowed = any(one.name in request.GET for one in page.filters)
    context = _context(place, here) | {"page": page, "narrowed": narrowed}
    if not page.rows:
        context["first_call"] = _first_call(request, place, here)
    return render(request, "api/module.html", context, status=page.status)


def _single(request: ConsoleRequest, place: ModulePlace, here: ModuleResource) -> HttpResponse:
    members = module_pages.members_of(place, here, module_pages.read(place, here))
    context = _context(place, here) | {"members": members, "documented": _documented(here)}
    return render(request, "api/module_row.html", context)


def _entered(request: ConsoleRequest, place: ModulePlace, here: ModuleResource) -> HttpResponse:
    """Ask for the ID of an object that the API can read but not list, then open its page."""
    typed = request.GET.get("id", "").strip()
    problem = None
    if typed:
        try:
            module_pages.read(place, here, id=typed)
        except ApiProblem as refused:
            problem = refused
        else:
            return redirect(place.address_of(here, typed))
    context = _context(place, here) | {"typed": typed, "problem": problem}
    context["first_call"] = _first_call(request, place, here)
    status = problem.status if problem else 200
    return render(request, "api/module_entered.html", context, status=status)


def _first_call(request: ConsoleRequest, place: ModulePlace, here: ModuleResource) -> str:
    names_key = access.allows(request.roles, Permission.KEY_VIEW)
    return module_pages.first_call(place, here.making, names_key=names_key)


def _context(place: ModulePlace, here: ModuleResource) -> dict[str, Any]:
    return {
        "business": place.business,
        "place": place,
        "here": here,
        "tabs": [(one, place.address_of(one)) for one in place.resources],
        "environments": [
            (one, ModulePlace(place.business, place.product, one, place.shown).address_of(here))
            for one in Environment
        ],
    }


def _documented(here: ModuleResource) -> DocumentedOperation | None:
    return DocumentedOperation(here.reading) if here.reading else None
