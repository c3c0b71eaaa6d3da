"""The forms to propose a version and to put one in use."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from console.publishing import published_kinds
from console.shell.forms import TextField


class ProposalForm(forms.Form):
    """A kind and a version. Whether it exists and who may propose it is checked elsewhere."""

    kind = forms.ChoiceField(
        choices=lambda: [(one.key, gettext(one.name)) for one in published_kinds.every()]
    )
    version = TextField(max_length=40)


class PutInUseForm(forms.Form):
    """The confirmation. Replacing a newer version takes a tick."""

    older = forms.BooleanField(
        required=False, label=_("Replace the newer version by this older one")
    )

    def __init__(self, *arguments: Any, is_older: bool) -> None:
        super().__init__(*arguments)
        if not is_older:
            del self.fields["older"]
