"""What our staff send when they stop or restore a grant."""

from django import forms

from console.shell.forms import TextField


class ReasonForm(forms.Form):
    """Why somebody of our staff does it."""

    reason = TextField(
        label="Reason",
        help_text="A sentence that the audit log keeps. The business does not see it.",
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": "Say why, in a sentence."},
    )
