"""Form for suspending or restoring a grant."""

from django import forms
from django.utils.translation import gettext_lazy as _

from console.shell.forms import ReasonField


class ReasonForm(forms.Form):
    """The reason for suspending or restoring a grant."""

    reason = ReasonField(
        help_text=_("We record this in the audit log. The business cannot see it."),
        max_length=500,
    )
