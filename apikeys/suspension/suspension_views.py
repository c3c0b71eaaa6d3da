"""Pages on which compliance suspends, restores or closes the access of a business."""

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apikeys.grants.forms import ComplianceReasonForm
from apikeys.suspension import suspension
from console.accounts.http import ConsoleRequest
from console.accounts.lifecycle import LIFECYCLE, Access
from console.accounts.models import Business
from console.accounts.page_access import staff_page
from console.accounts.roles import Permission
from console.core.text import isolated
from console.shell.forms import posted


@dataclass(frozen=True)
class AccessDecision:
    """One of the three decisions: its texts, and the function that carries it out."""

    title: str
    consequence: str
    verb: Callable[..., Business]
    to: Access


SUSPEND = AccessDecision(
    gettext_noop("Suspend"),
    gettext_noop(
        "The API refuses every call of this business immediately. Nobody can answer, sign, approve "
        "or create keys for it. You can restore its access later."
    ),
    suspension.suspend,
    Access.SUSPENDED,
)
RESTORE = AccessDecision(
    gettext_noop("Restore"),
    gettext_noop(
        "All keys that have not expired or been revoked work again. Its application and its "
        "agreements continue where they stopped."
    ),
    suspension.restore,
    Access.ACTIVE,
)
CLOSE = AccessDecision(
    gettext_noop("Close"),
    gettext_noop(
        "We revoke every key. Nothing more can be answered, signed, approved or sealed. You cannot "
        "undo this."
    ),
    suspension.close,
    Access.CLOSED,
)


@staff_page(Permission.ACCESS_SUSPEND, step_up=True, methods=("GET", "POST"))
def suspend(request: ConsoleRequest, account_id: str) -> HttpResponse:
    """Suspend a business, with a reason."""
    return _decide(request, account_id, SUSPEND)


@staff_page(Permission.ACCESS_SUSPEND, step_up=True, methods=("GET", "POST"))
def restore(request: ConsoleRequest, account_id: str) -> HttpResponse:
    """Restore a suspended business, with a reason."""
    return _decide(request, account_id, RESTORE)


@staff_page(Permission.ACCESS_CLOSE, step_up=True, methods=("GET", "POST"))
def close(request: ConsoleRequest, account_id: str) -> HttpResponse:
    """Close a business permanently, with a reason."""
    return _decide(request, account_id, CLOSE)


def _decide(request: ConsoleRequest, account_id: str, decision: AccessDecision) -> HttpResponse:
    business = get_object_or_404(Business, public_id=account_id)
    LIFECYCLE.check(business.status, decision.to)
    form = ComplianceReasonForm(posted(request))
    if form.is_valid():
        reason = form.cleaned_data["reason"]
        business = decision.verb(business, reason=reason, by=request.user)
        status = business.get_status_display().lower()
        messages.success(
            request,
            _("%(business)s is now %(status)s. We will e-mail its team.")
            % {"business": isolated(business.name), "status": status},
        )
        return redirect("apikeys:grants")
    context = {"business": business, "form": form, "decision": decision}
    return render(request, "apikeys/decide_access.html", context)
