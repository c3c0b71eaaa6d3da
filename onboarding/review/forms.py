"""What our reviewers send: a note, a decision on a check, and what the queue is narrowed to."""

from django import forms

from console.shell.forms import TextField


class NoteForm(forms.Form):
    """What a reviewer must say with a decision."""

    note = TextField(
        label="Why",
        help_text="Kept in the log, read by our staff only",
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": "Say why. A sentence is enough."},
    )


class ReturnForm(NoteForm):
    """What a business is asked to change, in words that it reads."""

    note = TextField(
        label="Why",
        help_text="The business reads this. Say which answer, and what to change.",
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": "Say why. A sentence is enough."},
    )


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
    reason = TextField(
        label="What you compared",
        help_text="Birth date, number, nationality: what agrees and what does not",
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": "Say what you compared. A sentence is enough."},
    )


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
        choices=[
            ("", "Any"),
            ("LOW", "Low"),
            ("MEDIUM", "Medium"),
            ("HIGH", "High"),
            ("PROHIBITED", "Prohibited"),
        ],
    )
