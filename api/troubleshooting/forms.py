"""What a page of the log is narrowed to, and which call is to be explained: all in the address."""

from typing import Any

from django import forms

from api.operations import Operation
from api.problems import CODES
from api.troubleshooting.explanation import SIGNATURES
from api.v1.router import OPERATIONS
from apikeys.lifecycle import Environment
from apikeys.models import ApiKey
from apikeys.request_log import OUTCOMES, LogFilters
from console.accounts.models import Business

ENDPOINTS = {f"{one.method} {one.path}": one for one in OPERATIONS}


def _choices(first: str, values: list[str]) -> list[tuple[str, str]]:
    return [("", first), *((value, value) for value in values)]


def _key_choices(business: Business) -> list[tuple[str, str]]:
    keys = ApiKey.objects.of(business)
    return [(key.public_id, f"{key.name} ({key.public_id})") for key in keys]


class RequestLogForm(forms.Form):
    """The filters of the log. What cannot be read as one narrows nothing."""

    outcome = forms.ChoiceField(
        label="Answer", required=False, choices=_choices("All", list(OUTCOMES))
    )
    code = forms.ChoiceField(label="Error", required=False, choices=_choices("All", list(CODES)))
    endpoint = forms.ChoiceField(
        label="Operation", required=False, choices=_choices("All", list(ENDPOINTS))
    )
    environment = forms.ChoiceField(
        label="Environment", required=False, choices=[("", "All"), *Environment.choices]
    )
    key_id = forms.ChoiceField(label="Key", required=False)
    ip = forms.GenericIPAddressField(label="Address", required=False)

    def __init__(self, data: Any, *, business: Business) -> None:
        super().__init__(data)
        self.fields["key_id"].choices = [("", "All"), *_key_choices(business)]  # type: ignore[attr-defined]

    def filters(self) -> LogFilters:
        """Return what could be read."""
        self.is_valid()
        return LogFilters(**{name: str(value or "") for name, value in self.cleaned_data.items()})


class ExplainForm(forms.Form):
    """A call to explain: with which key, from where, to which operation, of which environment."""

    key = forms.ChoiceField(label="Key")
    ip = forms.GenericIPAddressField(label="Address that the call comes from")
    endpoint = forms.ChoiceField(
        label="Operation", choices=[(endpoint, endpoint) for endpoint in ENDPOINTS]
    )
    environment = forms.ChoiceField(label="Environment of the address", choices=Environment.choices)
    signature = forms.ChoiceField(
        label="Signature of the call", choices=list(SIGNATURES.items()), required=False
    )

    def __init__(self, data: Any, *, business: Business, **more: Any) -> None:
        super().__init__(data, **more)
        self.fields["key"].choices = _key_choices(business)  # type: ignore[attr-defined]

    def operation(self) -> Operation:
        return ENDPOINTS[self.cleaned_data["endpoint"]]
