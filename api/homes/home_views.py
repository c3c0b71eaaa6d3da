"""The home page of a business, and of each role of our staff."""

from django.http import HttpResponse
from django.shortcuts import render

from api.homes.business_home import BusinessHome
from api.homes.staff_home import StaffHome
from console.accounts import access
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.page_access import business_page, staff_page
from console.accounts.roles import Permission, Role

# Where the chosen environment is remembered, in the session.
_CHOSEN = "environment"


@business_page(Permission.BUSINESS_VIEW)
def business_home(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Show what needs the business, its calls, webhooks, money and products, and what is new."""
    if chosen := request.GET.get(_CHOSEN, ""):
        request.session[_CHOSEN] = chosen[:10]

    def may(permission: str) -> bool:
        return access.allows(request.roles, Permission(permission))

    home = BusinessHome(business, may, chosen=request.session.get(_CHOSEN, ""))
    context = {
        "business": business,
        "home": home,
        "money_first": Role.DEVELOPER not in request.roles,
        "may_edit": may(Permission.BUSINESS_EDIT),
        **home.read(),
    }
    return render(request, "api/homes/business.html", context)


@staff_page(Permission.REVIEW_VIEW)
def staff_home(request: ConsoleRequest) -> HttpResponse:
    """Show what waits for this person, whether all is well, and what happened."""
    return render(request, "api/homes/staff.html", StaffHome(request.user, request.roles).read())
