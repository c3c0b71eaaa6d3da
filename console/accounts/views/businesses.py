"""Pages of a business: overview, renaming and registration."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from console.accounts import access, businesses
from console.accounts.forms import BusinessForm
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business, Membership
from console.accounts.page_access import business_page, person_page
from console.accounts.roles import Permission
from console.shell.forms import attempt, posted
from console.shell.progress import BusinessProgress


@person_page(methods=("GET", "POST"))
def new(request: ConsoleRequest) -> HttpResponse:
    form = BusinessForm(posted(request))
    if form.is_valid():
        name = form.cleaned_data["name"]
        business = attempt(form, lambda: businesses.register(name, by=request.user))
        if business:
            messages.success(request, _("%(name)s is added.") % {"name": business.name})
            return redirect(BusinessProgress(business).next.url)
    return render(request, "accounts/business_new.html", {"form": form})


@business_page(Permission.BUSINESS_VIEW)
def overview(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Show the business's progress and its next step."""
    team = Membership.objects.filter(business=business).values("user").distinct().count()
    page = {
        "business": business,
        "team": team,
        "roles": sorted(role.label for role in request.roles),
        "may_edit": access.allows(request.roles, Permission.BUSINESS_EDIT),
    }
    return render(request, "accounts/business.html", page)


@business_page(Permission.BUSINESS_EDIT, methods=("GET", "POST"))
def rename(request: ConsoleRequest, business: Business) -> HttpResponse:
    form = BusinessForm(posted(request), initial={"name": business.name})
    if form.is_valid():
        businesses.rename(business, form.cleaned_data["name"], by=request.user)
        messages.success(request, _("The new name is saved."))
        return redirect("accounts:business", business.public_id)
    return render(request, "accounts/business_rename.html", {"form": form, "business": business})
