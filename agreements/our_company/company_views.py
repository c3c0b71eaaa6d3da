"""The pages of our own company: the details in use and proposed, and the form for other ones."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from agreements.our_company import company_versions
from agreements.our_company.company_versions import COMPANY, KIND
from agreements.our_company.forms import CompanyForm, entered
from console.accounts.http import ConsoleRequest
from console.accounts.page_access import staff_page
from console.accounts.roles import Permission
from console.publishing import overview
from console.shell.forms import attempt, posted


@staff_page(Permission.REVIEW_VIEW)
def our_company(request: ConsoleRequest) -> HttpResponse:
    """Show the details that contracts state about us, and those that wait for a second person."""
    proposals = overview.proposals(request.roles, request.user)
    proposal = next((one for one in proposals if one.kind == KIND), None)
    context = {
        "line": overview.line(KIND, request.roles),
        "in_use": company_versions.current() if company_versions.is_in_use() else None,
        "missing": company_versions.MISSING,
        "proposal": proposal,
        "proposed": COMPANY.load(proposal.publication.version) if proposal else None,
    }
    return render(request, "agreements/our_company.html", context)


@staff_page(Permission.TEMPLATE_PROPOSE, methods=("GET", "POST"), step_up=True)
def propose_company(request: ConsoleRequest) -> HttpResponse:
    """Enter other details, and propose them."""
    initial = None
    if company_versions.is_in_use():
        initial = entered(company_versions.supplier())
    form = CompanyForm(posted(request), initial=initial)
    if form.is_valid() and attempt(
        form, lambda: company_versions.propose(form.facts, by=request.user)
    ):
        said = "The details are proposed. Somebody else puts them in use."
        messages.success(request, f"{said} Until then nothing changes.")
        return redirect("agreements:our_company")
    return render(request, "agreements/propose_company.html", {"form": form})
