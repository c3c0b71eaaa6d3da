"""What a signatory sends."""

from django import forms


class SignForm(forms.Form):
    """The one press that signs a pack, and the offer that stood on its page."""

    offer_sha256 = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    consents = forms.BooleanField(
        label="I agree to receive and sign these documents electronically",
        error_messages={"required": "Tick that you agree to sign electronically, then sign."},
    )
