"""Pages on which our compliance suspends, restores or closes the access of a business."""

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from apikeys.grants.forms import ReasonForm
from apikeys.suspension import suspension
from console.accounts import stepup
from console.accounts.http import ConsoleRequest
from console.accounts.lifecycle import LIFECYCLE, Access
from console.accounts.models import Business
from console.accounts.page_access import staff_page
from console.accounts.roles import Permission
from console.shell.forms import posted


@dataclass(frozen=True)
class AccessDecision:
    """One of the three decisions: its words, and the verb that does it."""

    title: str
    consequence: str
    verb: Callable[..., Business]
    to: Access


SUSPEND = AccessDecision(
    "Suspend",
    "The API refuses every call of this business from this moment on. Its keys stay as they are, "
    "and it can be restored.",
    suspension.suspend,
    Access.SUSPENDED,
)
RESTORE = AccessDecision(
    "Restore",
    "Every key that has not ended works again at once.",
    suspension.restore,
    Access.ACTIVE,
)
CLOSE = AccessDecision(
    "Close", "Every key is revoked. This cannot be undone.", suspension.close, Access.CLOSED
)


@staff_page(Permission.ACCESS_SUSPEND, step_up=True, methods=("GET", "POST"))
def suspend(request: ConsoleRequest, account_id: str) -> HttpResponse:
    """Stop every key of a business for now, with a reason."""
    return _decide(request, account_id, SUSPEND)


@staff_page(Permission.ACCESS_SUSPEND, step_up=True, methods=("GET", "POST"))
def restore(request: ConsoleRequest, account_id: str) -> HttpResponse:
    """Let the keys of a business work again, with a reason."""
    return _decide(request, account_id, RESTORE)


@staff_page(Permission.ACCESS_CLOSE, step_up=True, methods=("GET", "POST"))
def close(request: ConsoleRequest, account_id: str) -> HttpResponse:
    """End the access of a business for good, with a reason."""
    return _decide(request, account_id, CLOSE)


def _decide(request: ConsoleRequest, account_id: str, decision: AccessDecision) -> HttpResponse:
    business = get_object_or_404(Business, public_id=account_id)
    LIFECYCLE.check(business.status, decision.to)
    form = ReasonForm(posted(request), initial=stepup.kept(request))
    if form.is_valid():
        reason = form.cleaned_data["reason"]
        business = decision.verb(business, reason=reason, by=request.user)
        status = business.get_status_display().lower()
        messages.success(request, f"{business.name} is {status}. Its people are told by e-mail.")
        return redirect("apikeys:grants")
    context = {"business": business, "form": form, "decision": decision}
    return render(request, "apikeys/decide_access.html", context)
