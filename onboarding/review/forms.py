"""Reviewers' forms: notes, decisions on checks and waivers, and the queue's filter."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from console.accounts import staff
from console.accounts.models import User
from console.accounts.roles import Permission
from console.core import clock
from console.shell.forms import ConfidentialField, ReasonField, SeenForm, TextField
from onboarding.evidence import authority
from onboarding.evidence.models import EvidenceFile
from onboarding.matches.models import MatchOutcome
from onboarding.models import Application
from onboarding.review import casework, clearing, mentions
from onboarding.statuses import TIER_NAMES
from onboarding.tiers import Tier


def decision_field(unanswered: Any, *options: tuple[str, Any]) -> forms.ChoiceField:
    """Return the field of a decision, with the message for a form without one."""
    return forms.ChoiceField(
        label=_("Your decision"),
        choices=options,
        widget=forms.RadioSelect,
        error_messages={"required": unanswered},
    )


class NoteForm(SeenForm):
    """The note required with a decision. `seen` is the submission that the page showed."""

    note = ConfidentialField(_("Why"))


class ReturnForm(SeenForm):
    """The changes that the business must make, in words for the business."""

    note = ReasonField(
        _("Why"),
        _("The business sees this: name no suspicion. Say which answer to change, and how."),
    )


class AuthorityForm(SeenForm):
    """Legal's decision on the signatory's written authority, and the file that gives it."""

    accepted = decision_field(
        _("Choose whether you accept the authority."),
        ("yes", _("Accept: the file below lets the signatory bind the business")),
        ("no", _("Refuse: the application returns to the business with your reason")),
    )
    file = forms.ModelChoiceField(
        EvidenceFile.objects.none(),
        label=_("File that gives the authority"),
        to_field_name="public_id",
        required=False,
        empty_label=_("Choose"),
    )
    note = ReasonField(
        _("Why you refuse it"),
        _("Only for a refusal. The business sees this."),
        required=False,
    )

    def __init__(self, *args: Any, application: Application, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        shown = [one.pk for one in authority.files_of(application)]
        rows = EvidenceFile.objects.filter(pk__in=shown).order_by("pk")
        self.fields["file"].queryset = rows  # type: ignore[attr-defined]

    def clean_accepted(self) -> bool:
        return bool(self.cleaned_data["accepted"] == "yes")


class ChosenEvidenceForm(forms.Form):
    """The evidence files on which a decision rests, if the application has any."""

    evidence = forms.ModelMultipleChoiceField(
        EvidenceFile.objects.none(),
        label=_("Evidence files"),
        help_text=_("We record them with their fingerprints."),
        to_field_name="public_id",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose the files on which your decision rests.")},
    )

    def __init__(self, *args: Any, application: Application, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        shown = [one.pk for one in clearing.evidence(application)]
        if not shown:
            del self.fields["evidence"]
            return
        rows = EvidenceFile.objects.filter(pk__in=shown).order_by("pk")
        self.fields["evidence"].queryset = rows  # type: ignore[attr-defined]


class ClearForm(ChosenEvidenceForm, SeenForm):
    """The reason and evidence for clearing an application that gives concerns."""

    note = ConfidentialField(_("Why we can accept this business"))
    field_order = ("note", "evidence")

    def __init__(self, *args: Any, application: Application, **kwargs: Any) -> None:
        super().__init__(*args, application=application, **kwargs)
        is_needed = bool(clearing.concerns(application))
        for name in ("note", "evidence"):
            if not is_needed:
                self.fields.pop(name, None)
            elif name in self.fields:
                self.fields[name].required = True


class DecideCheckForm(ChosenEvidenceForm):
    """A reviewer's decision on a check."""

    field_order = ("passed", "reason", "evidence")

    passed = decision_field(
        _("Choose passed or failed."),
        ("yes", _("Passed: it is not a match, or it is acceptable")),
        ("no", _("Failed: it is a match, or it is not acceptable")),
    )
    reason = ConfidentialField(
        _("What you compared"),
        _("For each detail above: the evidence you used, what matches and what does not."),
        error_messages={"required": _("Say what you compared. A sentence is enough.")},
    )


class ProposeWaiverForm(forms.Form):
    """A proposal to waive a check, with a reason and a period."""

    days = forms.ChoiceField(
        label=_("Ends after"),
        choices=[("30", "30 days"), ("90", "90 days"), ("180", "180 days"), ("365", "365 days")],
        error_messages={"required": _("Choose when the waiver ends.")},
    )
    reason = ConfidentialField(
        _("Why we can waive the check"),
        _("What you know instead, and how you know it. A second person reads this and decides."),
    )

    def ends_at(self) -> datetime:
        return clock.now() + timedelta(days=int(self.cleaned_data["days"]))


class DecideWaiverForm(SeenForm):
    """The second reviewer's decision on a waiver."""

    confirmed = decision_field(
        _("Choose one of the two options."),
        ("yes", _("Waive the check until then")),
        ("no", _("Do not waive the check")),
    )
    reason = ConfidentialField(_("Why"))


class DecideMatchForm(SeenForm):
    """A reviewer's decision about a possible match."""

    outcome = decision_field(
        _("Choose one of the three options."),
        (
            MatchOutcome.NOT_SAME,
            _("Not the same: this decision is valid while both sides stay as they are"),
        ),
        (MatchOutcome.CANNOT_TELL, _("Cannot tell: more evidence is needed")),
        (MatchOutcome.SAME, _("The same: another compliance reviewer must confirm it")),
    )
    reason = ConfidentialField(
        _("What you compared"),
        _("The evidence you used, what matches and what does not."),
        error_messages={"required": _("Say what you compared. A sentence is enough.")},
    )


class ConfirmMatchForm(SeenForm):
    """The second reviewer's decision that a match is the same."""

    confirmed = decision_field(
        _("Choose one of the two options."),
        ("yes", _("The same: decline the application, and suspend any API access")),
        ("no", _("Not confirmed: the match stays open")),
    )
    reason = ConfidentialField(_("Why"))


class CaseNoteForm(forms.Form):
    """A note on a case, which says how to mention colleagues in it."""

    text = TextField(
        label=_("Note"),
        widget=forms.Textarea(attrs={"rows": 6}),
        max_length=4000,
        error_messages={"required": _("Write a note. A sentence is enough.")},
    )

    def __init__(self, *args: Any, author: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if names := mentions.offered(casework.colleagues(author)):
            said = _(
                "To send colleagues an e-mail with a link to the note, mention them: %(names)s."
            )
            self.fields["text"].help_text = said % {"names": ", ".join(names)}


class AssignForm(SeenForm):
    """The reviewer to whom a case is assigned."""

    person = forms.ModelChoiceField(
        User.objects.none(),
        label=_("Reviewer"),
        to_field_name="public_id",
        required=False,
        empty_label=_("Nobody"),
        error_messages={"invalid_choice": _("Choose one of our reviewers.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        reviewers = staff.people_with(Permission.CHECK_DECIDE)
        self.fields["person"].queryset = reviewers  # type: ignore[attr-defined]


class QueueFilter(forms.Form):
    """The queue's filters, all in the URL."""

    q = forms.CharField(label=_("Business"), required=False, max_length=100)
    stage = forms.ChoiceField(
        label=_("Stage"),
        required=False,
        choices=[
            ("", _("Waiting for us")),
            ("submitted", _("In review")),
            ("held", _("On hold")),
            ("returned", _("Changes requested")),
            ("cleared", _("Cleared to contract")),
            ("over", _("Decided")),
            ("all", _("All")),
        ],
    )
    tier = forms.ChoiceField(
        label=_("Tier"),
        required=False,
        choices=[("", _("Any")), *((tier, TIER_NAMES[tier]) for tier in Tier)],
    )
    owner = forms.ChoiceField(
        label=_("Assigned to"),
        required=False,
        choices=[("", _("Anybody")), ("me", _("You")), ("none", _("Nobody"))],
    )
