"""Page for signing a whole pack at once."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from agreements import lookup
from agreements.lifecycle import OFFERED
from agreements.models import Pack
from agreements.packs import offer_hash
from agreements.signing import awaited, reading_list, signature, signing_requirements
from agreements.signing.forms import SignForm
from console.accounts import signin, stepup
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business, Session
from console.accounts.page_access import business_page
from console.accounts.roles import Permission
from console.shell.forms import attempt


@business_page(
    Permission.PACK_SIGN,
    methods=("GET", "POST"),
    step_up=stepup.SIGNING_MINUTES,
    by_code=True,
)
def sign(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Show the full statement that is signed, and take the signature."""
    pack, form = lookup.newest_pack_of(business), SignForm(request.POST or None)
    if pack.revision is not None and form.is_valid():
        offer, proof = form.cleaned_data["offer_sha256"], _proof(request)
        sign_it = partial(signature.sign, pack, offer_sha256=offer, proof=proof, by=request.user)
        if attempt(form, sign_it):
            messages.success(request, _("You have signed the pack. Our approvers now review it."))
            return redirect("agreements:pack", business.public_id)
    if pack.status not in OFFERED:
        messages.info(
            request,
            _("%(status)s: there is nothing to sign now.") % {"status": pack.get_status_display()},
        )
        return redirect("agreements:pack", business.public_id)
    return _page(request, pack, form)


def _page(request: ConsoleRequest, pack: Pack, form: SignForm) -> HttpResponse:
    assert pack.revision is not None
    rows = reading_list.documents_for(pack, request.user)
    context: dict[str, Any] = {
        "business": pack.business,
        "pack": pack,
        "form": form,
        "listed": rows,
        "pages": sum(row.document.pages for row in rows),
        "statement": offer_hash.wording(pack, pack.revision),
        "awaited": awaited.awaited_by(request.user, pack),
        "blockers": signing_requirements.requirements_for(pack, rows, request.user, request.roles),
    }
    return render(request, "agreements/sign.html", context, status=422 if form.errors else 200)


def _proof(request: ConsoleRequest) -> signature.Proof:
    session = Session.objects.filter(pk=signin.stored_key(request)).first()
    return signature.Proof(stepup.method(request), session.public_id if session else "")
