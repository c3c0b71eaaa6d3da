"""How forms are drawn, and how a verb's refusal finds its way into one."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from django import forms
from django.forms.renderers import DjangoTemplates
from django.http import HttpRequest, QueryDict
from django.template import loader

from console.core.links import holds_web_address
from console.core.refusals import Blocker, NotAllowed, Refused, Stale
from console.core.text import UnsafeText, clean

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

T = TypeVar("T")


class Renderer(DjangoTemplates):
    """Django's own widgets, with our field around them."""

    field_template_name = "components/field_group.html"

    def get_template(self, template_name: str) -> Any:
        if template_name.startswith("components/"):
            return loader.get_template(template_name)
        return super().get_template(template_name)


class TextField(forms.CharField):
    """What a person writes, in the one form that is kept: NFC, Unix line ends, nothing hidden.

    It is put into that form before it is measured, because that can make it longer. What is too
    long is refused and not cut: a browser that cuts what is pasted says nothing of it.
    """

    default_error_messages = {
        "max_length": "Use %(limit_value)d characters or fewer. You have used %(show_value)d."
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
    """Why somebody does it, over several lines."""

    widget = forms.Textarea(attrs={"rows": 4})
    default_error_messages = {"required": "Say why, in a sentence."}

    def __init__(
        self, label: "StrOrPromise" = "Reason", help_text: "StrOrPromise" = "", **options: Any
    ) -> None:
        super().__init__(label=label, help_text=help_text, **{"max_length": 2000} | options)


class NameField(TextField):
    """A name: one line."""

    def to_python(self, value: Any) -> str:
        return super().to_python(value).replace("\n", " ").replace("\t", " ")


class MailedNameField(NameField):
    """A name that stands in e-mails to others: it holds nothing that becomes a link there."""

    def to_python(self, value: Any) -> str:
        name = super().to_python(value)
        if holds_web_address(name):
            raise forms.ValidationError(
                "Leave the web address out: this name stands in e-mails. "
                "Write the words without a dot between them."
            )
        return name


def posted(request: HttpRequest) -> QueryDict | None:
    """Return what was sent, even when it is empty; None for a page that was only opened."""
    return request.POST if request.method == "POST" else None


def attempt(
    form: forms.BaseForm,
    verb: Callable[[], T],
    *,
    on: str | None = None,
    blockers: list[Blocker] | None = None,
) -> T | None:
    """Try a verb with what a valid form holds; a refusal becomes the form's own error.

    So the page comes back with what was typed. `on` names the field that the refusal is about. A
    page that tells by itself what stands in the way gives a list for `blockers`. A person who may
    not do it at all, or whose page is out of date, is told by the middleware.
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
