"""Page for signing a whole pack at once."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from agreements import lookup
from agreements.lifecycle import OFFERED
from agreements.models import Pack
from agreements.packs import offer_hash
from agreements.signing import awaited, reading_list, signature, signing_requirements
from agreements.signing.forms import SignForm
from console.accounts import act_proofs
from console.accounts.act_proofs import ProofForm
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.page_access import business_page
from console.accounts.roles import Permission
from console.shell.forms import attempt, posted


@business_page(Permission.PACK_SIGN, methods=("GET", "POST"))
def sign(request: ConsoleRequest, business: Business) -> HttpResponseBase:
    """Show the full statement that is signed, and take the signature with its proof."""
    pack, form = lookup.newest_pack_of(business), SignForm(request.POST or None)
    proof = ProofForm(posted(request))
    if pack.revision is not None and form.is_valid():
        if act_proofs.ASKED in request.GET:
            return _options(request, pack, form)
        if asked := act_proofs.provider_first(request):
            return asked
        if _is_signed(request, pack, form, proof):
            messages.success(request, _after(pack))
            return redirect("agreements:pack", business.public_id)
    if pack.status not in OFFERED:
        messages.info(
            request,
            _("%(status)s: there is nothing to sign now.") % {"status": pack.get_status_display()},
        )
        return redirect("agreements:pack", business.public_id)
    if signature.waits_for_another(pack, request.user) and signature.given(pack, request.user):
        messages.info(request, _after(pack))
        return redirect("agreements:pack", business.public_id)
    return _page(request, pack, form, proof)


def _after(pack: Pack) -> str:
    """Say what happens after a signature."""
    if people := awaited.awaited(lookup.newest_pack_of(pack.business)):
        names = {"names": awaited.names_of(people)}
        return _("You have signed the pack. It now waits for %(names)s.") % names
    return _("You have signed the pack. Our approvers now review it.")


def _options(request: ConsoleRequest, pack: Pack, form: SignForm) -> HttpResponse:
    """Return the options to sign with a passkey; 422 where the page would refuse."""
    offer = form.cleaned_data["offer_sha256"]
    assert pack.revision is not None
    if offer != pack.revision.offer_sha256 or signature.blockers(pack, request.user):
        return HttpResponse(status=422)
    return act_proofs.options(request, signature.act_of(pack, offer))


def _is_signed(request: ConsoleRequest, pack: Pack, form: SignForm, proof: ProofForm) -> bool:
    """Sign with the proof. Pressing twice signs once, and both answers say so."""
    offer, by = form.cleaned_data["offer_sha256"], request.user
    do = partial(
        act_proofs.perform,
        request,
        proof,
        signature.act_of(pack, offer),
        lambda proof: signature.sign(pack, offer_sha256=offer, proof=proof, by=by),
    )
    done = attempt(form, do)
    # The other press has used the code or the passkey's answer.
    return bool(done) or (bool(proof.errors) and signature.given(pack, by) is not None)


def _page(request: ConsoleRequest, pack: Pack, form: SignForm, proof: ProofForm) -> HttpResponse:
    assert pack.revision is not None
    rows = reading_list.documents_for(pack, request.user)
    context: dict[str, Any] = {
        "business": pack.business,
        "pack": pack,
        "form": form,
        "proof": proof,
        "ways": act_proofs.ways_of(request),
        "listed": rows,
        "pages": sum(row.document.pages for row in rows),
        "statement": offer_hash.wording(pack, pack.revision),
        "awaited": awaited.awaited_by(request.user, pack),
        "blockers": signing_requirements.requirements_for(pack, rows, request.user, request.roles),
    }
    status = 422 if form.errors or proof.errors else 200
    return render(request, "agreements/sign.html", context, status=status)
