"""Forms, read from the query string: request log filters, and the call to explain."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from api.operations import Operation
from api.problems import CODES
from api.troubleshooting.explanation import SIGNATURES
from api.v1.router import OPERATIONS
from apikeys.lifecycle import Environment
from apikeys.logged_calls import OUTCOMES, LogFilters
from apikeys.models import ApiKey
from console.accounts.models import Business

ENDPOINTS = {f"{one.method} {one.path}": one for one in OPERATIONS}


def _choices(values: list[str]) -> list[tuple[str, Any]]:
    return [("", _("All")), *((value, value) for value in values)]


def _key_choices(business: Business) -> list[tuple[str, str]]:
    keys = ApiKey.objects.of(business)
    return [(key.public_id, f"{key.name} ({key.public_id})") for key in keys]


def _moment(label: Any) -> forms.DateTimeField:
    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
    return forms.DateTimeField(label=label, required=False, widget=widget)


class RequestLogForm(forms.Form):
    """Filters of the request log; invalid values are ignored. Times are UTC, to the minute."""

    q = forms.CharField(label=_("Request or object ID"), required=False, max_length=40)
    since = _moment(_("From (UTC)"))
    until = _moment(_("Until (UTC)"))
    outcome = forms.ChoiceField(
        label=_("Response"), required=False, choices=_choices(list(OUTCOMES))
    )
    code = forms.ChoiceField(label=_("Error"), required=False, choices=_choices(list(CODES)))
    endpoint = forms.ChoiceField(
        label=_("Operation"), required=False, choices=_choices(list(ENDPOINTS))
    )
    environment = forms.ChoiceField(
        label=_("Environment"), required=False, choices=[("", _("All")), *Environment.choices]
    )
    key_id = forms.ChoiceField(label=_("Key"), required=False)
    ip = forms.GenericIPAddressField(label=_("IP address"), required=False)

    def __init__(self, data: Any, *, business: Business) -> None:
        super().__init__(data)
        self.fields["key_id"].choices = [("", _("All")), *_key_choices(business)]  # type: ignore[attr-defined]
        for field in self.fields.values():
            field.widget.attrs["class"] = "input"

    def filters(self) -> LogFilters:
        """Return the valid filters."""
        self.is_valid()
        return LogFilters(**{name: value for name, value in self.cleaned_data.items() if value})


class ExplainForm(forms.Form):
    """A call to explain: key, address, operation, environment and signature."""

    key = forms.ChoiceField(label=_("Key"))
    ip = forms.GenericIPAddressField(label=_("IP address of the call"))
    endpoint = forms.ChoiceField(
        label=_("Operation"), choices=[(endpoint, endpoint) for endpoint in ENDPOINTS]
    )
    environment = forms.ChoiceField(label=_("Environment"), choices=Environment.choices)
    signature = forms.ChoiceField(
        label=_("Signature of the call"), choices=list(SIGNATURES.items()), required=False
    )
    # The ID of the logged call that is explained, if it is one.
    call = forms.CharField(widget=forms.HiddenInput, required=False, max_length=40)

    def __init__(self, data: Any, *, business: Business, **more: Any) -> None:
        super().__init__(data, **more)
        self.fields["key"].choices = _key_choices(business)  # type: ignore[attr-defined]

    def operation(self) -> Operation:
        return ENDPOINTS[self.cleaned_data["endpoint"]]
