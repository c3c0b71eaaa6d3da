"""What our staff send when they stop or restore a grant."""

from django import forms
from django.utils.translation import gettext_lazy as _

from console.shell.forms import ReasonField


class ReasonForm(forms.Form):
    """Why somebody of our staff does it."""

    reason = ReasonField(
        help_text=_("We record this in the audit log. The business cannot see it."),
        max_length=500,
    )
