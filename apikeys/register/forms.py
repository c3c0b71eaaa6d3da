"""Forms of the register: its filter, and the account manager of a business."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apikeys.models.staged_business import BusinessStage
from apikeys.register.business_register import SORTS
from console.accounts import staff
from console.accounts.models import User
from console.accounts.roles import Permission


class RegisterFilter(forms.Form):
    """The register's filters, all in the URL."""

    q = forms.CharField(label=_("Business"), required=False, max_length=100)
    stage = forms.ChoiceField(label=_("Stage"), required=False)
    activity = forms.ChoiceField(
        label=_("Activity"), required=False, choices=[("", _("Any")), ("stalled", _("Stalled"))]
    )
    manager = forms.ChoiceField(label=_("Account manager"), required=False)
    sort = forms.ChoiceField(label=_("Order"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        managers = staff.people_with(Permission.ACCOUNT_MANAGE)
        choices = {
            "stage": [("", _("Any")), *BusinessStage.choices],
            "manager": [
                ("", _("Any")), ("me", _("You")), ("none", _("Nobody")),
                *((one.public_id, str(one)) for one in managers),
            ],
            "sort": [(key, gettext(label)) for key, (_order, label) in SORTS.items()],
        }  # fmt: skip
        for name, shown in choices.items():
            self.fields[name].choices = shown  # type: ignore[attr-defined]

    @property
    def chosen(self) -> dict[str, Any]:
        """Return the chosen filters, or none if the URL is invalid."""
        return self.cleaned_data if self.is_valid() else {}


class AccountManagerForm(forms.Form):
    """The account manager of a business."""

    person = forms.ModelChoiceField(
        User.objects.none(),
        label=_("Account manager"),
        to_field_name="public_id",
        required=False,
        empty_label=_("Nobody"),
        error_messages={"invalid_choice": _("Choose one of our account managers.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = staff.people_with(Permission.ACCOUNT_MANAGE)
        self.fields["person"].queryset = people  # type: ignore[attr-defined]
