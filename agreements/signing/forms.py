"""Signing form."""

from django import forms
from django.utils.translation import gettext_lazy as _


class SignForm(forms.Form):
    """The offer's hash as shown on the page, and the signatory's consent."""

    offer_sha256 = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    consents = forms.BooleanField(
        label=_("I agree to receive and sign these documents electronically"),
        error_messages={"required": _("Tick the box to agree to sign electronically, then sign.")},
    )
