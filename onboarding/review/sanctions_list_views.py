"""The staff's page of sanctions lists: possible matches, lists in force, and refused files."""

from django.http import HttpResponse
from django.shortcuts import render

from console.accounts.http import ConsoleRequest
from console.accounts.page_access import staff_page
from console.accounts.roles import Permission
from console.shell import keyset_pages
from onboarding.review import match_tasks, rescreening
from onboarding.screening import lists
from onboarding.screening.models import ListVersion

_RECENT = 10


@staff_page(Permission.CHECK_DECIDE)
def overview(request: ConsoleRequest) -> HttpResponse:
    """Show the matches that wait, longest first, the lists and their recent versions."""
    rows = match_tasks.waiting().select_related("application__business")
    page = keyset_pages.page_of(rows, "finished_at", request.GET.get("after", ""))
    states = lists.lists_state()
    context = {
        "page": page,
        "matches": [match_tasks.task(check) for check in page.rows],
        "states": states,
        "problems": [state.problem for state in states if state.problem],
        "versions": ListVersion.objects.order_by("-pk")[:_RECENT],
        "progress": rescreening.health(),
    }
    return render(request, "onboarding/sanctions_lists.html", context)
