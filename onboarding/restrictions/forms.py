"""The form of one entry of the restricted list."""

import re
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.shell.forms import ConfidentialField, NameField, TextField
from onboarding.reference import countries
from onboarding.restrictions import list_versions
from onboarding.restrictions.restricted_list import RestrictedEntry, RestrictionScope

_CODE = re.compile("([A-Z]{2})(-[A-Z0-9]{1,3})?")
SCOPES = {
    RestrictionScope.INCORPORATION: gettext_lazy("Country of incorporation"),
    RestrictionScope.ADDRESS: gettext_lazy("Addresses"),
    RestrictionScope.OPERATING: gettext_lazy("Where a business operates"),
    RestrictionScope.RESIDENCE: gettext_lazy("Residence of people"),
    RestrictionScope.CORRIDOR: gettext_lazy("Where money goes"),
    RestrictionScope.BANK: gettext_lazy("Banks"),
    RestrictionScope.DATA_LOCATION: gettext_lazy("Where data is stored"),
    RestrictionScope.DOWNSTREAM: gettext_lazy("A business's own customers"),
}


def _lines(label: Any, help_text: Any) -> TextField:
    area = forms.Textarea(attrs={"rows": 3})
    return TextField(label=label, help_text=help_text, required=False, max_length=4000, widget=area)


class RestrictedEntryForm(forms.Form):
    """One country or region, what is restricted there, from when and until when."""

    code = NameField(
        label=gettext_lazy("Code"),
        max_length=6,
        help_text=gettext_lazy("A country such as KP, or a region such as UA-43 (ISO 3166)."),
    )
    name = NameField(label=gettext_lazy("Name"), max_length=80)
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("What is restricted"),
        choices=SCOPES.items,
        widget=forms.CheckboxSelectMultiple,
    )
    basis = NameField(label=gettext_lazy("Legal basis"), max_length=200)
    since = forms.DateField(
        label=gettext_lazy("Restricted from"),
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    until = forms.DateField(
        label=gettext_lazy("Restricted until"),
        help_text=gettext_lazy("The first day on which it is allowed again."),
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    also = _lines(
        gettext_lazy("Other names and towns of a region"), gettext_lazy("One on each line.")
    )
    postcodes = NameField(
        label=gettext_lazy("Postcodes of a region"),
        help_text=gettext_lazy("Their digits before the last three, separated by spaces."),
        required=False,
        max_length=400,
    )
    under = _lines(
        gettext_lazy("Other countries under which a region is stated"),
        gettext_lazy(
            "One on each line. After a colon, names and postcodes of other places of the same name "
            "there, separated by commas: RU: Rostov, 346"
        ),
    )
    reason = ConfidentialField(label=gettext_lazy("Why"))

    def clean_code(self) -> str:
        code = str(self.cleaned_data["code"]).upper()
        if not (found := _CODE.fullmatch(code)) or not countries.exists(found[1]):
            raise forms.ValidationError(_("Enter a code such as KP or UA-43."))
        return code

    def clean_under(self) -> dict[str, list[str]]:
        pairs = [line.partition(":") for line in _split(self.cleaned_data["under"], "\n")]
        found = {country.strip().upper(): _split(names, ",") for country, _colon, names in pairs}
        if unknown := [code for code in found if not countries.exists(code)]:
            raise forms.ValidationError(
                _("%(code)s is not a country code.") % {"code": ", ".join(unknown)}
            )
        return found

    @property
    def entry(self) -> dict[str, Any]:
        """Return the entry as a list's document states it."""
        said = self.cleaned_data
        every = len(said["scopes"]) == len(RestrictionScope)
        stated = {
            "code": said["code"],
            "name": said["name"],
            "scopes": "all" if every else sorted(said["scopes"]),
            "basis": said["basis"],
            "from": said["since"].isoformat(),
            "until": said["until"].isoformat() if said["until"] else "",
            "also": _split(said["also"], "\n"),
            "postcodes": sorted(said["postcodes"].split()),
            "under": said["under"],
        }
        return {member: value for member, value in stated.items() if value}


def entered(entry: RestrictedEntry) -> dict[str, Any]:
    """Return an entry as the form's initial values."""
    stated = list_versions.as_document(entry)
    under = (f"{code}: {', '.join(names)}" for code, names in entry.under.items())
    return stated | {
        "scopes": sorted(entry.scopes),
        "since": entry.since,
        "until": entry.until,
        "also": "\n".join(entry.also),
        "postcodes": " ".join(sorted(entry.postcodes)),
        "under": "\n".join(under),
    }


def _split(text: str, by: str) -> list[str]:
    return [part.strip() for part in text.split(by) if part.strip()]
