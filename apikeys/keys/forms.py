"""Forms for creating, changing, rotating and revoking a key."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apikeys import secrets
from apikeys.api_reference import OpenedOperation, opened_by
from apikeys.keys import presets
from apikeys.lifecycle import Environment
from apikeys.models import ApiKey, Grant
from console.catalogue.definitions import Product
from console.core import clock
from console.shell.forms import MailedNameField, NameField, ReasonField

GRACES = (
    ("0", _("0 hours: stop immediately")),
    ("1h", _("1 hour")),
    ("24h", _("24 hours")),
    ("7d", _("7 days")),
)
# Default lifetime of a key.
USUAL_LIFE = {Environment.SANDBOX: "365", Environment.LIVE: "180"}
LIVES = (
    ("30", _("30 days")),
    ("90", _("90 days")),
    ("180", _("180 days")),
    ("365", _("365 days")),
)


class ScopeBox(NamedTuple):
    """The checkbox of a scope, and the operations it gives access to."""

    box: forms.boundfield.BoundWidget
    operations: Sequence[OpenedOperation]


class NewKeyForm(forms.Form):
    """Name, scopes and lifetime of a new key. `once` prevents a double submission."""

    name = MailedNameField(
        label=_("Name"),
        help_text=_("Say where you will use it, for example “Backend, staging”."),
        max_length=60,
        error_messages={"required": _("Enter a name for the key.")},
    )
    scopes = forms.MultipleChoiceField(
        label=_("Scopes"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": _("Choose at least one scope."),
            "invalid_choice": _("Choose scopes from the list."),
        },
    )
    days = forms.ChoiceField(
        label=_("Expires after"),
        choices=LIVES,
        error_messages={"required": _("Choose when the key expires.")},
    )
    once = forms.CharField(widget=forms.HiddenInput, max_length=64)

    def __init__(self, data: Any = None, *, grant: Grant, preset: str = "") -> None:
        offered = sorted(grant.scopes())
        ticked = presets.scopes_of(preset, offered)
        days = USUAL_LIFE[Environment(grant.environment)]
        initial = {"scopes": ticked, "days": days, "once": secrets.token()}
        super().__init__(data, initial=initial)
        self.offers, self.environment = grant.offers(), grant.environment
        choices = [(scope, scope) for scope in offered]
        self.fields["scopes"].choices = choices  # type: ignore[attr-defined]

    def products(self) -> Iterator[tuple[Product, list[ScopeBox]]]:
        """Return the checkboxes of the scopes, grouped by product."""
        boxes = {one.box.data["value"]: one for one in _scope_boxes(self, self.environment)}
        for product in self.offers:
            yield product, [boxes[scope] for scope in product.scopes]

    def expires_at(self) -> datetime:
        return clock.now() + timedelta(days=int(self.cleaned_data["days"]))


class RenameForm(forms.Form):
    name = MailedNameField(
        label=_("Name"), max_length=60, error_messages={"required": _("Enter a name for the key.")}
    )


class NarrowForm(forms.Form):
    """The scopes that a key keeps."""

    scopes = forms.MultipleChoiceField(
        label=_("Scopes to keep"),
        help_text=_("You cannot add scopes back later. To get more scopes, create a new key."),
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": _("Keep at least one scope, or revoke the key."),
            "invalid_choice": _("Choose from the scopes that the key has."),
        },
    )

    def __init__(self, data: Any = None, *, key: ApiKey) -> None:
        super().__init__(data, initial={"scopes": key.scopes})
        self.environment = key.environment
        choices = [(scope, scope) for scope in key.scopes]
        self.fields["scopes"].choices = choices  # type: ignore[attr-defined]

    def boxes(self) -> list[ScopeBox]:
        """Return the checkbox of each scope the key has."""
        return _scope_boxes(self, self.environment)


class RotateForm(forms.Form):
    """How long the old secret works after the first use of the new one."""

    grace = forms.ChoiceField(
        label=_("After your first call with the new secret, keep the old one for"),
        choices=GRACES,
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose how long to keep the old secret.")},
    )
    replaces = forms.DateTimeField(widget=forms.HiddenInput)


class ExtendForm(forms.Form):
    """The end of the old secret that the page showed."""

    seen = forms.DateTimeField(required=False)

    def ends_at(self) -> datetime | None:
        return self.cleaned_data["seen"] if self.is_valid() else None


class StoredForm(forms.Form):
    """Whether the secret is stored, and when the one on the page was created."""

    stored = forms.BooleanField(required=False)
    seen = forms.DateTimeField(required=False)


class RevokeForm(forms.Form):
    """The reason, and the key's name typed again to confirm."""

    reason = ReasonField(help_text=_("We record this in the audit log."), max_length=500)
    name = NameField(
        label=_("Type the key’s name to confirm"),
        max_length=60,
        error_messages={"required": _("Type the key’s name.")},
    )

    def __init__(self, data: Any = None, *, key: ApiKey) -> None:
        super().__init__(data)
        self.key = key

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name != self.key.name:
            raise forms.ValidationError(
                gettext("Type the name exactly as shown: %(name)s") % {"name": self.key.name}
            )
        return name


def _scope_boxes(form: forms.Form, environment: str) -> list[ScopeBox]:
    live = environment == Environment.LIVE
    return [ScopeBox(box, opened_by(str(box.data["value"]), live=live)) for box in form["scopes"]]
