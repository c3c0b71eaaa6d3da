"""The page on which a business requires signed calls."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apikeys.models import Grant
from apikeys.signing import signing_rule
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.page_access import business_page
from console.accounts.roles import Permission
from console.core import pages_above
from console.shell.forms import posted

CHOICES = (
    ("optional", _("Optional: we check the signature if a call has one")),
    ("required", _("Required: we refuse calls without a signature")),
)


class SigningForm(forms.Form):
    """Whether calls must be signed."""

    signing = forms.ChoiceField(label=_("Signatures"), choices=CHOICES, widget=forms.RadioSelect)


@business_page(Permission.SIGNING_EDIT, step_up=True, methods=("GET", "POST"))
def edit_signing(request: ConsoleRequest, business: Business, grant_id: str) -> HttpResponse:
    """Require signatures in one environment, or make them optional."""
    grant = get_object_or_404(Grant.objects.of(business), public_id=grant_id)
    held = "required" if grant.requires_signatures else "optional"
    form = SigningForm(posted(request), initial={"signing": held})
    if form.is_valid():
        required = form.cleaned_data["signing"] == "required"
        signing_rule.set_required(grant, required=required, by=request.user)
        said = (
            gettext("All calls to %(environment)s must now be signed.")
            if required
            else gettext("Signatures are now optional for calls to %(environment)s.")
        )
        messages.success(request, said % {"environment": grant.environment})
        return redirect("apikeys:keys", business.public_id)
    context = {
        "business": business,
        "grant": grant,
        "form": form,
        "instructions": pages_above.address("signing"),
    }
    return render(request, "apikeys/signing.html", context)
