"""Response serializers, and the envelopes derived from an object's serializer."""

from functools import cache
from typing import Any, ClassVar, TypeVar

from rest_framework import serializers

from console.core.money import CURRENCIES, Money, decimal
from console.core.status_table import StatusRows


class ResourceSerializer(serializers.Serializer[Any]):
    """An object of the API, as every response shows it.

    Optional fields are left out if empty; nullable ones are null. `columns` are those that lists
    in the console show, if not the first ones.
    """

    columns: ClassVar[tuple[str, ...]] = ()

    def to_representation(self, instance: Any) -> dict[str, Any]:
        shown = super().to_representation(instance)
        for name in [name for name, value in shown.items() if value in ("", {}, None)]:
            if self.fields[name].allow_null:
                shown[name] = None
            elif not self.fields[name].required:
                del shown[name]
        return shown


class IdField(serializers.CharField):
    """An object's public ID, never its primary key."""

    def __init__(self, **more: Any) -> None:
        super().__init__(**{"source": "public_id"} | more)


class ObjectField(serializers.ChoiceField):
    """The object type, a constant."""

    def __init__(self, word: str) -> None:
        super().__init__(choices=[word], help_text="The object type.")
        self.word = word

    def get_attribute(self, instance: Any) -> str:
        return self.word


class SentAmountField(serializers.CharField):
    """An amount as a decimal string. `of` names the field with its currency.

    The value is in minor units, or a Money.
    """

    def __init__(self, of: str = "currency", **more: Any) -> None:
        super().__init__(**more)
        self.of = of

    def get_attribute(self, instance: Any) -> str | None:
        amount: Any = super().get_attribute(instance)
        if isinstance(amount, Money):
            return amount.decimal()
        if isinstance(amount, int):
            assert isinstance(self.parent, serializers.Serializer)
            return decimal(amount, str(self.parent.fields[self.of].get_attribute(instance)))
        return amount  # type: ignore[no-any-return]  # a text already, or null


class SentCurrencyField(serializers.ChoiceField):
    """A currency or asset."""

    def __init__(self, help_text: str = "The currency or asset.", **more: Any) -> None:
        super().__init__(choices=list(CURRENCIES), help_text=help_text, **more)


class StatusField(serializers.ChoiceField):
    """A status with a row in the status table."""

    def __init__(self, rows: StatusRows, **more: Any) -> None:
        super().__init__(choices=[str(status) for status in rows], **more)
        self.rows = {str(status): row for status, row in rows.items()}


class SentMetadataField(serializers.DictField):
    """Client-defined metadata."""

    def __init__(self, help_text: str = "Your own metadata, as you sent it.") -> None:
        super().__init__(child=serializers.CharField(allow_blank=True), help_text=help_text)


class NoContent(serializers.Serializer[Any]):
    """An empty response."""


class ObjectAnswer(serializers.Serializer[Any]):
    """A response with one object: the fields of `item`, and the ID of the call."""

    item: ClassVar[type[serializers.Serializer[Any]]]

    request_id = serializers.CharField(
        help_text="The ID of this call. Rows of lists and the data of events have none."
    )


class _Page(serializers.Serializer[Any]):
    object = serializers.ChoiceField(choices=["list"], help_text="The object type.")
    has_more = serializers.BooleanField(help_text="Whether there are older rows after this page.")
    next_cursor = serializers.CharField(
        allow_null=True,
        help_text="Send this as `cursor` to get the next page. Null on the last page.",
    )
    prev_cursor = serializers.CharField(
        allow_null=True,
        help_text="Send this as `cursor` to get the previous page. Null on the first page.",
    )
    request_id = serializers.CharField(help_text="The ID of this call.")


class ResultMeta(serializers.Serializer[Any]):
    """Time of the response."""

    timestamp = serializers.DateTimeField(
        help_text="When we responded. A replayed response has the original time."
    )


class _Result(serializers.Serializer[Any]):
    success = serializers.BooleanField(help_text="True: the call succeeded.")
    message = serializers.CharField(help_text="What happened, in words.")
    meta = ResultMeta(help_text="Details of the response.")


SerializerT = TypeVar("SerializerT", bound=serializers.BaseSerializer[Any])
SerializerClass = type[serializers.Serializer[Any]]


@cache
def shared(shape: type[SerializerT]) -> SerializerT:
    """Return a serializer instance shared by all calls.

    Creating one copies all its fields, which took a sixth of the time of `/me`. API serializers
    keep no state about a call.
    """
    return shape()


@cache
def answer_of(item: SerializerClass) -> SerializerClass:
    """Return the serializer of a response with one such object."""
    return type(name_of(item), (item, ObjectAnswer), {"__doc__": item.__doc__, "item": item})


@cache
def page_of(item: SerializerClass) -> SerializerClass:
    """Return the serializer of a response with a page of such objects."""
    data = item(many=True, help_text="The rows of this page.")
    members = {"data": data, "__doc__": f"A page. {item.__doc__}"}
    return type(f"{name_of(item)}List", (_Page,), members)


@cache
def result_of(item: SerializerClass, *, many: bool = False) -> SerializerClass:
    """Return the serializer of a second-family response with such objects as data."""
    members = {"data": item(many=many, help_text="The requested data."), "__doc__": item.__doc__}
    return type(f"{name_of(item)}Result", (_Result,), members)


def name_of(shape: type[serializers.BaseSerializer[Any]]) -> str:
    """Return the name of a serializer in the contract: `Payout` for `PayoutSerializer`."""
    return shape.__name__.removesuffix("Serializer")
