"""Pages of the decisions on a case, generated from their declarations."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _

from console.accounts.http import ConsoleRequest
from console.accounts.page_access import staff_page
from console.core import pages_above
from console.core.page_policies import PageView
from console.core.refusals import Blocker, Stale
from console.shell.forms import attempt
from onboarding.lifecycle import Capacity
from onboarding.review import decision_registry
from onboarding.review.decision_registry import CaseDecision


def routes(namespace: str) -> list[URLPattern]:
    """Return the routes of the decisions registered under this namespace."""
    return [
        path(f"review/<str:application_id>/{one.address}", page_of(one), name=name)
        for one in decision_registry.all_decisions()
        for space, _colon, name in [one.route.partition(":")]
        if space == namespace
    ]


def page_of(decision: CaseDecision) -> PageView:
    """Return the view of a decision, with the page policy it declares."""

    @staff_page(
        decision.permission,
        methods=decision.methods,
        step_up=decision.step_up,
        by_code=decision.by_code,
    )
    def decide(request: ConsoleRequest, application_id: str) -> HttpResponse:
        subject = decision.about.find(application_id)
        form = _form(decision, subject, request)
        if form.is_valid():
            if done := _decided(decision, subject, form, request):
                messages.success(request, decision.done(done))
                return redirect(pages_above.address("case", application_id))
        elif request.method == "POST" and not form.visible_fields():
            raise Stale(_("This page is out of date. Open the case again."))
        return _shown(decision, subject, form, request)

    return decide


def _form(decision: CaseDecision, subject: Any, request: ConsoleRequest) -> forms.Form:
    needed = decision.form_needs(subject)
    if request.method == "POST":
        return decision.form(request.POST, **needed)
    asked = request.GET.get("role", "")
    capacity = next((one for one in decision.capacities if one == asked), None)
    known = decision.sends(subject, capacity) | decision.fills(request.GET)
    return decision.form(initial=known, **needed)


def _decided(
    decision: CaseDecision, subject: Any, form: forms.Form, request: ConsoleRequest
) -> Any | None:
    """Carry out the decision. If the form has visible fields, show a refusal in it."""

    def verb() -> Any:
        return decision.verb(subject, **form.cleaned_data, by=request.user)

    return attempt(form, verb) if form.visible_fields() else verb()


def _shown(
    decision: CaseDecision, subject: Any, form: forms.Form, request: ConsoleRequest
) -> HttpResponse:
    assert decision.page is not None
    names, (route, title) = decision.about.names(subject), decision.about.listed
    context = decision.page.shows(subject) | {
        "decision": decision,
        "heading": _(decision.page.heading).format(**names),
        "words": _(decision.page.words).format(**names),
        "list_route": route,
        "list_title": title,
        "subject": subject,
        "closed": _closed(decision, subject, request),
        "application": decision.about.application(subject),
        "blockers": _blockers(decision, subject, request),
        "form": form,
    }
    return render(request, decision.page.template, context, status=422 if form.errors else 200)


def _closed(decision: CaseDecision, subject: Any, request: ConsoleRequest) -> str:
    """Return why it is too late to decide, before the user types; "" if they already have."""
    if subject.status in decision.open_in or request.method == "POST":
        return ""
    return _("The status is now “%(status)s”.") % {"status": subject.get_status_display()}


def _blockers(decision: CaseDecision, subject: Any, request: ConsoleRequest) -> list[Blocker]:
    """Return why this user may not decide, before they type, if the capacity is known.

    Afterwards the form says so, with what they typed.
    """
    if request.method == "POST":
        return []
    capacity: Capacity | None
    (capacity, *others) = decision.capacities or (None,)
    asked = () if others else decision.asks(subject)
    return [found for ask, about in asked for found in ask(about, capacity, request.user)]
