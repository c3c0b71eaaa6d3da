"""The form to propose a version."""

from django import forms
from django.utils.translation import gettext

from console.publishing import published_kinds
from console.shell.forms import TextField


class ProposalForm(forms.Form):
    """A kind and a version. Whether it exists and who may propose it is checked elsewhere."""

    kind = forms.ChoiceField()
    version = TextField(max_length=40)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["kind"] = forms.ChoiceField(
            choices=[(k.key, gettext(k.name)) for k in published_kinds.every()]
        )
