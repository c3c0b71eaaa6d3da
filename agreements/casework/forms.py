"""Filter form for the list of packs."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

TIERS = [("", _("Any")), ("LOW", _("Low")), ("MEDIUM", _("Medium")), ("HIGH", _("High"))]


class PackFilter(forms.Form):
    """Filters for the list of packs, read from the query string."""

    q = forms.CharField(label=_("Business or pack number"), required=False, max_length=100)
    stage = forms.ChoiceField(
        label=_("Stage"),
        required=False,
        choices=[
            ("", _("Waiting for you")),
            ("waiting", _("Waiting for any of our staff")),
            ("in_approval", _("With our approvers")),
            ("approved", _("To countersign")),
            ("stopped", _("Stopped")),
            ("business", _("With the business")),
            ("executed", _("Executed")),
            ("all", _("All")),
        ],
    )
    tier = forms.ChoiceField(label=_("Tier"), required=False, choices=TIERS)

    @property
    def chosen(self) -> dict[str, Any]:
        """Return the chosen filters, ignoring an invalid query string."""
        return self.cleaned_data if self.is_valid() else {}
