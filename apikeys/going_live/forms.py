"""Forms for going live: the products, a proposal note and a decision."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from console.catalogue.definitions import PRODUCTS
from console.shell.forms import ReasonField


class AskLiveForm(forms.Form):
    """The products that a business requests in live."""

    products = forms.MultipleChoiceField(
        label=_("Products"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"invalid_choice": _("Choose products from the list.")},
    )

    def __init__(self, data: Any = None, *, ready: Sequence[str], initial: Any = None) -> None:
        super().__init__(data, initial={"products": ready} | (initial or {}))
        choices = [(key, PRODUCTS[key].name) for key in ready]
        self.fields["products"].choices = choices  # type: ignore[attr-defined]


class ProposeLiveForm(forms.Form):
    """The account manager's note when proposing a request to the head of compliance."""

    note = ReasonField(
        _("Note"),
        _("Say what the business will do in live and what you checked. Only our staff read this."),
    )


class DecideLiveForm(forms.Form):
    decision = forms.ChoiceField(
        label=_("Your decision"),
        choices=[
            ("approve", _("Approve: the business can open live")),
            ("decline", _("Decline: the business can send a new request")),
        ],
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose approve or decline.")},
    )
    reason = ReasonField(help_text=_("The business can read this."))
