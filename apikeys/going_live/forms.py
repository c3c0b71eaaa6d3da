"""What is sent about going live: the products, a note, a decision."""

from collections.abc import Sequence
from typing import Any

from django import forms

from console.catalogue.definitions import PRODUCTS
from console.shell.forms import TextField


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

    note = TextField(
        label="Note",
        help_text="What the business does with it, and what you looked at. Our staff read it.",
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": "Say why, in a sentence."},
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
    reason = TextField(
        label="Reason",
        help_text="The business reads it.",
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": "Say why, in a sentence."},
    )
