"""The forms to propose a version and to put one in use."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from console.publishing import published_kinds
from console.shell.forms import ReasonField, TextField


class ProposalForm(forms.Form):
    """A kind and a version. Whether it exists and who may propose it is checked elsewhere."""

    kind = forms.ChoiceField(
        choices=lambda: [(one.key, gettext(one.name)) for one in published_kinds.every()]
    )
    version = TextField(max_length=40)


class PutInUseForm(forms.Form):
    """The reason and the confirmation. Replacing a newer version takes another tick.

    What staff entered on a page of its own was confirmed there.
    """

    reason = ReasonField(
        _("Why it is put in use"),
        _("Kept in the audit log, which all our staff can read."),
        error_messages={"required": _("Say why this version is put in use.")},
    )
    confirmed = forms.BooleanField(
        label=_("I have read what changes"),
        error_messages={"required": _("Read what changes, then tick this.")},
    )
    older = forms.BooleanField(label=_("Replace the newer version by this older one"))

    def __init__(self, *arguments: Any, is_older: bool, has_page: bool) -> None:
        super().__init__(*arguments)
        if not is_older:
            del self.fields["older"]
        if has_page:
            del self.fields["reason"], self.fields["confirmed"]
