"""Redirect to the next case that needs this user: from the review queue or the pack work queue."""

from functools import partial

from django.contrib import messages
from django.db.models import Exists, OuterRef, Q
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from agreements.casework import work_queue
from console.accounts import access
from console.accounts.http import ConsoleRequest
from console.accounts.models import Participant
from console.accounts.page_access import staff_page
from console.accounts.roles import Permission
from onboarding.lifecycle import Capacity
from onboarding.models import Application, Reviewer


@staff_page(Permission.REVIEW_VIEW)
def next_case(request: ConsoleRequest) -> HttpResponse:
    """Redirect to the next case after `?after=` that needs this user's action."""
    after = Application.objects.filter(
        public_id=request.GET.get("after", "").replace("\x00", "")
    ).first()
    found = _to_review(request, after) or _to_decide(request, after)
    if found is None:
        messages.info(request, _("No other case is waiting for you."))
        return redirect("shell:home")
    return redirect(found.case_url)


def _to_review(request: ConsoleRequest, after: Application | None) -> Application | None:
    """Return the next case in the queue, wrapping around. Skip cases assigned to colleagues."""
    if not access.allows(request.roles, Permission.CHECK_DECIDE):
        return None
    acted = Reviewer.objects.filter(application=OuterRef("pk"), person=request.user)
    own = Participant.objects.filter(business=OuterRef("business"), person=request.user)
    rows = Application.objects.in_review().filter(
        Q(case_owner=None) | Q(case_owner=request.user),
        ~Exists(acted.exclude(capacity=Capacity.COMPLIANCE)),
        ~Exists(own),
    )
    if after is None:
        return rows.first()
    rows = rows.exclude(pk=after.pk)
    if after.submitted_at is None:
        return rows.first()
    at, pk = after.submitted_at, after.pk
    later = rows.filter(Q(submitted_at__gt=at) | Q(submitted_at=at, pk__gt=pk))
    return later.first() or rows.first()


def _to_decide(request: ConsoleRequest, after: Application | None) -> Application | None:
    packs = work_queue.waiting(request.user, partial(access.allows, request.roles))
    pack = packs.select_related("application").exclude(application=after).first()
    return pack.application if pack else None
