"""Forms for users and businesses. They check format only; domain functions check permissions."""

import unicodedata
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from console.accounts.mailboxes import as_shown, objection
from console.accounts.models import OptionalMail, User, WorkMail
from console.accounts.roles import BUSINESS, Role
from console.shell.forms import MailedNameField, NameField, SeenForm, TextField

LONGEST_PASSWORD = 256
LONGEST_ADDRESS = 254  # RFC 5321, 4.5.3.1.3
HINTS = {
    Role.OWNER: _("Does everything, and decides who is owner or signatory"),
    Role.ADMINISTRATOR: _("Answers and submits the application, and manages people and keys"),
    Role.DEVELOPER: _("Creates and revokes keys"),
    Role.SIGNATORY: _("Reads and signs the agreement pack"),
    Role.VIEWER: _("Reads everything, and changes nothing"),
}


class AddressField(TextField, forms.EmailField):
    """An e-mail address, converted to lower case."""

    default_error_messages = {
        "required": _("Enter your e-mail address"),
        "invalid": _("Enter a full e-mail address, like name@example.com"),
    }

    def __init__(self, **options: Any) -> None:
        look = {"autocomplete": "username", "spellcheck": "false", "autocapitalize": "none"}
        widget = forms.EmailInput(attrs=look)
        defaults: dict[str, Any] = {"label": _("E-mail address"), "widget": widget}
        super().__init__(**(defaults | {"max_length": LONGEST_ADDRESS} | options))

    def to_python(self, value: Any) -> str:
        return as_shown(super().to_python(value).lower())


class NewAddressField(AddressField):
    """An address that is new to us, with stricter checks because e-mails to others will show it."""

    def validate(self, value: Any) -> None:
        super().validate(value)
        if "@" in value and (words := objection(value)):
            raise ValidationError(words)


class PasswordField(forms.CharField):
    """A password, with no character removed. NFC gives the same result on every keyboard."""

    default_error_messages = {"required": _("Enter your password")}

    def __init__(self, *, autocomplete: str, **options: Any) -> None:
        widget = forms.PasswordInput(attrs={"autocomplete": autocomplete})
        super().__init__(widget=widget, strip=False, max_length=LONGEST_PASSWORD, **options)

    def to_python(self, value: Any) -> str:
        return unicodedata.normalize("NFC", super().to_python(value) or "")


class SignUpForm(forms.Form):
    """Sign-up: name, e-mail address and password."""

    name = MailedNameField(label=_("Your full name"), max_length=200)
    name.widget.attrs["autocomplete"] = "name"
    email = NewAddressField(
        label=_("Work e-mail address"), help_text=_("We send a link to this address.")
    )
    password = PasswordField(
        label=_("Password"),
        autocomplete="new-password",
        error_messages={"required": _("Choose a password")},
        help_text=_("At least 15 characters. Four or five unrelated words are easy to remember."),
    )

    def __init__(self, *args: Any, business: str = "", **options: Any) -> None:
        """`business` comes from the invitation link, so it reveals nothing new."""
        super().__init__(*args, **options)
        self.business = business

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        # An unsaved user: a password must not contain the person's name or the business's.
        names = f"{given.get('name', '')} {self.business}"
        _check_password(self, User(email=given.get("email", ""), name=names))
        return given


class SignInForm(forms.Form):
    """The first sign-in step."""

    email = AddressField()
    password = PasswordField(label=_("Password"), autocomplete="current-password")


class CodeField(forms.CharField):
    """A code, normalised to plain digits and letters without spaces and hyphens."""

    def to_python(self, value: Any) -> str:
        typed = unicodedata.normalize("NFKC", super().to_python(value) or "")
        shown = (c for c in typed if unicodedata.category(c) not in ("Cf", "Pd"))
        return "".join("".join(shown).split()).lower()


class CodeForm(forms.Form):
    """A one-time code or a recovery code."""

    code = CodeField(
        label=_("Code"), max_length=40, error_messages={"required": _("Enter the code")}
    )
    code.widget.attrs |= {
        "autocomplete": "one-time-code",
        "spellcheck": "false",
        "autocapitalize": "none",
        "data-code": "",
    }


class RenewCodesForm(forms.Form):
    """Identifies the recovery codes to replace, so that a double submission has no effect."""

    replaces = forms.IntegerField(widget=forms.HiddenInput)


class ConfirmPasswordForm(forms.Form):
    """Re-authentication by password, for users without an authenticator."""

    code = PasswordField(label=_("Your password"), autocomplete="current-password")


class AddPasskeyForm(forms.Form):
    """A new passkey's name, and what the browser answered."""

    name = NameField(
        label=_("Name of the passkey"),
        max_length=64,
        help_text=_("For example the device or the password manager that stores it."),
        error_messages={"required": _("Enter a name for the passkey")},
    )
    credential = forms.CharField(
        max_length=20_000,
        widget=forms.HiddenInput,
        error_messages={"required": _("Your browser sent no passkey. Try again.")},
    )


class ForgotForm(forms.Form):
    """The address of the account whose password was forgotten."""

    email = AddressField()


class NewPasswordForm(forms.Form):
    password = PasswordField(
        label=_("New password"),
        autocomplete="new-password",
        error_messages={"required": _("Choose a new password")},
        help_text=_("At least 15 characters. Four or five unrelated words are easy to remember."),
    )

    def __init__(self, *args: Any, person: User, **options: Any) -> None:
        super().__init__(*args, **options)
        self.person = person

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        _check_password(self, self.person)
        return given


class ChangePasswordForm(NewPasswordForm):
    """A new password, for a user who knows the current one."""

    current = PasswordField(label=_("Current password"), autocomplete="current-password")
    field_order = ("current", "password")


class NewEmailForm(forms.Form):
    """A new e-mail address for the user's own account."""

    email = NewAddressField(
        label=_("New e-mail address"),
        help_text=_(
            "We send a link to this address. Until you open it, we use your current address."
        ),
        error_messages={"required": _("Enter the new address")},
    )


def _time_zones() -> list[tuple[str, str]]:
    """Return the time zones as choices, UTC first."""
    named = (zone for zone in sorted(available_timezones()) if "/" in zone)
    places = [zone for zone in named if not zone.startswith(("Etc/", "SystemV/", "US/"))]
    return [("UTC", "UTC"), *((zone, zone.replace("_", " ")) for zone in places)]


class DetailsForm(forms.Form):
    """A user's name, time zone and optional e-mails."""

    name = MailedNameField(
        label=_("Your full name"),
        max_length=200,
        help_text=_("What you signed or approved keeps the name that you had then."),
        error_messages={"required": _("Enter your name")},
    )
    name.widget.attrs["autocomplete"] = "name"
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=_time_zones,
        help_text=_("Pages show times in this zone. E-mails, documents and the API use UTC."),
    )
    wanted_mail = forms.MultipleChoiceField(
        label=_("E-mails"),
        choices=OptionalMail,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_(
            "We always send what concerns your account’s security, your agreements and your access."
        ),
    )
    work_mail = forms.ChoiceField(
        label=_("When it is your turn"),
        choices=WorkMail,
        widget=forms.RadioSelect,
        help_text=_(
            "A colleague who assigns a case to you or mentions you in a note is always told to you "
            "at once."
        ),
    )

    def __init__(self, *args: Any, is_staff: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not is_staff:
            del self.fields["work_mail"]


class BusinessForm(forms.Form):
    """A business's name in the console."""

    name = MailedNameField(
        label=_("Name of the business"),
        max_length=300,
        error_messages={"required": _("Enter the name of the business")},
        help_text=_("Its registered name. You can change it later. Documents use your answers."),
    )
    name.widget.attrs["autocomplete"] = "organization"


def _roles() -> list[tuple[str, str]]:
    return [(str(role), str(role.label)) for role in BUSINESS]


class InviteForm(forms.Form):
    """An invitation's address and role."""

    email = NewAddressField(
        help_text=_("Only somebody with this address can accept the invitation."),
        error_messages={"required": _("Enter your colleague’s e-mail address")},
    )
    email.widget.attrs["autocomplete"] = "off"
    role = forms.ChoiceField(
        label=_("Role"),
        choices=_roles,
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose a role")},
    )
    role.option_hints = {str(role): hint for role, hint in HINTS.items()}  # type: ignore[attr-defined]


class RolesForm(SeenForm):
    """A member's roles in a business. `seen` are those that the page showed."""

    roles = forms.MultipleChoiceField(
        label=_("Roles"),
        choices=_roles,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one role, or remove the person below")},
    )
    roles.option_hints = {str(role): hint for role, hint in HINTS.items()}  # type: ignore[attr-defined]


def _check_password(form: forms.Form, person: User) -> None:
    try:
        if password := form.cleaned_data.get("password"):
            validate_password(password, person)
    except ValidationError as weak:
        form.add_error("password", weak)
