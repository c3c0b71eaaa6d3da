"""What the list of packs is narrowed to."""

from typing import Any

from django import forms

TIERS = [("", "Any"), ("LOW", "Low"), ("MEDIUM", "Medium"), ("HIGH", "High")]


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
