"""Forms for endpoints: kinds, URL and replays."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import groupby
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apikeys import secrets
from apikeys.grants.forms import ComplianceReasonForm
from apikeys.webhooks import addresses, deliveries, endpoint_rules, replays
from apikeys.webhooks.fan_out import EVERY_KIND
from apikeys.webhooks.lifecycle import DeliveryStatus
from apikeys.webhooks.models import WebhookEndpoint
from apikeys.webhooks.pages.delivery_log import STATES, DeliveryFilters
from console.core import clock
from console.core.refusals import Refused
from console.events import public_kinds
from console.events.public_kinds import PublicKind
from console.shell.forms import NameField, SeenForm

_MOMENT = "%Y-%m-%dT%H:%M"


class KindBox(NamedTuple):
    box: forms.boundfield.BoundWidget
    kind: PublicKind


class EndpointUrlField(NameField):
    """The URL of an endpoint, normalised. Cleaning it looks up the host."""

    def clean(self, value: Any) -> str:
        typed = str(super().clean(value)).strip()
        try:
            address = addresses.read(typed)
            addresses.refuse_forbidden(address)
        except Refused as refused:
            raise forms.ValidationError(refused.message) from None
        return address


def _names_of_kinds() -> list[tuple[str, str]]:
    return [(name, name) for name in sorted(public_kinds.names())]


class KindsForm(forms.Form):
    """The kinds and the description of an endpoint."""

    every = forms.BooleanField(
        label=_("All event types, including new ones we add later"), initial=True, required=False
    )
    enabled_events = forms.MultipleChoiceField(
        label=_("Event types"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        choices=_names_of_kinds,
        error_messages={"invalid_choice": _("Choose event types from the list.")},
    )
    description = NameField(
        label=_("Description"),
        help_text=_("Say what receives the events, for example “Order service, staging”."),
        max_length=255,
        required=False,
    )

    def groups(self) -> Iterator[tuple[str, list[KindBox]]]:
        """Return the checkboxes of the kinds, grouped by object."""
        kinds = {kind.name: kind for kind in public_kinds.every()}
        boxes = [KindBox(box, kinds[box.data["value"]]) for box in self["enabled_events"]]
        for name, found in groupby(boxes, lambda one: one.kind.name.partition(".")[0]):
            yield name.replace("_", " ").capitalize(), list(found)

    def clean(self) -> dict[str, Any]:
        typed: dict[str, Any] = super().clean() or self.cleaned_data
        every = typed.pop("every")
        if "enabled_events" not in typed:
            return typed
        chosen = [EVERY_KIND] if every else typed["enabled_events"]
        try:
            typed["enabled_events"] = endpoint_rules.kinds(chosen)
        except Refused as refused:
            said = (
                refused.message
                if chosen
                else gettext("Choose at least one event type, or all event types.")
            )
            self.add_error("enabled_events", said)
        return typed


class NewEndpointForm(KindsForm):
    """URL, kinds and description of a new endpoint. `once` prevents a double submission."""

    url = EndpointUrlField(
        label=_("Address"),
        help_text=_("The https address that receives our POST requests."),
        max_length=addresses.LONGEST,
        error_messages={"required": _("Enter the address of the endpoint.")},
    )
    once = forms.CharField(widget=forms.HiddenInput, initial=secrets.token, max_length=64)
    field_order = ("url", "every", "enabled_events", "description", "once")


class EditEndpointForm(KindsForm):
    """The new kinds and description of an endpoint. `seen` are those that the page showed."""

    probed_weekly = forms.BooleanField(
        label=_(
            "Every week, send a request with a wrong signature to check that my endpoint refuses it"
        ),
        required=False,
    )
    seen = forms.JSONField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, endpoint: WebhookEndpoint) -> None:
        every = endpoint.enabled_events == [EVERY_KIND]
        shown = {
            "enabled_events": endpoint.enabled_events,
            "description": endpoint.description,
            "probed_weekly": endpoint.probed_weekly,
        }
        initial = shown | {"every": every, "seen": shown}
        if every:
            initial["enabled_events"] = []
        super().__init__(data, initial=initial)


class MoveForm(forms.Form):
    url = EndpointUrlField(
        label=_("New address"),
        help_text=_("You must verify the new address."),
        max_length=addresses.LONGEST,
        error_messages={"required": _("Enter the new address.")},
    )


class RotateSecretForm(forms.Form):
    """Whether the previous secret ends now."""

    end_previous = forms.BooleanField(
        label=_("Others may know the previous secret: stop using it immediately"), required=False
    )
    replaces = forms.DateTimeField(widget=forms.HiddenInput)


def _kinds_to_show() -> list[tuple[str, Any]]:
    return [("", _("All")), *_names_of_kinds(), (deliveries.PING, deliveries.PING)]


class DeliveryFilterForm(forms.Form):
    """Filters for deliveries. Invalid values do not filter."""

    state = forms.ChoiceField(
        label=_("Status"),
        required=False,
        choices=[("", _("All")), *((state, label) for state, (label, _statuses) in STATES.items())],
    )
    kind = forms.ChoiceField(label=_("Type"), required=False, choices=_kinds_to_show)
    event = NameField(label=_("Event"), required=False, max_length=40)

    def filters(self) -> DeliveryFilters:
        self.is_valid()
        return DeliveryFilters(**{name: str(v or "") for name, v in self.cleaned_data.items()})


class ReplayForm(SeenForm):
    """The range of deliveries to resend. Times are UTC, to the minute.

    `seen` is the id of the newest replay when the page was opened.
    """

    since = forms.DateTimeField(
        label=_("Created from (UTC)"),
        initial=lambda: clock.now() - timedelta(days=1),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=_MOMENT),
        error_messages={"required": _("Enter the start of the range.")},
    )
    until = forms.DateTimeField(
        label=_("Created until (UTC)"),
        initial=lambda: clock.now() + timedelta(minutes=1),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=_MOMENT),
        error_messages={"required": _("Enter the end of the range.")},
    )
    statuses = forms.MultipleChoiceField(
        label=_("Deliveries with status"),
        initial=[DeliveryStatus.EXHAUSTED],
        widget=forms.CheckboxSelectMultiple,
        choices=[
            (DeliveryStatus.EXHAUSTED, _("Failed after all attempts")),
            (DeliveryStatus.ABANDONED, _("Abandoned")),
            (DeliveryStatus.DELIVERED, _("Delivered")),
        ],
        error_messages={"required": _("Choose at least one status.")},
    )

    def wanted(self) -> replays.Range:
        typed = self.cleaned_data
        return replays.Range(since=typed["since"], until=typed["until"], statuses=typed["statuses"])


class StopForm(ComplianceReasonForm):
    """The reason, and which button was pressed, because the page may be out of date."""

    wanted = forms.ChoiceField(choices=[("stop", "Stop"), ("resume", "Resume")])
