"""Forms: the live limits of a business, and decisions about payments to check."""

from django import forms
from django.utils.translation import gettext_lazy as _

from apikeys.grants.forms import ReasonForm
from console.core.money import Money
from console.shell.forms import ConfidentialField
from onboarding.review.forms import decision_field

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


class _DecisionForm(forms.Form):
    """A decision about a payment, with its reason."""

    reason = ConfidentialField(
        _("What you compared"),
        _("The evidence you used, what matches and what does not."),
        error_messages={"required": _("Say what you compared. A sentence is enough.")},
    )
    field_order = ("outcome", "reason")


class CheckPaymentForm(_DecisionForm):
    """A reviewer's decision about a payment with possible matches."""

    outcome = decision_field(
        _("Choose one of the two options."),
        ("not_same", _("Not the same, for every match: let the payment go on")),
        ("same", _("The same: another compliance reviewer must confirm it")),
    )


class BlockPaymentForm(_DecisionForm):
    """The second reviewer's decision."""

    outcome = decision_field(
        _("Choose one of the two options."),
        ("yes", _("The same: block the payment, and keep its money")),
        ("no", _("Not confirmed: the match stays open")),
    )


class ReturnMoneyForm(_DecisionForm):
    """The decision to return the money of a blocked payment."""

    reason = ConfidentialField(
        _("Why the money may be returned"),
        _("Such as a licence of the authority, with its number and date."),
    )
