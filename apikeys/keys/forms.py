"""Shape-checks for a new key and for ending one."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any

from django import forms

from apikeys import secrets
from apikeys.models import ApiKey, Grant
from console.catalogue.definitions import Product
from console.core import clock
from console.shell.forms import NameField

LIVES = (("30", "30 days"), ("90", "90 days"), ("180", "180 days"), ("365", "365 days"))


class NewKeyForm(forms.Form):
    """A name, the scopes and a life. `once` makes a second press the same press."""

    name = NameField(
        label="Name",
        help_text="Where it will run, for example “Backend, staging”.",
        max_length=60,
        error_messages={"required": "Enter a name for the key."},
    )
    scopes = forms.MultipleChoiceField(
        label="Scopes",
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": "Choose at least one scope.",
            "invalid_choice": "Choose scopes from the list.",
        },
    )
    days = forms.ChoiceField(
        label="Ends after",
        choices=LIVES,
        initial="365",
        error_messages={"required": "Choose when the key ends."},
    )
    once = forms.CharField(widget=forms.HiddenInput, max_length=64)

    def __init__(
        self, data: Any = None, *, grant: Grant, typed: Mapping[str, Any] = MappingProxyType({})
    ) -> None:
        offered = sorted(grant.scopes())
        reading = [scope for scope in offered if scope.endswith(":read")]
        initial = {"scopes": reading, **typed, "once": secrets.token()}
        super().__init__(data, initial=initial)
        self.offers = grant.offers()
        choices = [(scope, scope) for scope in offered]
        self.fields["scopes"].choices = choices  # type: ignore[attr-defined]

    def products(self) -> Iterator[tuple[Product, list[forms.boundfield.BoundWidget]]]:
        """Return the scopes' boxes, product by product."""
        boxes = {box.data["value"]: box for box in self["scopes"]}
        for product in self.offers:
            yield product, [boxes[scope] for scope in product.scopes]

    def expires_at(self) -> datetime:
        return clock.now() + timedelta(days=int(self.cleaned_data["days"]))


class RevokeForm(forms.Form):
    """The key's name, typed again, so that it is the right one."""

    name = NameField(
        label="Type the key's name to confirm",
        max_length=60,
        error_messages={"required": "Type the key's name."},
    )

    def __init__(self, data: Any = None, *, key: ApiKey) -> None:
        super().__init__(data)
        self.key = key

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name != self.key.name:
            raise forms.ValidationError(f"Type the name exactly as it is: {self.key.name}")
        return name
