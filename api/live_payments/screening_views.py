"""The pages of payments to check: possible matches of live payments, and the decisions on them."""

from collections.abc import Callable
from itertools import chain
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from api.live_payments import screening_work
from api.live_payments.forms import BlockPaymentForm, CheckPaymentForm, ReturnMoneyForm
from api.payments import screenings
from api.payments.lifecycle import ScreeningStatus
from api.payments.models import PaymentScreening
from console.accounts import access
from console.accounts.http import ConsoleRequest
from console.accounts.page_access import staff_page
from console.accounts.roles import Permission
from console.shell import keyset_pages
from console.shell.forms import attempt, posted
from onboarding.matches import sides
from onboarding.matches.models import PossibleMatch

_RECENT = 20
# Members of the evidence that reviewers do not compare.
_TECHNICAL = {"matches", "model", "keys"}
_FORMS: dict[str, type[forms.Form]] = {
    ScreeningStatus.MATCHED: CheckPaymentForm,
    ScreeningStatus.PROPOSED: BlockPaymentForm,
    ScreeningStatus.BLOCKED: ReturnMoneyForm,
}
# What an answer does.
_VERBS: dict[str, Callable[..., None]] = {
    "not_same": screenings.clear,
    "same": screenings.propose,
    "yes": screenings.confirm,
    "no": screenings.refuse,
    "return": screenings.give_back,
}


@staff_page(Permission.CHECK_DECIDE)
def payments_to_check(request: ConsoleRequest) -> HttpResponse:
    """Show the payments that wait for a decision, longest first, and the newest decisions."""
    rows = screening_work.to_decide().select_related("business", "proposed_by")
    page = keyset_pages.page_of(rows, "created_at", request.GET.get("after", ""))
    decided = PaymentScreening.objects.filter(decided_at__isnull=False)
    context = {
        "page": page,
        "concerns": screening_work.concerns(),
        "decided": decided.select_related("business", "decided_by").order_by("-decided_at")[
            :_RECENT
        ],
    }
    return render(request, "api/payments_to_check.html", context)


@staff_page(Permission.CHECK_DECIDE, methods=("GET", "POST"), step_up=True)
def check_payment(request: ConsoleRequest, screening_id: str) -> HttpResponse:
    """Show what was found about a payment, and decide about it."""
    rows = PaymentScreening.objects.select_related(
        "business", "proposed_by", "decided_by", "returned_by"
    )
    row = get_object_or_404(rows, public_id=screening_id)
    form = _FORMS[row.status](posted(request)) if _may_decide(request, row) else None
    if form is not None and form.is_valid() and _decided(request, row, form):
        messages.success(request, _("Your decision about the payment is saved."))
        return redirect("api:payments_to_check")
    context = {
        "row": row,
        "form": form,
        "findings": _findings(row),
        "is_own": row.status == ScreeningStatus.PROPOSED and row.proposed_by == request.user,
    }
    status = 422 if form is not None and form.errors else 200
    return render(request, "api/check_payment.html", context, status=status)


def _may_decide(request: ConsoleRequest, row: PaymentScreening) -> bool:
    if row.status == ScreeningStatus.BLOCKED:
        return access.allows(request.roles, Permission.ACCESS_CLOSE)
    return row.is_open and row.proposed_by != request.user


def _decided(request: ConsoleRequest, row: PaymentScreening, form: forms.Form) -> bool:
    said = form.cleaned_data

    def act() -> bool:
        _VERBS[said.get("outcome", "return")](row, reason=said["reason"], by=request.user)
        return True

    return bool(attempt(form, act))


def _findings(row: PaymentScreening) -> list[dict[str, Any]]:
    """Return what was found about each party: both sides of possible matches, or the evidence."""
    ids = {one["finding"]: one["evidence"].get("matches", "").split() for one in row.doubts}
    rows = PossibleMatch.objects.filter(public_id__in=chain.from_iterable(ids.values()))
    found = {match.public_id: match for match in rows.with_decisions()}
    return [
        {
            **one,
            "sides": sides.in_order(found[each] for each in ids[one["finding"]]),
            "evidence": {k: v for k, v in one["evidence"].items() if k not in _TECHNICAL},
        }
        for one in row.doubts
    ]
