"""Strict serializer fields, and a serializer without unknown fields.

REST framework's own fields are made for forms: they convert `1250.5` to a string and `"yes"` to a
boolean, and unknown fields are ignored. Here such client errors are refused.
"""

import re
import unicodedata
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any, NoReturn

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail
from rest_framework.settings import api_settings

from console.core import text

_DIGITS = re.compile(r"[0-9]{1,6}", re.ASCII)
WHOLE = api_settings.NON_FIELD_ERRORS_KEY


def mistake(code: str, sentence: str) -> serializers.ValidationError:
    """Return a validation error with our own code, and a sentence that repeats no input."""
    return serializers.ValidationError([ErrorDetail(sentence, code)])


def mistake_at(member: str, code: str, sentence: str) -> serializers.ValidationError:
    """Return the same error at a field, for checks of several fields."""
    return serializers.ValidationError({member: mistake(code, sentence).detail})


def any_of(
    child: serializers.Field[Any, Any, Any, Any], help_text: str, **more: Any
) -> serializers.ListField:
    """Return a filter that may be repeated: any of its values fits."""
    said = f"{help_text} Repeat the parameter for more than one."
    return serializers.ListField(child=child, default=list, help_text=said, **more)


def by_member(error: serializers.ValidationError) -> dict[str, Any]:
    """Return the errors of an object by field name."""
    found: Any = error.detail
    return dict(found)


class Unread(Exception):
    """A check needs a field whose own mistake is reported already."""


class ReadFields(dict[str, Any]):
    """The fields of an object that have no mistakes. Asking for another raises Unread."""

    def __init__(self, values: dict[str, Any], unread: Collection[str]) -> None:
        super().__init__(values)
        self.unread = unread

    def __bool__(self) -> bool:
        return True

    def __contains__(self, name: object) -> bool:
        self._require(name)
        return super().__contains__(name)

    def __getitem__(self, name: str) -> Any:
        self._require(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        self._require(name)
        return super().get(name, default)

    def _require(self, name: object) -> None:
        if name in self.unread:
            raise Unread


def together(*checks: Callable[[], Any]) -> list[Any]:
    """Run all these checks of several fields and return their results, or raise all mistakes."""
    results, wrong, unread = [], dict[str, Any](), False
    for check in checks:
        try:
            results.append(check())
        except serializers.ValidationError as error:
            wrong = by_member(error) | wrong
        except Unread:
            unread = True
    if wrong:
        raise serializers.ValidationError(wrong)
    if unread:
        raise Unread
    return results


class StrictSerializer(serializers.Serializer[Any]):
    """Serializer that refuses unknown fields, and reports the mistakes of all fields at once.

    A null, where a field allows it, means that the field is not set: it is left out. If
    `null_clears`, it stays, to clear what was set before.
    """

    # Code for an unknown name: `unknown_parameter` in query strings.
    unknown = "unknown_member"
    null_clears = False

    def is_valid(self, *, raise_exception: bool = False) -> bool:
        try:
            return super().is_valid(raise_exception=raise_exception)
        except serializers.ValidationError as error:
            # What fits in a field depends on the field; the exception handler says it.
            error.serializer = self  # type: ignore[attr-defined]
            raise

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            raise serializers.ValidationError({WHOLE: [ErrorDetail("", "not_a_dict")]})
        errors: dict[str, Any] = {}
        for name in data:
            if name not in self.fields:
                errors[name] = [ErrorDetail("", self.unknown)]
        try:
            values: dict[str, Any] = super().to_internal_value(data)
        except serializers.ValidationError as error:
            errors |= by_member(error)
        if errors:
            raise serializers.ValidationError(self._mistakes_beside(data, errors) | errors)
        if self.null_clears:
            return values
        return {name: value for name, value in values.items() if value is not None}

    def _mistakes_beside(self, data: Any, errors: dict[str, Any]) -> dict[str, Any]:
        """Return the mistakes that `validate` finds in the fields that have none of their own."""
        values: dict[str, Any] = {}
        for name, field in self.fields.items():
            if name not in errors:
                with suppress(serializers.SkipField):
                    values[name] = field.run_validation(field.get_value(data))
        try:
            self.validate(ReadFields(values, errors.keys()))
        except serializers.ValidationError as error:
            return by_member(error) if isinstance(error.detail, dict) else {}
        except Unread:
            pass
        return {}


class StrictText(serializers.CharField):
    """A string exactly as sent: not trimmed or converted, and without hidden characters.

    It must be one non-blank line without tabs. `prose` also allows line breaks, tabs and emoji
    sequences. With a pattern, harmless hidden characters and no-break spaces at its ends are
    removed.
    """

    def __init__(
        self, pattern: str = "", says: str = "", *, prose: bool = False, **more: Any
    ) -> None:
        super().__init__(trim_whitespace=False, **more)
        # `to_internal_value` checks characters and length.
        self.validators = []
        self.pattern, self.says, self.prose = pattern, says, prose
        self._fits = re.compile(pattern, re.ASCII).fullmatch if pattern else None

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            raise mistake("wrong_type", "Send a string.")
        # Before pattern and length, which would refuse such a character without naming it.
        plain = data.isascii() and data.isprintable()
        value = data if plain else self._without_hidden(data)
        if self._fits and not self._fits(value):
            raise mistake("wrong_shape", self.says)
        if self.max_length is not None and len(value) > self.max_length:
            raise mistake("too_long", f"Send at most {self.max_length} characters.")
        if self.min_length is not None and len(value) < self.min_length:
            raise mistake("too_short", f"Send at least {self.min_length} characters.")
        # Where blank is allowed, that is the empty string, which does not come here.
        if not value.strip() and not (self.allow_blank and self.prose):
            raise mistake("too_short", "This text cannot consist of blanks.")
        if not self.prose and ("\n" in value or "\t" in value):
            raise mistake("wrong_shape", "Send one line without tabs.")
        return value

    def _without_hidden(self, data: str) -> str:
        """Return the text without what a pattern may lose, or refuse its hidden characters."""
        if self._fits and not data.isascii():
            data = text.without_harmless(data)
        _refuse_hidden(data, text.without_picture_marks(data) if self.prose else data)
        return data


class KeyText(StrictText):
    """A key that the client defines. Its error gives its number only: it may be a secret."""

    def numbered(self, number: int, data: Any) -> str:
        """Return the key, which is that one of its object, counted from 1."""
        try:
            return self.to_internal_value(data)
        except serializers.ValidationError as error:
            said: Any = error.detail
            raise mistake(said[0].code, f"Change key {number}. {said[0]}") from None


class StrictChoice(serializers.ChoiceField):
    """One of the listed strings."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str) or data not in self.choices:
            self.fail("invalid_choice", input="")
        return data


class StrictFlag(serializers.BooleanField):
    """`true` or `false` only, no strings."""

    def to_internal_value(self, data: Any) -> bool:
        if data is not True and data is not False:
            raise mistake("wrong_type", "Send true or false.")
        return bool(data)


class StrictWhole(serializers.IntegerField):
    """An integer from `min_value` to `max_value`; `1.0` and `"1"` are refused."""

    def __init__(self, *, min_value: int, max_value: int, **more: Any) -> None:
        super().__init__(min_value=min_value, max_value=max_value, **more)
        self.validators = []
        self.low, self.high = min_value, max_value

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            raise mistake("wrong_type", "Send an integer.")
        return self.within(data)

    def within(self, number: int) -> int:
        if not self.low <= number <= self.high:
            self.out_of_range()
        return number

    def out_of_range(self) -> NoReturn:
        raise mistake("out_of_range", f"Send an integer from {self.low} to {self.high}.")


class QueryWhole(StrictWhole):
    """An integer in a query string, where every value is text."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        # An empty string is an error, not a missing number.
        return self.to_internal_value(data) if data == "" else super().run_validation(data)

    def to_internal_value(self, data: Any) -> int:
        if not _DIGITS.fullmatch(data):
            self.out_of_range()
        return self.within(int(data))


def _refuse_hidden(data: str, read: str) -> None:
    """Refuse hidden characters of what is read of a text, and name their place in the text."""
    # Also check the NFC form, which is what we store: composing can strand a joiner.
    composed = unicodedata.normalize("NFC", read)
    if named := text.named_hidden(read) or text.named_hidden(composed):
        first = (text.hidden_characters(read) or text.hidden_characters(composed))[0]
        place = f" at position {data.index(first) + 1}" if first in data else ""
        raise mistake("hidden_character", f"Remove the hidden character {named}{place}.")
