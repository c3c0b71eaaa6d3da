"""Form to set the live limits of a business."""

from django import forms
from django.utils.translation import gettext_lazy as _

from apikeys.grants.forms import ReasonForm
from console.core.money import Money

# A hundred billion euros: more than any business pays out in a month.
_MOST = 10**11


class LimitsForm(ReasonForm):
    """The limits in euros, and the reason."""

    month = forms.DecimalField(
        label=_("All payments of a month, in EUR"),
        min_value=0,
        max_value=_MOST,
        decimal_places=2,
        max_digits=14,
    )
    payment = forms.DecimalField(
        label=_("One payment, in EUR"),
        min_value=0,
        max_value=_MOST,
        decimal_places=2,
        max_digits=14,
    )
    field_order = ("month", "payment", "reason")

    def money(self, name: str) -> Money:
        """Return a valid field's amount."""
        return Money.parse(f"{self.cleaned_data[name]:.2f}", "EUR")
