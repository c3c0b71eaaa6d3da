"""Page that explains why a call is refused, or that it is allowed."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render

from api.troubleshooting.explanation import ExplainedCheck, as_logged, explain
from api.troubleshooting.forms import ExplainForm
from apikeys import logged_calls
from apikeys.models import ApiKey
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.page_access import business_page, staff_page
from console.accounts.roles import Permission
from console.core import addresses


@business_page(Permission.KEY_VIEW)
def explain_refusal(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Explain a call of the person's own business."""
    return _explain(request, business, of_staff=False)


@staff_page(Permission.REVIEW_VIEW)
def staff_explain_refusal(request: ConsoleRequest, account_id: str) -> HttpResponse:
    """Explain a call of a business to our staff."""
    business = get_object_or_404(Business, public_id=account_id)
    return _explain(request, business, of_staff=True)


def _explain(request: ConsoleRequest, business: Business, *, of_staff: bool) -> HttpResponse:
    initial = {"ip": addresses.client_ip(request), "environment": "sandbox"}
    form = ExplainForm(request.GET or None, business=business, initial=initial)
    checks = _checks(form, business) if form.is_valid() else []
    context = {
        "business": business,
        "of_staff": of_staff,
        "form": form,
        "checks": checks,
        "refused": next((check for check in checks if check.problem), None),
    }
    return render(request, "api/explain.html", context)


def _checks(form: ExplainForm, business: Business) -> list[ExplainedCheck]:
    typed = form.cleaned_data
    checks = explain(
        ApiKey.objects.of(business).select_related("grant__business").get(public_id=typed["key"]),
        ip=typed["ip"],
        environment=typed["environment"],
        operation=form.operation(),
        signature=typed["signature"] or "none",
    )
    call = logged_calls.find(business, typed["call"]) if typed["call"] else None
    asked = (typed["key"], typed["endpoint"], typed["environment"])
    if call is None or asked != (call.key_id, f"{call.method} {call.path}", call.environment):
        return checks
    return as_logged(checks, call)
