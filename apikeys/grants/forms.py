"""Forms for the reason of a decision about a business's access."""

from django import forms
from django.utils.translation import gettext_lazy as _

from console.shell.forms import ConfidentialField, ReasonField


class ReasonForm(forms.Form):
    """The reason for suspending or restoring a grant."""

    reason = ReasonField(
        help_text=_("We record this in the audit log. The business cannot see it."),
        max_length=500,
    )


class ComplianceReasonForm(forms.Form):
    """The reason of compliance for a decision about a business or a network."""

    reason = ConfidentialField(max_length=500)
