"""The public page of each problem: where the `type` and `doc` of an error lead."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from api.gateway.problems import CODES
from console.accounts.page_access import public_page

BY_SLUG = {code.slug: code for code in CODES.values()}


@public_page()
def problems(request: HttpRequest) -> HttpResponse:
    """List every code, with its status and what to do."""
    return render(request, "api/problems.html", {"codes": CODES.values()})


@public_page()
def problem(request: HttpRequest, slug: str) -> HttpResponse:
    """Say what one code means and what to do about it."""
    code = BY_SLUG.get(slug)
    if code is None:
        raise Http404
    return render(request, "api/problem.html", {"code": code})
