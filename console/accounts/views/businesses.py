"""Pages to register and rename a business."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from console.accounts import businesses
from console.accounts.forms import BusinessForm
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.page_access import business_page, person_page
from console.accounts.roles import Permission
from console.core import pages_above
from console.core.text import isolated
from console.shell.forms import attempt, posted
from console.shell.progress import BusinessProgress


@person_page(methods=("GET", "POST"))
def new(request: ConsoleRequest) -> HttpResponse:
    form = BusinessForm(posted(request))
    if form.is_valid():
        name = form.cleaned_data["name"]
        business = attempt(form, lambda: businesses.register(name, by=request.user))
        if business:
            messages.success(request, _("%(name)s is added.") % {"name": isolated(business.name)})
            return redirect(BusinessProgress(business).next.url)
    return render(request, "accounts/business_new.html", {"form": form})


@business_page(Permission.BUSINESS_EDIT, methods=("GET", "POST"))
def rename(request: ConsoleRequest, business: Business) -> HttpResponse:
    form = BusinessForm(posted(request), initial={"name": business.name})
    if form.is_valid():
        businesses.rename(business, form.cleaned_data["name"], by=request.user)
        messages.success(request, _("The new name is saved."))
        return redirect(pages_above.address("business_home", business.public_id))
    return render(request, "accounts/business_rename.html", {"form": form, "business": business})
