"""What our account team sends about a currency: whether it exists, and why."""

from django import forms

from apikeys.grants.forms import ReasonForm


class CurrencyForm(ReasonForm):
    """The reason, and which of the two was pressed: the page may be out of date."""

    wanted = forms.ChoiceField(choices=[("open", "Open"), ("end", "End")])
