"""Form fields normalise the text that people enter, so none stores it as the browser sent it."""

from collections.abc import Iterator

import pytest
from django import forms
from django.core.exceptions import ValidationError

import console.urls  # noqa: F401 - imports every page's forms
from console.accounts.forms import AddressField, PasswordField
from console.shell.forms import NameField, TextField
from tests.guards.tree import PACKAGES

# Fields that are only compared or looked up, and never stored.
COMPARED = ("q", "code", "sha256", "ip")


def all_forms(here: type[forms.Form] = forms.Form) -> Iterator[type[forms.Form]]:
    for found in here.__subclasses__():
        if found.__module__.split(".")[0] in PACKAGES:
            yield found
        yield from all_forms(found)


def raw_fields(form: type[forms.Form]) -> list[str]:
    """Return the fields that would store text as it was sent."""
    safe = (TextField, PasswordField)
    return [
        name
        for name, field in form.base_fields.items()
        if isinstance(field, forms.CharField)
        and not isinstance(field, safe)
        and not isinstance(field.widget, forms.HiddenInput)
        and name not in COMPARED
    ]


def test_no_form_keeps_text_as_it_was_sent():
    assert [(form, name) for form in all_forms() for name in raw_fields(form)] == []


def test_text_is_put_into_the_form_that_is_kept():
    field = TextField(max_length=12)
    assert field.clean(" One.\r\n\r\nTwo e\u0301 ") == "One.\n\nTwo é"
    assert NameField().clean("Two\r\nlines") == "Two lines"


@pytest.mark.parametrize("typed", ["a\u202eb", "a\x00b", "\u0958" * 7, "", " \r\n "])
def test_what_cannot_be_kept_or_grows_too_long_is_a_mistake(typed):
    with pytest.raises(ValidationError):
        TextField(max_length=12).clean(typed)


def test_an_address_is_as_long_as_its_column():
    with pytest.raises(ValidationError):
        AddressField().clean("a" * 60 + "@" + "b" * 60 + ".c" * 80 + ".example")
