"""Form to enable or end a currency: which of the two, and why."""

from django import forms

from apikeys.grants.forms import ReasonForm


class CurrencyForm(ReasonForm):
    """The reason, and which button was pressed, because the page may be out of date."""

    wanted = forms.ChoiceField(choices=[("open", "Open"), ("end", "End")])
