"""What our reviewers send: a note, a decision on a check, and what the queue is narrowed to."""

from datetime import datetime, timedelta

from django import forms

from console.core import clock
from console.shell.forms import ReasonField
from onboarding.tiers import Tier


class NoteForm(forms.Form):
    """What a reviewer must say with a decision."""

    note = ReasonField("Why", "Kept in the log, read by our staff only")


class ReturnForm(NoteForm):
    """What a business is asked to change, in words that it reads."""

    note = ReasonField("Why", "The business reads this. Say which answer, and what to change.")


class DecideCheckForm(forms.Form):
    """A person's decision on a check."""

    passed = forms.ChoiceField(
        label="Your decision",
        choices=[
            ("yes", "It is not a match, or it is in order: passed"),
            ("no", "It is a match, or it is not in order: failed"),
        ],
        widget=forms.RadioSelect,
        error_messages={"required": "Choose passed or failed."},
    )
    reason = ReasonField(
        "What you compared",
        "Each particular above: with what evidence, what agrees and what does not",
        error_messages={"required": "Say what you compared. A sentence is enough."},
    )


class ProposeWaiverForm(forms.Form):
    """Why a check is done without, and for how long."""

    days = forms.ChoiceField(
        label="Ends after",
        choices=[("30", "30 days"), ("90", "90 days"), ("180", "180 days"), ("365", "365 days")],
        error_messages={"required": "Choose when the waiver ends."},
    )
    reason = ReasonField(
        "Why we can do without it",
        "What you know instead, and from where. A second person reads it and decides.",
    )

    def ends_at(self) -> datetime:
        return clock.now() + timedelta(days=int(self.cleaned_data["days"]))


class DecideWaiverForm(forms.Form):
    """The second person's decision on a waiver."""

    confirmed = forms.ChoiceField(
        label="Your decision",
        choices=[
            ("yes", "We can do without it until then: waive the check"),
            ("no", "We cannot: the check stays as it is"),
        ],
        widget=forms.RadioSelect,
        error_messages={"required": "Choose one of the two."},
    )
    reason = ReasonField("Why")


class QueueFilter(forms.Form):
    """What the queue is narrowed to; everything lives in the address."""

    q = forms.CharField(label="Business", required=False, max_length=100)
    stage = forms.ChoiceField(
        label="Stage",
        required=False,
        choices=[
            ("", "Waiting for us"),
            ("submitted", "In review"),
            ("held", "On hold"),
            ("returned", "Changes requested"),
            ("cleared", "Cleared to contract"),
            ("over", "Decided"),
            ("all", "All"),
        ],
    )
    tier = forms.ChoiceField(
        label="Tier",
        required=False,
        choices=[("", "Any"), *((tier, tier.capitalize()) for tier in Tier)],
    )
