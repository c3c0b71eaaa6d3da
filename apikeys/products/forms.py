"""Forms for our staff about a product or a module of a business."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from console.catalogue.lifecycle import HandSetting
from console.shell.forms import ReasonField

CHOICES = {
    HandSetting.ON: _("On: always show the module. This does not allow any API calls."),
    HandSetting.OFF: _("Off: hide the module and refuse the product’s API calls immediately."),
    HandSetting.NONE: _("Automatic: follow the product’s approval."),
}


class FurtherProductsForm(forms.Form):
    """Which products a business wants beside those that it has."""

    products = forms.MultipleChoiceField(
        label=_("Further products"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one product.")},
    )

    def __init__(self, *args: Any, offered: Iterable[tuple[str, str, str]], **options: Any) -> None:
        """`offered` are keys, names, and what each product does and costs."""
        super().__init__(*args, **options)
        choice, listed = self.fields["products"], list(offered)
        choice.choices = [(key, name) for key, name, _hint in listed]  # type: ignore[attr-defined]
        choice.option_hints = {key: hint for key, _name, hint in listed}  # type: ignore[attr-defined]


class HandSettingForm(forms.Form):
    """New setting of a module and the reason. `seen` is the setting when the page was opened."""

    hand = forms.ChoiceField(
        label=_("New setting"),
        widget=forms.RadioSelect,
        error_messages={
            "required": _("Choose the new setting."),
            "invalid_choice": _("Choose one of the settings on this page."),
        },
    )
    reason = ReasonField(
        help_text=_("We show this next to the setting. Only our staff can read it."),
        max_length=500,
    )
    seen = forms.ChoiceField(choices=HandSetting.choices, required=False, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, now: str, initial: Any = None) -> None:
        super().__init__(data, initial={"seen": now, **(initial or {})})
        before = now if data is None else data.get("seen", now)
        others = [
            (one.value or "automatic", said) for one, said in CHOICES.items() if one != before
        ]
        self.fields["hand"].choices = others  # type: ignore[attr-defined]

    def clean_hand(self) -> HandSetting:
        hand = self.cleaned_data["hand"]
        return HandSetting.NONE if hand == "automatic" else HandSetting(hand)


class WithdrawForm(forms.Form):
    """The reason for withdrawing a product, as a sentence for the business."""

    reason = ReasonField(
        help_text=_("The business reads this on its products page."),
        max_length=500,
        error_messages={"required": _("Enter a reason. The business reads it.")},
    )
