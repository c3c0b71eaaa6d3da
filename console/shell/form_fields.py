"""Rendering data of form fields: shape, description and errors."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _

GROUPS = (forms.RadioSelect, forms.CheckboxSelectMultiple)


@dataclass(frozen=True)
class Look:
    """Presentation options that a template may set for a field."""

    label: str = ""
    hint: str = ""
    width: str = ""
    # Something else can be given instead, so the field is not required, and not optional either.
    alternative: bool = False


def describe(bound: forms.BoundField, look: Look) -> dict[str, Any]:
    """Return the context for components/field.html."""
    # We show our own messages for missing values; the browser's would come first.
    bound.form.use_required_attribute = False
    hint = look.hint or bound.help_text
    described = _described_by(bound, has_hint=bool(hint))
    shape = _shape(bound.field.widget)
    return {
        "shape": shape,
        "id": bound.id_for_label or bound.auto_id,
        "base": bound.auto_id,
        "label": look.label or bound.label,
        "hint": hint,
        "errors": errors_of(bound),
        "optional": not (bound.field.required or look.alternative or shape == "check"),
        "described": described,
        "control": bound.as_widget(attrs=_attributes(bound, look, described, shape)),
        "options": _options(bound) if shape == "group" else (),
        "hidden": bound.is_hidden,
    }


def problems(form: Any) -> list[tuple[str, str]]:
    """Return every error of a form as (anchor, message). Non-field errors have no anchor."""
    if not form.is_bound or not form.errors:
        return []
    lines = [("", words) for words in form.non_field_errors()]
    for bound in form:
        lines += [(_anchor(bound), words) for words in errors_of(bound)]
    return lines


def errors_of(bound: forms.BoundField) -> list[str]:
    """Return a field's errors; messages for missing values name the field."""
    found = bound.form.errors.as_data().get(bound.name, [])
    default = str(forms.Field.default_error_messages["required"])
    return [
        _missing(bound) if error.code == "required" and words == default else words
        for error in found
        for words in error.messages
    ]


def _missing(bound: forms.BoundField) -> str:
    label = str(bound.label or "").rstrip(":")
    if label.endswith("?"):
        return _("Answer “%(label)s”") % {"label": label}
    if _shape(bound.field.widget) == "check":
        return _("Tick “%(label)s” to continue") % {"label": label}
    named = label if label[1:2].isupper() else label[:1].lower() + label[1:]
    picked = isinstance(bound.field, forms.ChoiceField | forms.FileField)
    return (_("Choose %(name)s") if picked else _("Enter %(name)s")) % {"name": named}


def _anchor(bound: forms.BoundField) -> str:
    group = isinstance(bound.field.widget, GROUPS)
    return f"{bound.auto_id}_0" if group else bound.id_for_label or bound.auto_id


def _shape(widget: forms.Widget) -> str:
    if isinstance(widget, GROUPS):
        return "group"
    return "check" if isinstance(widget, forms.CheckboxInput) else "line"


def _described_by(bound: forms.BoundField, *, has_hint: bool) -> str:
    parts = [f"{bound.auto_id}_hint"] if has_hint else []
    return " ".join(parts + ([f"{bound.auto_id}_error"] if bound.errors else []))


def _attributes(bound: forms.BoundField, look: Look, described: str, shape: str) -> dict[str, Any]:
    attributes: dict[str, Any] = {} if shape != "line" else {"class": "input"}
    if own := bound.field.widget.attrs.get("class"):
        attributes["class"] = f"{attributes.get('class', '')} {own}".strip()
    if look.width:
        attributes["data-width"] = look.width
    if described and shape != "group":
        attributes["aria-describedby"] = described
    if bound.errors:
        attributes["aria-invalid"] = "true"
    return attributes


def _options(bound: forms.BoundField) -> list[dict[str, Any]]:
    hints = getattr(bound.field, "option_hints", {})
    return [
        {
            "id": option.id_for_label,
            "tag": option.tag(),
            "label": option.choice_label,
            "hint": hints.get(str(option.data["value"]), ""),
        }
        for option in bound
    ]
