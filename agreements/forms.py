"""What the pages of agreements send."""

from typing import Any

from django import forms

from agreements.lifecycle import APPROVERS, DecisionRole
from console.shell.forms import TextField

TIERS = [("", "Any"), ("LOW", "Low"), ("MEDIUM", "Medium"), ("HIGH", "High")]


class SignForm(forms.Form):
    """The one press that signs a pack, and the offer that stood on its page."""

    offer_sha256 = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    consents = forms.BooleanField(
        label="I agree to receive and sign these documents electronically",
        error_messages={"required": "Tick that you agree to sign electronically, then sign."},
    )


class DecisionForm(forms.Form):
    """A decision of one of our people: in which capacity, about which signed set."""

    role = forms.ChoiceField(
        choices=[(role.value, role.label) for role in APPROVERS], widget=forms.HiddenInput
    )
    signed_set_sha256 = forms.CharField(max_length=64, widget=forms.HiddenInput)

    @property
    def capacity(self) -> DecisionRole:
        return DecisionRole(self.cleaned_data["role"])


class SendBackForm(DecisionForm):
    """What the business must change."""

    note = TextField(
        label="What must change",
        help_text="The business reads this. Name the document or the answer, and what to change.",
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 5}),
        error_messages={"required": "Say what must change. The business reads it."},
    )


class RetryForm(forms.Form):
    """Why a stopped preparation or sealing may run again, and from where."""

    anew = forms.BooleanField(
        label="Prepare every document anew",
        help_text="From today’s templates and rules, not from those it was begun with",
        required=False,
    )

    reason = TextField(
        label="What was done about the cause",
        help_text="Kept in the log, read by our staff only",
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": "Say what was done about the cause. A sentence is enough."},
    )


class PackFilter(forms.Form):
    """What the list of packs is narrowed to; everything lives in the address."""

    q = forms.CharField(label="Business or pack number", required=False, max_length=100)
    stage = forms.ChoiceField(
        label="Stage",
        required=False,
        choices=[
            ("", "Waiting for you"),
            ("waiting", "Waiting for any of us"),
            ("in_approval", "With our approvers"),
            ("approved", "To countersign"),
            ("stopped", "Stopped"),
            ("business", "With the business"),
            ("executed", "Executed"),
            ("all", "All"),
        ],
    )
    tier = forms.ChoiceField(label="Tier", required=False, choices=TIERS)

    @property
    def chosen(self) -> dict[str, Any]:
        """Return what was chosen; an address that makes no sense chooses nothing."""
        return self.cleaned_data if self.is_valid() else {}
