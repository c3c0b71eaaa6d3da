"""The form of an evidence file."""

import re
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from console.core import text
from console.core.isolation import LARGEST_FILE
from onboarding.evidence.models import EvidenceKind

LONGEST_NAME = 200


class EvidenceForm(forms.Form):
    """A file, and what it proves."""

    kind = forms.ChoiceField(
        label=_("Kind of document"),
        choices=[("", _("Choose")), *EvidenceKind.choices],
        error_messages={"required": _("Choose what kind of document this is.")},
    )
    file = forms.FileField(
        label=_("File"),
        help_text=_("A PDF, PNG or JPEG file of at most 20 MB that opens without a password."),
        widget=forms.FileInput(attrs={"accept": "application/pdf,image/png,image/jpeg"}),
        error_messages={"required": _("Choose a file."), "empty": _("This file is empty.")},
    )

    def sent(self) -> dict[str, Any]:
        """Return the file for `files.add`: one byte too many shows that it is larger."""
        file = self.cleaned_data["file"]
        return {
            "data": bytes(file.read(LARGEST_FILE + 1)),
            "name": shown_name(file.name),
        }


def shown_name(name: str) -> str:
    """Return a file's name as we show it: without folders, hidden characters or excess length."""
    last = re.split(r"[/\\]", name)[-1]
    hidden = {*text.unsafe_characters(last), *text.hidden_characters(last)}
    return "".join(one for one in last if one not in hidden)[-LONGEST_NAME:].strip() or "file"
