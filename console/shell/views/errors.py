"""Error pages, which say what to do next."""

import logging
import sys
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _

from console.core import blobs, outages, page_policies
from console.core.refusals import FileUnavailable, Refused, TooMany
from console.shell.forms import typed_fields, typed_sentences

log = logging.getLogger(__name__)

HEADINGS = {
    "not_allowed": _("You cannot do that"),
    "stale": _("Your page is out of date"),
    "already_done": _("This is done already"),
    "too_many": _("Too many attempts"),
    "busy": _("We are busy right now"),
    "file_unavailable": _("We cannot open a file"),
    "link_spent": _("This link no longer works"),
    "reset_link_spent": _("This link no longer works"),
    "COMPLIANCE_BLOCKED": _("We cannot continue with this"),
}


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    # The Host header may be the invalid part, so do not use the request here.
    return HttpResponse(render_to_string("errors/400.html"), status=HTTPStatus.BAD_REQUEST)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "errors/403.html", status=HTTPStatus.FORBIDDEN)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Refuse a form without a valid CSRF token; offer to resend it if only the session ended."""
    ours = f"{request.scheme}://{request.get_host()}"
    if keeps_its_form(request) and request.headers.get("Origin") == ours:
        return send_again(request)
    return render(request, "errors/403_csrf.html", status=HTTPStatus.FORBIDDEN)


def keeps_its_form(request: HttpRequest) -> bool:
    """Tell whether a user's form was submitted with values that should be shown again."""
    match = request.resolver_match
    policy = page_policies.policy_of(match.func) if match else None
    return policy is not None and policy.kind != "public" and bool(typed_fields(request))


def send_again(request: HttpRequest) -> HttpResponse:
    """Show a form's values again if its session had ended, for the user to resubmit."""
    page = {
        "sent": typed_fields(request), "action": request.get_full_path(),
        "has_files": bool(request.FILES),
    }  # fmt: skip
    response = render(request, "errors/send_again.html", page, status=HTTPStatus.FORBIDDEN)
    response.headers["X-Refusal"] = "signed_out"
    return response


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    # Without a page there, the length of the body was not checked, so it is not read.
    sends = request.method == "POST" and request.resolver_match is not None
    page = {"sends": sends, "written": typed_sentences(request) if sends else []}
    return render(request, "errors/404.html", page, status=HTTPStatus.NOT_FOUND)


def broken(request: HttpRequest) -> HttpResponse:
    """Render the page for a server error without database, session or navigation."""
    known = {"request_id": request.META.get("console.request_id", "")}
    if outages.is_outage(sys.exception()):
        page = render_to_string("errors/503.html", known)
        response = HttpResponse(page, status=HTTPStatus.SERVICE_UNAVAILABLE)
        response.headers["Retry-After"] = str(outages.RETRY_AFTER)
        return response
    page = render_to_string("errors/500.html", known)
    return HttpResponse(page, status=HTTPStatus.INTERNAL_SERVER_ERROR)


def file_unavailable(request: HttpRequest, fault: Exception) -> HttpResponse:
    """Say that files cannot be read or saved now, or that one is missing, and log why."""
    log.error("file_unavailable", exc_info=fault)
    message = (
        _("We cannot read or save files right now. Try again in a minute: no saved file was lost.")
        if isinstance(fault, blobs.StoreUnavailable)
        else _(
            "A file that this page needs is missing or damaged. "
            "Write to us: we keep a backup of every file, and will restore it."
        )
    )
    response = refused(request, FileUnavailable(str(message)))
    response.headers["Retry-After"] = "60"
    return response


def refused(request: HttpRequest, refusal: Refused, back: str = "") -> HttpResponse:
    """Show a refusal with its reasons, a link back, and what was written, to copy it."""
    heading = HEADINGS.get(refusal.code, _("You cannot do that now"))
    page = {
        "refusal": refusal, "heading": heading, "back": back, "written": typed_sentences(request)
    }  # fmt: skip
    response = render(request, refusal.template, page, status=refusal.status)
    response.headers["X-Refusal"] = refusal.code
    if isinstance(refusal, TooMany):
        response.headers["Retry-After"] = str(refusal.retry_after)
    return response
