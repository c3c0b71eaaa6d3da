"""Forms of the checkout settings: a domain, the switch for localhost, and a logo."""

from django import forms
from django.utils.translation import gettext_lazy as _

from api.checkout import logos
from console.shell.forms import NameField


class DomainForm(forms.Form):
    """The domain to add."""

    domain = NameField(
        label=_("Domain"),
        help_text=_("For example shop.example.com. Add each subdomain by itself."),
        max_length=253,
        error_messages={"required": _("Enter a domain.")},
    )


class LocalhostForm(forms.Form):
    """Whether localhost may show sandbox payments."""

    allowed = forms.BooleanField(label=_("Allow localhost in the sandbox"), required=False)


class LogoForm(forms.Form):
    """The file of a logo."""

    file = forms.FileField(
        label=_("Logo"),
        help_text=_("A PNG or JPEG picture of at most 1 MB, best square and 512 pixels wide."),
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg"}),
        error_messages={"required": _("Choose a file."), "empty": _("This file is empty.")},
    )

    def data_of_file(self) -> bytes:
        """Return the file, or its first byte too many."""
        return bytes(self.cleaned_data["file"].read(logos.MOST_BYTES + 1))
