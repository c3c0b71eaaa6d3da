"""Company details pages: the details in use and proposed, and the form for new ones."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from agreements.models import CompanyDetails
from agreements.our_company import company_versions
from agreements.our_company.company_versions import COMPANY, KIND
from agreements.our_company.forms import CompanyForm, entered
from console.accounts.http import ConsoleRequest
from console.accounts.page_access import staff_page
from console.accounts.roles import Permission
from console.publishing import version_list
from console.shell.forms import attempt, posted


@staff_page(Permission.REVIEW_VIEW)
def our_company(request: ConsoleRequest) -> HttpResponse:
    """Show the details that contracts state about us, and those awaiting a second person."""
    proposals = version_list.proposals(request.roles, request.user)
    proposal = next((one for one in proposals if one.kind == KIND), None)
    context = {
        "line": version_list.line(KIND, request.roles),
        "in_use": _in_use(),
        "missing": company_versions.MISSING,
        "proposal": proposal,
        "proposed": COMPANY.load(proposal.publication.version) if proposal else None,
    }
    return render(request, "agreements/our_company.html", context)


@staff_page(Permission.TEMPLATE_PROPOSE, methods=("GET", "POST"), step_up=True)
def propose_company(request: ConsoleRequest) -> HttpResponse:
    """Enter and propose new details."""
    form = CompanyForm(posted(request), initial=_begun_with())
    if form.is_valid() and _propose(form, request):
        said = _("Your proposal is saved. Nothing changes until someone else puts it in use.")
        messages.success(request, said)
        return redirect("agreements:our_company")
    return render(request, "agreements/propose_company.html", {"form": form})


def _propose(form: CompanyForm, request: ConsoleRequest) -> bool:
    proposed = attempt(form, lambda: company_versions.propose(form.facts, by=request.user))
    return proposed is not None


def _begun_with() -> dict[str, Any]:
    """Return the form's initial values: the details in use, unless they are an example."""
    in_use = _in_use()
    return {} if in_use is None or in_use.is_example else entered(in_use.facts)


def _in_use() -> CompanyDetails | None:
    return company_versions.current() if company_versions.is_in_use() else None
