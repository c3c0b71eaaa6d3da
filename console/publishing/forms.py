"""The form to propose a version."""

from django import forms
from django.utils.translation import gettext

from console.publishing import published_kinds
from console.shell.forms import TextField


class ProposalForm(forms.Form):
    """A kind and a version. Whether it exists and who may propose it is checked elsewhere."""

    kind = forms.ChoiceField(
        choices=lambda: [(one.key, gettext(one.name)) for one in published_kinds.every()]
    )
    version = TextField(max_length=40)
