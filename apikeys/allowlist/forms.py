"""Shape-checks for an allowlist, and for a network that is asked for."""

from django import forms

from console.shell.forms import NameField, ReasonField, TextField


class NetworksForm(forms.Form):
    """The networks of a list, one on each line."""

    networks = TextField(
        label="Networks and addresses",
        help_text="One on each line, for example 203.0.113.7 or 203.0.113.0/24 or 2001:db8::/48.",
        required=False,
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "class": "mono"}),
    )

    def texts(self) -> list[str]:
        """Return what was typed, network by network."""
        return str(self.cleaned_data["networks"]).replace(",", " ").split()


class AskNetworkForm(forms.Form):
    """A wide network, and why it is needed."""

    network = NameField(
        label="Network",
        help_text="Wider than /16 for IPv4, or /32 for IPv6.",
        max_length=50,
        error_messages={"required": "Enter a network."},
    )
    reason = ReasonField(
        "Why you need it", "Our compliance reads this and decides.", max_length=500
    )
