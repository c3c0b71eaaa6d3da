"""Form for our company details."""

from typing import Any, cast

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreements.document_templates import facts_check
from agreements.document_templates.facts_schema import Supplier
from console.shell.forms import NameField, TextField
from onboarding.questionnaire import register_entry
from onboarding.reference import countries, register_numbers

_MOST_LINES = 6


class _EmailField(NameField, forms.EmailField):
    """An e-mail address for use in documents."""

    default_error_messages = {
        "invalid": gettext_lazy("Enter a full e-mail address, like name@example.com.")
    }


class CompanyForm(forms.Form):
    """The facts that documents state about us, all required."""

    legal_name = NameField(label=gettext_lazy("Legal name"), max_length=200)
    short_name = NameField(
        label=gettext_lazy("Short name"),
        max_length=80,
        help_text=gettext_lazy("We print it at the top of every document."),
    )
    registration_number = NameField(label=gettext_lazy("Registration number"), max_length=40)
    country = forms.ChoiceField(
        label=gettext_lazy("Country of registration"),
        choices=lambda: [("", _("Choose a country")), *countries.names().items()],
    )
    address = TextField(
        label=gettext_lazy("Registered address"),
        help_text=gettext_lazy("As on an envelope, without the country."),
        max_length=600,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    website = NameField(
        label=gettext_lazy("Website"), max_length=200, help_text=gettext_lazy("Without https://.")
    )
    notices_email = _EmailField(label=gettext_lazy("E-mail address for notices"), max_length=200)
    privacy_email = _EmailField(label=gettext_lazy("E-mail address for privacy"), max_length=200)
    security_email = _EmailField(label=gettext_lazy("E-mail address for security"), max_length=200)
    support_email = _EmailField(label=gettext_lazy("E-mail address for support"), max_length=200)

    def clean_address(self) -> str:
        lines = [line.strip() for line in self.cleaned_data["address"].split("\n")]
        kept = [line for line in lines if line]
        if len(kept) > _MOST_LINES:
            raise forms.ValidationError(_("Use %(count)s lines or fewer.") % {"count": _MOST_LINES})
        return "\n".join(kept)

    def clean(self) -> None:
        for name, value in list(self.cleaned_data.items()):
            if found := facts_check.unsettable(value.replace("\n", "")):
                said = _("Our documents cannot show %(letters)s. Use other letters.") % {
                    "letters": " ".join(found)
                }
                self.add_error(name, said)
        country, number = map(self.cleaned_data.get, ("country", "registration_number"))
        if country and number and not register_numbers.canonical(country, number):
            self.add_error("registration_number", register_entry.objection(country))

    @property
    def facts(self) -> Supplier:
        """Return the entered details as documents state them."""
        said = self.cleaned_data
        country_name = countries.name(said["country"])
        address = [*said["address"].split("\n"), country_name]
        return cast(Supplier, {**said, "country_name": country_name, "address": address})


def entered(facts: dict[str, Any]) -> dict[str, Any]:
    """Return details as the form's initial values."""
    return {**facts, "address": "\n".join(facts["address"][:-1])}
