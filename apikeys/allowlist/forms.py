"""Forms for editing an allowlist and for requesting a wide network."""

from django import forms
from django.utils.translation import gettext_lazy as _

from console.shell.forms import NameField, ReasonField, SeenForm, TextField


class NetworksForm(SeenForm):
    """The networks of an allowlist, one per line. `seen` is the list that the page showed."""

    networks = TextField(
        label=_("Networks and addresses"),
        help_text=_(
            "Enter one per line, in the form 203.0.113.7, 203.0.113.0/24 or 2001:db8::/48. "
            "These are only examples: enter your own."
        ),
        required=False,
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "class": "mono"}),
    )

    def texts(self) -> list[str]:
        """Return the networks as typed, one per item."""
        return str(self.cleaned_data["networks"]).replace(",", " ").split()

    def listed(self) -> list[str]:
        """Return the list that the page showed."""
        return str(self.cleaned_data["seen"]).split()


class AskNetworkForm(forms.Form):
    """A wide network and the reason for it."""

    network = NameField(
        label=_("Network"),
        help_text=_("Wider than /16 for IPv4, or /32 for IPv6."),
        max_length=50,
        error_messages={"required": _("Enter a network.")},
    )
    reason = ReasonField(
        _("Why you need it"),
        _("Our compliance team reads this when it reviews your request."),
        max_length=500,
    )
