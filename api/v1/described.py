"""What answers are described with, and the two that follow from the description of an object."""

from functools import cache
from typing import Any

from rest_framework import serializers

from console.core.status_table import StatusRows

Described = serializers.Serializer[object]


class DescribedAmount(serializers.CharField):
    """An amount as a decimal text. `of` is the member beside it that names its currency."""

    def __init__(self, of: str, **more: Any) -> None:
        super().__init__(**more)
        self.of = of


class DescribedStatus(serializers.ChoiceField):
    """A status: one of those that have a row in the table that says how each is shown."""

    def __init__(self, rows: StatusRows, **more: Any) -> None:
        super().__init__(choices=[str(status) for status in rows], **more)
        self.rows = {str(status): row for status, row in rows.items()}


class NoContent(Described):
    """Nothing: the answer has no body."""


class _Answer(Described):
    request_id = serializers.CharField(help_text="The id of this call.")


class _Page(Described):
    object = serializers.ChoiceField(choices=["list"], help_text="What this is.")
    has_more = serializers.BooleanField(help_text="Whether there are older rows behind this page.")
    next_cursor = serializers.CharField(
        allow_null=True, help_text="Send it as `cursor` for the page behind; null at the end."
    )
    prev_cursor = serializers.CharField(
        allow_null=True, help_text="Send it as `cursor` for the page before; null at the beginning."
    )
    request_id = serializers.CharField(help_text="The id of this call.")


class _ResultMeta(Described):
    """When it was answered."""

    timestamp = serializers.DateTimeField(
        help_text="When it was answered; a replay tells the first time."
    )


class _Result(Described):
    success = serializers.ChoiceField(choices=[True], help_text="That it was done.")
    message = serializers.CharField(help_text="What was done, in words.")
    meta = _ResultMeta(help_text="About the answer.")


def sent_metadata() -> serializers.DictField:
    """Return the member that tells the texts of the client's own."""
    return serializers.DictField(
        child=serializers.CharField(allow_blank=True), help_text="Your own texts, as you sent them."
    )


@cache
def answer_of(item: type[Described]) -> type[Described]:
    """Return the description of an answer that is one such object."""
    return type(_word(item), (item, _Answer), {"__doc__": item.__doc__})


@cache
def page_of(item: type[Described]) -> type[Described]:
    """Return the description of an answer that is a page of such objects."""
    data = item(many=True, help_text="The rows of this page.")
    members = {"data": data, "__doc__": f"A page. {item.__doc__}"}
    return type(f"{_word(item)}List", (_Page,), members)


@cache
def result_of(item: type[Described], *, many: bool = False) -> type[Described]:
    """Return the description of an answer of the second family, whose data are such objects."""
    members = {"data": item(many=many, help_text="What you asked for."), "__doc__": item.__doc__}
    return type(f"{_word(item)}Result", (_Result,), members)


def _word(item: type[Described]) -> str:
    return item.__name__.removesuffix("Item")
