"""What answers are described with, and the two that follow from the description of an object."""

from functools import cache

from rest_framework import serializers

Described = serializers.Serializer[object]


class _Answer(Described):
    request_id = serializers.CharField()


class _Page(Described):
    object = serializers.ChoiceField(choices=["list"])
    has_more = serializers.BooleanField()
    next_cursor = serializers.CharField(allow_null=True)
    prev_cursor = serializers.CharField(allow_null=True)
    request_id = serializers.CharField()


@cache
def answer_of(item: type[Described]) -> type[Described]:
    """Return the description of an answer that is one such object."""
    return type(_word(item), (item, _Answer), {"__doc__": item.__doc__})


@cache
def page_of(item: type[Described]) -> type[Described]:
    """Return the description of an answer that is a page of such objects."""
    members = {"data": item(many=True), "__doc__": f"A page. {item.__doc__}"}
    return type(f"{_word(item)}List", (_Page,), members)


def _word(item: type[Described]) -> str:
    return item.__name__.removesuffix("Item")
