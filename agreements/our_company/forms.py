"""What our staff enter about our own company."""

from typing import Any, cast

from django import forms

from agreements.templates import facts_check
from agreements.templates.facts_schema import Supplier
from console.shell.forms import NameField, TextField
from onboarding.reference import countries

_MOST_LINES = 6


class _EmailField(NameField, forms.EmailField):
    """An e-mail address that documents state."""

    default_error_messages = {"invalid": "Enter an e-mail address in full, like name@example.com."}


class CompanyForm(forms.Form):
    """The facts that documents state about us. Every one is required."""

    legal_name = NameField(label="Legal name", max_length=200)
    short_name = NameField(label="Short name", max_length=80, help_text="It heads every document.")
    registration_number = NameField(label="Registration number", max_length=40)
    country = forms.ChoiceField(label="Country of registration")
    address = TextField(
        label="Registered address",
        help_text="As on an envelope, without the country.",
        max_length=600,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    website = NameField(label="Website", max_length=200, help_text="Without https://.")
    notices_email = _EmailField(label="E-mail address for notices", max_length=200)
    privacy_email = _EmailField(label="E-mail address for privacy", max_length=200)
    security_email = _EmailField(label="E-mail address for security", max_length=200)
    support_email = _EmailField(label="E-mail address for support", max_length=200)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        country = cast(forms.ChoiceField, self.fields["country"])
        country.choices = [("", "Choose a country"), *countries.names().items()]

    def clean_address(self) -> str:
        lines = [line.strip() for line in self.cleaned_data["address"].split("\n")]
        kept = [line for line in lines if line]
        if len(kept) > _MOST_LINES:
            raise forms.ValidationError(f"Use {_MOST_LINES} lines or fewer.")
        return "\n".join(kept)

    def clean(self) -> None:
        for name, value in list(self.cleaned_data.items()):
            if found := facts_check.unsettable(value.replace("\n", "")):
                said = f"Our documents cannot show {' '.join(found)}. Write this in other letters."
                self.add_error(name, said)

    @property
    def facts(self) -> Supplier:
        """Return what was entered, as documents state it."""
        said = self.cleaned_data
        country_name = countries.name(said["country"])
        address = [*said["address"].split("\n"), country_name]
        return cast(Supplier, {**said, "country_name": country_name, "address": address})


def entered(facts: dict[str, Any]) -> dict[str, Any]:
    """Return details as the form shows them."""
    return {**facts, "address": "\n".join(facts["address"][:-1])}
