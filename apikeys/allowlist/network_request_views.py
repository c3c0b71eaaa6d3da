"""Pages on which compliance decides requests for wide networks."""

from functools import partial

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from apikeys import allowed_networks
from apikeys.allowlist import allowlist
from apikeys.grants.forms import ComplianceReasonForm
from apikeys.models import NetworkRequest
from console.accounts import access
from console.accounts.http import ConsoleRequest
from console.accounts.page_access import staff_page
from console.accounts.roles import Permission
from console.shell import keyset_pages
from console.shell.forms import attempt, posted


@staff_page(Permission.REVIEW_VIEW)
def network_requests(request: ConsoleRequest) -> HttpResponse:
    """List the requests that wait for us, oldest first, or all with `?stage=all`, newest first."""
    rows, is_all = NetworkRequest.objects.all(), request.GET.get("stage") == "all"
    if not is_all:
        rows = rows.waiting()
    order, after = "-requested_at" if is_all else "requested_at", request.GET.get("after", "")
    people = rows.select_related("grant__business", "requested_by")
    context = {
        "page": keyset_pages.page_of(people, order, after),
        "is_all": is_all,
        "may_decide": access.allows(request.roles, Permission.NETWORK_DECIDE),
    }
    return render(request, "apikeys/network_requests.html", context)


@staff_page(Permission.NETWORK_DECIDE, step_up=True, methods=("GET", "POST"))
def decide_network(request: ConsoleRequest, network_request_id: str) -> HttpResponse:
    """Grant or decline a request, with a reason."""
    rows = NetworkRequest.objects.select_related("grant__business", "requested_by")
    asked = get_object_or_404(rows, public_id=network_request_id)
    form = ComplianceReasonForm(posted(request))
    if form.is_valid():
        granted = request.POST.get("decision") == "grant"
        reason = form.cleaned_data["reason"]
        deciding = partial(allowlist.decide, asked, granted=granted, reason=reason, by=request.user)
        if done := attempt(form, deciding):
            messages.success(
                request,
                _("%(network)s: %(status)s.")
                % {"network": done.network, "status": done.get_status_display().lower()},
            )
            return redirect("apikeys:network_requests")
    context = {"asked": asked, "form": form, "covers": allowed_networks.covers(asked.network)}
    return render(request, "apikeys/decide_network.html", context)
