"""What our people send when they decide."""

from django import forms

from agreements.lifecycle import APPROVERS, DecisionRole
from console.shell.forms import TextField


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
