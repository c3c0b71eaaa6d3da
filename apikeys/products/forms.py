"""What our staff send about a product or a module of a business."""

from typing import Any

from django import forms

from console.catalogue.lifecycle import HandSetting
from console.shell.forms import ReasonField

CHOICES = {
    HandSetting.ON: "On: show the module, whatever was approved. It opens no scope.",
    HandSetting.OFF: "Off: hide the module, and close the scopes of the product at once.",
    HandSetting.NONE: "Automatic: follow the approvals of the product again.",
}


class HandSettingForm(forms.Form):
    """How a module is set from now on, and why. `seen` is how it was when the page was opened."""

    hand = forms.ChoiceField(
        label="From now on",
        widget=forms.RadioSelect,
        error_messages={
            "required": "Choose how it is set from now on.",
            "invalid_choice": "Choose one of the settings on this page.",
        },
    )
    reason = ReasonField(
        help_text="A sentence beside the setting. Our staff read it, the business does not.",
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
    """Why a product is taken away: a sentence for its business."""

    reason = ReasonField(
        help_text="A sentence that the business reads on its page of products.",
        max_length=500,
        error_messages={"required": "Say why, in a sentence. The business reads it."},
    )
