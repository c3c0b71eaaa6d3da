"""Pages of the decisions on a case, generated from their declarations."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _

from console.accounts import access, act_proofs
from console.accounts.act_proofs import Act, Proof, ProofForm
from console.accounts.http import ConsoleRequest
from console.accounts.page_access import staff_page
from console.core import pages_above
from console.core.page_policies import PageView
from console.core.refusals import Blocker, Refused, Stale
from console.shell.forms import attempt, posted
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

    @staff_page(decision.permission, methods=("GET", "POST"), step_up=decision.step_up)
    def decide(request: ConsoleRequest, application_id: str) -> HttpResponseBase:
        subject = decision.about.find(application_id)
        form, proof = _form(decision, subject, request), ProofForm(posted(request))
        if form.is_valid():
            # Before a proof is asked for, which who may not decide need not give.
            capacity = _capacity(decision, form.cleaned_data)
            if capacity and capacity in decision.permissions:
                access.require(request.user, decision.permissions[capacity])
            if decision.proves and act_proofs.ASKED in request.GET:
                return _options(decision, subject, form, request)
            if decision.proves and (asked := act_proofs.provider_first(request)):
                return asked
            if done := _decided(decision, subject, form, proof, request):
                messages.success(request, decision.done(done))
                return redirect(pages_above.address("case", application_id))
        elif request.method == "POST" and not form.visible_fields():
            raise Stale(_("This page is out of date. Open the case again."))
        return _shown(decision, subject, form, proof, request)

    return decide


def _form(decision: CaseDecision, subject: Any, request: ConsoleRequest) -> forms.Form:
    needed = decision.form_needs(subject)
    if request.method == "POST":
        return decision.form(request.POST, **needed)
    capacity = _capacity(decision, request.GET)
    known = decision.sends(subject, capacity) | decision.fills(request.GET)
    return decision.form(initial=known, **needed)


def _options(
    decision: CaseDecision, subject: Any, form: forms.Form, request: ConsoleRequest
) -> HttpResponse:
    """Return the options to decide with a passkey; 422 where the page would refuse."""
    if _refusals(decision, subject, form, request):
        return HttpResponse(status=422)
    return act_proofs.options(request, _act(decision, subject, form))


def _decided(
    decision: CaseDecision,
    subject: Any,
    form: forms.Form,
    proof: ProofForm,
    request: ConsoleRequest,
) -> Any | None:
    """Carry out the decision. If its page has visible fields, show a refusal in it."""

    def verb(**proven: Proof) -> Any:
        return decision.verb(subject, **form.cleaned_data, **proven, by=request.user)

    def proven() -> Any:
        if decision.proves is None:
            return verb()
        act = _act(decision, subject, form)
        done = act_proofs.perform(request, proof, act, lambda given: verb(proof=given))
        # Another press may have used the proof, and decided.
        now = decision.about.find(decision.about.application(subject).public_id)
        if proof.errors and (refused := _refusals(decision, now, form, request)):
            proof.errors.clear()
            raise Refused(refused[0].message, blockers=refused[1:])
        return done

    return attempt(form, proven) if form.visible_fields() else proven()


def _act(decision: CaseDecision, subject: Any, form: forms.Form) -> Act:
    assert decision.proves is not None
    return decision.proves(subject, _capacity(decision, form.cleaned_data), form.cleaned_data)


def _refusals(
    decision: CaseDecision, subject: Any, form: forms.Form, request: ConsoleRequest
) -> list[Blocker]:
    """Return why this user may not decide now as the form says."""
    capacity = _capacity(decision, form.cleaned_data)
    return [
        found
        for ask, about in decision.asks(subject)
        for found in ask(about, capacity, request.user)
    ]


def _capacity(decision: CaseDecision, said: Mapping[str, Any]) -> Capacity | None:
    """Return the capacity that a form or a query string names, or the only one there is."""
    if len(decision.capacities) == 1:
        return decision.capacities[0]
    return next((one for one in decision.capacities if one == said.get("role")), None)


def _shown(
    decision: CaseDecision,
    subject: Any,
    form: forms.Form,
    proof: ProofForm,
    request: ConsoleRequest,
) -> HttpResponse:
    names, (route, title) = decision.about.names(subject), decision.about.listed
    capacity = _capacity(decision, request.POST or request.GET)
    names = {**names, "capacity": capacity.label.lower() if capacity else ""}
    context = decision.page.shows(subject) | {
        "button": _(decision.page.button).format(**names),
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
    if decision.proves:
        context |= {"proof": proof, "ways": act_proofs.ways_of(request)}
    wrong = form.errors or (decision.proves and proof.errors)
    return render(request, decision.page.template, context, status=422 if wrong else 200)


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
    capacity = _capacity(decision, request.GET)
    asked = decision.asks(subject) if capacity or not decision.capacities else ()
    return [found for ask, about in asked for found in ask(about, capacity, request.user)]
