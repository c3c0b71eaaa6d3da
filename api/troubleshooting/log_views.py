"""Request log pages, for a business and for our staff."""

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render

from api.problems import CODES
from api.reference import documented_operations
from api.troubleshooting import curl, explanation
from api.troubleshooting.forms import RequestLogForm
from api.versioning import VERSIONS
from apikeys import logged_calls
from apikeys.models import ApiKey, Grant
from console.accounts import access
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.page_access import business_page, staff_page
from console.accounts.roles import Permission


@business_page(Permission.KEY_VIEW)
def log(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Show the business's calls, newest first, and its errors by code and operation."""
    return _log(request, business, of_staff=False)


@business_page(Permission.KEY_VIEW)
def logged_call(request: ConsoleRequest, business: Business, request_id: str) -> HttpResponse:
    """Show what was logged of a call, a command to repeat it, and why it was refused."""
    return _call(request, business, request_id, of_staff=False)


@staff_page(Permission.REVIEW_VIEW)
def staff_log(request: ConsoleRequest, account_id: str) -> HttpResponse:
    """Show our staff a business's calls."""
    business = get_object_or_404(Business, public_id=account_id)
    return _log(request, business, of_staff=True)


@staff_page(Permission.REVIEW_VIEW)
def staff_logged_call(request: ConsoleRequest, account_id: str, request_id: str) -> HttpResponse:
    """Show our staff one call of a business."""
    business = get_object_or_404(Business, public_id=account_id)
    return _call(request, business, request_id, of_staff=True)


def _log(request: ConsoleRequest, business: Business, *, of_staff: bool) -> HttpResponse:
    form = RequestLogForm(request.GET, business=business)
    filters = form.filters()
    is_narrowed = filters != logged_calls.LogFilters()
    page = logged_calls.page(business, filters, after=request.GET.get("after", ""))
    context = {
        "business": business,
        "of_staff": of_staff,
        "form": form,
        "narrowed": is_narrowed,
        "page": page,
        "errors": [] if is_narrowed else logged_calls.errors(business),
        "first_call": "" if page.rows else curl.first_call(business),
    }
    return render(request, "api/log.html", context)


def _call(
    request: ConsoleRequest, business: Business, request_id: str, *, of_staff: bool
) -> HttpResponse:
    call = logged_calls.find(business, request_id)
    if call is None:
        raise Http404
    context = {
        "business": business,
        "of_staff": of_staff,
        "call": call,
        "key": ApiKey.objects.of(business).filter(public_id=call.key_id).first(),
        "grant": Grant.objects.of(business).filter(environment=call.environment).first(),
        "code": CODES.get(call.code),
        "refusal": explanation.refusal_of(call),
        "command": curl.command(call),
        "version": VERSIONS.get(call.version),
        "documented": documented_operations.of_call(call.method, call.path),
        "milliseconds": call.microseconds / 1000,
        "may_edit": access.allows(request.roles, Permission.NETWORK_EDIT),
    }
    return render(request, "api/logged_call.html", context)
