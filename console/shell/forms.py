"""Form rendering, common form fields, and domain refusals as form errors."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from django import forms
from django.forms.renderers import DjangoTemplates
from django.http import HttpRequest, QueryDict
from django.template import loader
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from console.core.links import holds_web_address
from console.core.refusals import Blocker, NotAllowed, Refused, Stale
from console.core.text import UnsafeText, clean

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

T = TypeVar("T")


# Credentials are never shown again and never stored with what was typed.
_CREDENTIALS = frozenset({"csrfmiddlewaretoken", "code", "password", "current", "credential"})
# Hidden fields that say what the page showed.
_SHOWN = frozenset({"seen", "replaces"})


def typed_fields(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the names and values of a submitted form, without credentials."""
    return [
        (name, value)
        for name, values in request.POST.lists()
        for value in values
        if name not in _CREDENTIALS
    ]


def typed_sentences(request: HttpRequest) -> list[str]:
    """Return what a user wrote in a submitted form: its values of more than one word."""
    return [
        value
        for name, value in typed_fields(request)
        if name not in _SHOWN and len(value.split()) > 1
    ]


class Renderer(DjangoTemplates):
    """Django's widgets inside our field template."""

    field_template_name = "components/field_group.html"

    def get_template(self, template_name: str) -> Any:
        if template_name.startswith("components/"):
            return loader.get_template(template_name)
        return super().get_template(template_name)


class TextField(forms.CharField):
    """User-entered text, cleaned: NFC, Unix line endings, no hidden characters.

    It is cleaned before its length is checked, because cleaning can make it longer. Text that is
    too long is refused: `maxlength` would let browsers cut off pasted text silently.
    """

    default_error_messages = {
        "max_length": _("Use %(limit_value)d characters or fewer. You have used %(show_value)d.")
    }

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        attributes: dict[str, Any] = super().widget_attrs(widget)
        attributes.pop("maxlength", None)
        return attributes

    def to_python(self, value: Any) -> str:
        try:
            return clean(super().to_python(value) or "")
        except UnsafeText as unsafe:
            raise forms.ValidationError(str(unsafe)) from None


class ReasonField(TextField):
    """A reason, in several lines."""

    widget = forms.Textarea(attrs={"rows": 4})
    default_error_messages = {"required": _("Say why, in a sentence.")}

    def __init__(
        self, label: "StrOrPromise" = "", help_text: "StrOrPromise" = "", **options: Any
    ) -> None:
        options = {"max_length": 2000} | options
        super().__init__(label=label or _("Reason"), help_text=help_text, **options)


class ConfidentialField(ReasonField):
    """A text that only compliance reads. The field says so, and warns against tipping off."""

    def __init__(
        self, label: "StrOrPromise" = "", help_text: "StrOrPromise" = "", **options: Any
    ) -> None:
        warning = _(
            "Only compliance can read this. If it is about a suspicion, do not tell the customer, "
            "or colleagues outside compliance."
        )
        super().__init__(label, format_lazy("{} {}", help_text, warning), **options)


class NameField(TextField):
    """A name, on one line."""

    def to_python(self, value: Any) -> str:
        return super().to_python(value).replace("\n", " ").replace("\t", " ")


class MailedNameField(NameField):
    """A name that appears in e-mails to others, so it must not contain a web address."""

    def to_python(self, value: Any) -> str:
        name = super().to_python(value)
        if holds_web_address(name):
            raise forms.ValidationError(
                _(
                    "Leave the web address out: we show this name in e-mails. "
                    "Do not write dots between words."
                )
            )
        return name


class SeenForm(forms.Form):
    """A form that sends what its page showed, so that nobody changes something newer."""

    seen = forms.CharField(required=False, widget=forms.HiddenInput)


def posted(request: HttpRequest) -> QueryDict | None:
    """Return the submitted data, even if empty, or None if the page was only opened."""
    return request.POST if request.method == "POST" else None


def attempt(
    form: forms.BaseForm,
    verb: Callable[[], T],
    *,
    on: str | None = None,
    blockers: list[Blocker] | None = None,
) -> T | None:
    """Call a domain function, and turn a refusal into a form error. Return None if refused.

    The page is then shown again with the values that were entered. `on` is the field for the error.
    A page that lists blockers itself passes a list as `blockers`. NotAllowed and Stale are left to
    the middleware.
    """
    try:
        return verb()
    except (NotAllowed, Stale):
        raise
    except Refused as refused:
        if blockers is not None and refused.blockers:
            blockers += refused.blockers
            return None
        form.add_error(on, refused.message)
        for blocker in refused.blockers:
            form.add_error(None, blocker.message)
        return None
