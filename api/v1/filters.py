"""Filters of lists, one way for all: derived from the fields of the objects that they list."""

from typing import Any

from django.db import models

from api.fields import StrictChoice, StrictText, any_of
from api.pagination import PageQuerySerializer
from api.serializers import ResourceSerializer
from api.v1.shared_fields import MomentField

_ID = 40


class CreatedQuerySerializer(PageQuerySerializer):
    """A page of the objects created in a time."""

    created_since = MomentField(
        required=False,
        source="created_at__gte",
        help_text="Only those created from this time on.",
    )
    created_until = MomentField(
        required=False, source="created_at__lte", help_text="Only those created until this time."
    )


def of(
    model: type[models.Model],
    shown: type[ResourceSerializer],
    *names: str,
    base: type[PageQuerySerializer] = CreatedQuerySerializer,
) -> type[PageQuerySerializer]:
    """Return the query of a list with filters by these fields of its objects.

    A field with choices, such as a status or a currency, takes several of them, and refuses others.
    So does a reference, which must be the same. The ID of another object must be one of the
    caller's. Each column needs an index: `owned_object.listed_by`.
    """
    fields = shown().fields
    members: dict[str, Any] = {"__doc__": f"A page. {shown.__doc__}", "related": {}}
    for name in names:
        source = str(fields[name].source)
        column = model._meta.get_field(source)
        if column.related_model:
            members["related"][name] = column.related_model
            members[name] = StrictText(
                max_length=_ID, required=False, help_text=f"Only those with this `{name}`."
            )
        else:
            members[name] = any_of(
                _value(fields[name], column),
                f"Only those with this `{name}`.",
                source=f"{source}__in",
            )
    return type(f"{model.__name__}QuerySerializer", (base,), members)


def _value(field: Any, column: Any) -> Any:
    if choices := getattr(field, "choices", None):
        return StrictChoice(choices=list(choices))
    return StrictText(max_length=column.max_length)
