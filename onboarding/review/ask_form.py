"""The form of a request for information: up to five questions, each about one thing."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.shell.forms import TextField
from onboarding.evidence.models import EvidenceFile
from onboarding.information.models import CORRECT, NEEDS
from onboarding.intake import answers
from onboarding.models import Application
from onboarding.questionnaire import answering
from onboarding.review.information_requests import Asked

MOST = 5
# What earlier editions of the questionnaire asked instead.
_BEFORE = {"ow_structure_of_owners": "ow_owners"}


class AskForm(forms.Form):
    """Questions with what each needs and is about. Rows without words are left out."""

    # What `clean` makes of the rows.
    asked = forms.Field(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, application: Application, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        assert application.submission is not None
        self.given = answers.frozen(application.submission)
        rows = EvidenceFile.objects.of(application).stored()
        for name, about in self.initial.items():
            if about in _BEFORE and about not in self.given.edition.by_key:
                self.initial[name] = _BEFORE[about]
        self.stored = {file.public_id: file for file in rows}
        for number in range(1, MOST + 1):
            self._add_row(number, required=number == 1)

    def _add_row(self, number: int, *, required: bool) -> None:
        names = {"number": number}
        self.fields[f"words_{number}"] = TextField(
            label=_("Question %(number)s") % names,
            help_text=_("In words for the business.") if required else "",
            widget=forms.Textarea(attrs={"rows": 3}),
            max_length=2000,
            required=required,
            error_messages={"required": _("Write at least one question.")},
        )
        self.fields[f"need_{number}"] = forms.ChoiceField(
            label=_("What you need for question %(number)s") % names, choices=NEEDS
        )
        self.fields[f"about_{number}"] = forms.ChoiceField(
            label=_("What question %(number)s is about") % names,
            choices=self._subjects(),
            required=False,
        )

    def _subjects(self) -> list[Any]:
        shown = answering.visible(self.given.edition, self.given.values)
        files = [(one.public_id, str(one)) for one in self.stored.values()]
        return [
            ("", _("Nothing in particular")),
            *([(_("Documents"), files)] if files else []),
            *(
                (section.title, [(q.key, q.label) for q in section.questions if q.key in shown])
                for section in self.given.edition.sections
            ),
        ]

    def clean(self) -> dict[str, Any]:
        """Return the questions as `asked`."""
        sent = super().clean() or {}
        asked: list[Asked] = []
        for number in range(1, MOST + 1):
            if not (words := sent.get(f"words_{number}")):
                continue
            about, need = sent.get(f"about_{number}", ""), sent.get(f"need_{number}", "")
            file = self.stored.get(about)
            question = "" if file else about
            if need == CORRECT and not question:
                said = gettext_lazy("Choose the answer that the business must correct.")
                self.add_error(f"about_{number}", said)
            asked.append(Asked(need, words, question, file))
        return {"asked": asked}
