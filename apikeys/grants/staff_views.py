"""Staff pages: API access grants and their keys, and suspending or restoring a grant."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from apikeys.grants import grants
from apikeys.grants.forms import ReasonForm
from apikeys.models import ApiKey, Grant
from console.accounts import access
from console.accounts.http import ConsoleRequest
from console.accounts.models.folded import NameOrder
from console.accounts.page_access import staff_page
from console.accounts.roles import Permission
from console.core import pages_above
from console.core.money import CURRENCIES
from console.shell import keyset_pages

Verb = Callable[..., Grant]


@staff_page(Permission.REVIEW_VIEW)
def grant_list(request: ConsoleRequest) -> HttpResponse:
    """List every business that has or had API access."""
    rows = Grant.objects.with_keys().exclude(opened_at=None).select_related("business")
    rows = rows.annotate(name_order=NameOrder("business__name"))
    page = keyset_pages.page_of(rows, "name_order", request.GET.get("after", ""))
    return render(request, "apikeys/grants.html", {"page": page})


@staff_page(Permission.REVIEW_VIEW)
def grant_page(request: ConsoleRequest, grant_id: str) -> HttpResponse:
    """Show a grant and its keys, without secrets."""
    return _grant_page(request, _find(grant_id), ReasonForm())


@staff_page(Permission.ACCOUNT_MANAGE, step_up=True, methods=("POST",))
def suspend(request: ConsoleRequest, grant_id: str) -> HttpResponse:
    """Suspend a grant, which stops its keys."""
    return _decide(request, grant_id, grants.suspend)


@staff_page(Permission.ACCOUNT_MANAGE, step_up=True, methods=("POST",))
def restore(request: ConsoleRequest, grant_id: str) -> HttpResponse:
    """Restore a suspended grant, so its keys work again."""
    return _decide(request, grant_id, grants.restore)


def _decide(request: ConsoleRequest, grant_id: str, verb: Verb) -> HttpResponse:
    grant = _find(grant_id)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        return _grant_page(request, grant, form)
    grant = verb(grant, reason=form.cleaned_data["reason"], by=request.user)
    status = grant.get_status_display().lower()
    messages.success(
        request,
        _("The %(environment)s environment of %(business)s is now %(status)s.")
        % {"environment": grant.environment, "business": grant.business, "status": status},
    )
    return redirect("apikeys:grant", grant_id)


def _find(grant_id: str) -> Grant:
    rows = Grant.objects.select_related("business")
    return get_object_or_404(rows, public_id=grant_id)


def _grant_page(request: ConsoleRequest, grant: Grant, form: ReasonForm) -> HttpResponse:
    context = {
        "grant": grant,
        "business": grant.business,
        "currencies": {
            code: pages_above.address("currency", grant.business.public_id, code)
            for code, one in CURRENCIES.items()
            if one.opt_in
        },
        "log_url": pages_above.address("request_log", grant.business.public_id),
        "keys": ApiKey.objects.of(grant.business).filter(grant=grant),
        "form": form,
        "may_decide": access.allows(request.roles, Permission.ACCOUNT_MANAGE),
        "may_suspend": access.allows(request.roles, Permission.ACCESS_SUSPEND),
        "may_close": access.allows(request.roles, Permission.ACCESS_CLOSE),
    }
    return render(request, "apikeys/grant.html", context)
