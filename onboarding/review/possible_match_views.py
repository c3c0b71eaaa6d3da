"""Pages that show the possible matches of a check and take decisions about them."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from console.accounts.http import ConsoleRequest
from console.accounts.models import User
from console.accounts.page_access import staff_page
from console.accounts.roles import Permission
from console.core.refusals import Blocker
from console.shell.forms import attempt, posted
from onboarding import case_acts
from onboarding.lifecycle import Capacity, CheckStatus
from onboarding.matches import sides
from onboarding.matches.models import MatchDecision, MatchOutcome, PossibleMatch
from onboarding.models import Check
from onboarding.review import clearing, possible_matches
from onboarding.review.forms import ConfirmMatchForm, DecideMatchForm


@staff_page(Permission.CHECK_DECIDE)
def possible_matches_of(request: ConsoleRequest, check_id: str) -> HttpResponse:
    """Show both sides of each possible match, with most identifying evidence first."""
    check = get_object_or_404(Check.objects.with_case(), public_id=check_id)
    found = PossibleMatch.objects.of(check).with_decisions()
    context = {
        "check": check,
        "matches": sides.in_order(found),
        "is_open": check.status == CheckStatus.NEEDS_REVIEW,
        "eyes": case_acts.blockers(check.application, Capacity.COMPLIANCE, request.user),
    }
    return render(request, "onboarding/possible_matches.html", context)


@staff_page(Permission.CHECK_DECIDE, methods=("GET", "POST"), step_up=True)
def decide_match(request: ConsoleRequest, check_id: str, match_id: str) -> HttpResponse:
    """Decide about one possible match, or confirm a colleague's decision that it is the same."""
    check = get_object_or_404(Check.objects.with_case(), public_id=check_id)
    match = get_object_or_404(PossibleMatch.objects.of(check).with_decisions(), public_id=match_id)
    waiting = possible_matches.waiting(match)
    form = (DecideMatchForm if waiting is None else ConfirmMatchForm)(
        posted(request), initial={"seen": possible_matches.newest_id(match)}
    )
    if form.is_valid() and _decided(request, check, match, form):
        said = _("Your decision about the match is saved.")
        messages.success(request, f"{said} {clearing.what_follows(check.application)}")
        return redirect("onboarding:possible_matches", check.public_id)
    context = {
        "form": form,
        "check": check,
        "side": sides.in_order([match])[0],
        "waiting": waiting,
        "eyes": _blockers(check, waiting, request.user),
    }
    status = 422 if form.errors else 200
    return render(request, "onboarding/decide_match.html", context, status=status)


def _blockers(check: Check, waiting: MatchDecision | None, person: User) -> list[Blocker]:
    eyes = case_acts.blockers(check.application, Capacity.COMPLIANCE, person)
    if waiting is not None and waiting.decided_by == person:
        said = _("You proposed this, so another compliance reviewer must decide.")
        eyes = [*eyes, Blocker("proposed", said)]
    return eyes


def _decided(
    request: ConsoleRequest, check: Check, match: PossibleMatch, form: forms.Form
) -> MatchDecision | None:
    said, waiting = form.cleaned_data, possible_matches.waiting(match)

    def act() -> MatchDecision:
        given = {"reason": said["reason"], "seen": said["seen"], "by": request.user}
        if waiting is not None and "confirmed" in said:
            return possible_matches.confirm(waiting, confirmed=said["confirmed"] == "yes", **given)
        return possible_matches.decide(
            match, check, outcome=MatchOutcome(said.get("outcome", "")), **given
        )

    return attempt(form, act)
