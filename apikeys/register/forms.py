"""Forms of the register: its filter, and the account manager of a business."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apikeys.models.staged_business import BusinessStage
from apikeys.register.business_register import SORTS
from console.accounts import staff
from console.accounts.roles import Permission
from console.shell.forms import SeenForm


def _managers() -> list[tuple[str, Any]]:
    people = staff.people_with(Permission.ACCOUNT_MANAGE)
    named = [(one.public_id, str(one)) for one in people]
    return [("", _("Any")), ("me", _("You")), ("none", _("Nobody")), *named]


class RegisterFilter(forms.Form):
    """The register's filters, all in the URL."""

    q = forms.CharField(label=_("Business"), required=False, max_length=100)
    stage = forms.ChoiceField(
        label=_("Stage"), required=False, choices=[("", _("Any")), *BusinessStage.choices]
    )
    activity = forms.ChoiceField(
        label=_("Activity"), required=False, choices=[("", _("Any")), ("stalled", _("Stalled"))]
    )
    manager = forms.ChoiceField(label=_("Account manager"), required=False, choices=_managers)
    sort = forms.ChoiceField(
        label=_("Order"),
        required=False,
        choices=[(key, label) for key, (_order, label) in SORTS.items()],
    )

    @property
    def chosen(self) -> dict[str, Any]:
        """Return the chosen filters, or none if the URL is invalid."""
        return self.cleaned_data if self.is_valid() else {}


class AccountManagerForm(SeenForm):
    """Who looks after a business. `seen` is the manager that the page showed."""

    person = forms.ModelChoiceField(
        staff.people_with(Permission.ACCOUNT_MANAGE),
        label=_("Account manager"),
        to_field_name="public_id",
        required=False,
        empty_label=_("Nobody"),
        error_messages={"invalid_choice": _("Choose one of our account managers.")},
    )
