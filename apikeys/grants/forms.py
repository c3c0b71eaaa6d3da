"""What our staff send when they stop or restore a grant."""

from django import forms

from console.shell.forms import ReasonField


class ReasonForm(forms.Form):
    """Why somebody of our staff does it."""

    reason = ReasonField(
        help_text="A sentence that the audit log keeps. The business does not see it.",
        max_length=500,
    )
