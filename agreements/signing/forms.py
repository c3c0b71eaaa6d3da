"""Signing form."""

from django import forms


class SignForm(forms.Form):
    """The offer's hash as shown on the page.

    The signatory consented to sign electronically by accepting the document about it, which is in
    every pack, and the declaration repeats it.
    """

    offer_sha256 = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
