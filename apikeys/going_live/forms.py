"""What is sent about going live: the products, a note, a decision."""

from collections.abc import Sequence
from typing import Any

from django import forms

from console.catalogue.definitions import PRODUCTS
from console.shell.forms import ReasonField


class AskLiveForm(forms.Form):
    """The products that a business wants in live."""

    products = forms.MultipleChoiceField(
        label="Products",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"invalid_choice": "Choose products from the list."},
    )

    def __init__(self, data: Any = None, *, ready: Sequence[str], initial: Any = None) -> None:
        super().__init__(data, initial={"products": ready} | (initial or {}))
        choices = [(key, PRODUCTS[key].name) for key in ready]
        self.fields["products"].choices = choices  # type: ignore[attr-defined]


class ProposeLiveForm(forms.Form):
    """Why an account manager puts a request before the head of compliance."""

    note = ReasonField(
        "Note", "What the business does with it, and what you looked at. Our staff read it."
    )


class DecideLiveForm(forms.Form):
    """The decision of the head of compliance."""

    decision = forms.ChoiceField(
        label="Your decision",
        choices=[
            ("approve", "Approve: the business may open live"),
            ("decline", "Decline: the business can ask again"),
        ],
        widget=forms.RadioSelect,
        error_messages={"required": "Choose approve or decline."},
    )
    reason = ReasonField(help_text="The business reads it.")
