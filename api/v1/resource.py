"""One kind of object of the API: how its rows are listed, read, found and shown. Each the same way.

The members of an answer are read off its serializer: each is a column of the same name, written by
what kind of column it is. So a resource is a model, a serializer, and what it does otherwise.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db import models
from rest_framework import serializers

from api.gateway import pages
from api.gateway.operations import ApiAnswer, Call, OperationFunction
from api.gateway.problems import ApiProblem
from api.sandbox.models.owned_object import MinorUnits
from api.sandbox.reading import ApiRow, RowReader
from api.sandbox.sandbox_provider import is_enabled
from api.v1.callers import key_of
from console.core import clock
from console.core.money import decimal

ModelT = TypeVar("ModelT", bound=models.Model)
Columns = Mapping[str, Any]
Member = Callable[[Columns], Any]
# What the gateway adds, and what an answer says of itself.
_NOT_COLUMNS = frozenset({"object", "request_id"})
_ELSEWHERE = "This object belongs to the other environment of this business."


def require_provider(call: Call) -> None:
    """Refuse what needs a provider, where there is none: in live none is connected yet (D-24)."""
    if not is_enabled(call.environment):
        raise ApiProblem(
            "NO_PROVIDER_ENABLED", product=call.operation.product, environment=call.environment
        )


@dataclass(frozen=True)
class Resource(Generic[ModelT]):
    """Rows of `model`, shown with the members of `shape`.

    `columns` names the column of a member that is called otherwise; `computed` makes a member of
    several columns, of which `also` names those that are no members. A member that need not be
    there is left out where its column is empty. `filters` are parameters of the list. `provided`
    says that reading asks for a provider too. `settle` does what is due for a business, and is
    asked before anybody sees a row that is late: always, where the rows cannot tell that.
    """

    model: type[ModelT]
    shape: type[serializers.Serializer[object]]
    columns: Mapping[str, str] = field(default_factory=dict)
    computed: Mapping[str, Member] = field(default_factory=dict)
    also: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    provided: bool = True
    settle: Callable[[int], object] | None = None

    def page(self, summary: str) -> OperationFunction:
        """Return the function of the operation that lists, the newest first."""

        def page(call: Call) -> ApiAnswer:
            chosen = [sorted(set(call.parameters[name])) for name in self.filters]
            window = pages.window(call, *[value for one in chosen for value in ("", *one)])
            if self.provided:
                require_provider(call)
            found = self._settled(
                call,
                2,
                lambda: self._reader.page(
                    business=call.business.pk,
                    environment=call.environment,
                    place=window.place,
                    count=window.fetch,
                    filters=chosen,
                ),
            )
            return pages.page(found, window, self._present)

        page.__doc__ = summary
        return page

    def read(self, summary: str) -> OperationFunction:
        """Return the function of the operation that reads one by its id."""

        def read(call: Call) -> ApiAnswer:
            if self.provided:
                require_provider(call)
            (row,) = self._settled(call, 1, lambda: [self._own(call, call.names["id"])])
            return ApiAnswer(self._present(*row[1:]))

        read.__doc__ = summary
        return read

    def move(self, summary: str, verb: Callable[..., ModelT]) -> OperationFunction:
        """Return the function of an operation that does something with one, found by its id."""

        def move(call: Call) -> ApiAnswer:
            if self.provided:
                require_provider(call)
            return self.answer(verb(self.find(call, call.names["id"]), by=key_of(call)))

        move.__doc__ = summary
        return move

    def find(self, call: Call, public_id: str) -> ModelT:
        """Return the caller's own row of that id, or refuse as reading it would."""
        rows = self.model._default_manager.select_related("business")
        if "removed_at" in self._fields:
            rows = rows.filter(removed_at=None)
        own = rows.filter(public_id=public_id, business=call.business.pk).first()
        if own is None:
            raise ApiProblem("NOT_FOUND")
        require_environment(call, self._value(own, "environment"))
        return own

    def answer(self, one: ModelT) -> ApiAnswer:
        """Answer with a row that is at hand."""
        return ApiAnswer(self.show(one))

    def show(self, one: ModelT) -> dict[str, Any]:
        """Return the members of a row that is at hand."""
        return self._present(*[self._value(one, name) for name in self._reader.columns])

    def _own(self, call: Call, public_id: str) -> ApiRow:
        row = self._reader.one(business=call.business.pk, public_id=public_id)
        if row is None:
            raise ApiProblem("NOT_FOUND")
        require_environment(call, row[0])
        return row

    def _settled(self, call: Call, first: int, read: Callable[[], list[ApiRow]]) -> list[ApiRow]:
        """Return rows of which none still waits for what is due: nobody sees one that is late.

        Only the caller's own are settled: nobody's read waits for another business's.
        """
        if self.settle is None:
            return read()
        if not self._waits:
            self.settle(call.business.pk)
            return read()
        rows = read()
        status, settles_at = (
            first + self._reader.columns.index(name) for name in ("status", "settles_at")
        )
        now = clock.now()
        if any(
            row[status] == "pending" and row[settles_at] and row[settles_at] <= now for row in rows
        ):
            self.settle(call.business.pk)
            return read()
        return rows

    def _present(self, *values: Any) -> dict[str, Any]:
        columns = dict(zip(self._reader.columns, values, strict=True))
        shown = {name: member(columns) for name, member in self._members.items()}
        for name in self._optional:
            if not shown[name]:
                del shown[name]
        return shown

    def _value(self, one: ModelT, column: str) -> Any:
        return getattr(one, self._fields[column].attname)

    @cached_property
    def _fields(self) -> dict[str, "models.Field[Any, Any]"]:
        return {str(one.column): one for one in self.model._meta.concrete_fields}

    @cached_property
    def _waits(self) -> bool:
        """Whether its rows tell by themselves that they are late; others are changed by what is."""
        return "settles_at" in self._fields

    @cached_property
    def _reader(self) -> RowReader:
        wanted = [
            self._column(name)
            for name in self._described
            if name not in _NOT_COLUMNS and name not in self.computed
        ]
        wanted += self.also
        if self.settle is not None and self._waits:
            wanted += ("status", "settles_at")
        return RowReader(self.model, list(dict.fromkeys(wanted)), filters=self.filters)

    @cached_property
    def _members(self) -> dict[str, Member]:
        described = self._described.items()
        return {name: self._member(name, one) for name, one in described if name != "request_id"}

    @cached_property
    def _optional(self) -> list[str]:
        return [name for name, one in self._described.items() if not one.required]

    @cached_property
    def _described(self) -> dict[str, Any]:
        return {str(name): one for name, one in self.shape().fields.items()}

    def _column(self, name: str) -> str:
        return self.columns.get(name, "public_id" if name == "id" else name)

    def _member(self, name: str, described: Any) -> Member:
        if name in self.computed:
            return self.computed[name]
        if name == "object":
            (word,) = described.choices
            return lambda _: word
        column = self._column(name)
        kind = self._fields[column]
        if isinstance(kind, MinorUnits):
            of = kind.of
            return lambda columns: decimal(columns[column], columns[of])
        if isinstance(kind, models.DateField):
            return lambda columns: _moment(columns[column])
        if described.allow_null:
            return lambda columns: columns[column] or None
        return lambda columns: columns[column]


def _moment(value: date | None) -> str | None:
    if value is None:
        return None
    return clock.iso(value) if isinstance(value, datetime) else value.isoformat()


def require_environment(call: Call, environment: str) -> None:
    """Tell an own object of the other environment; another business's is not there at all."""
    if environment != call.environment:
        raise ApiProblem("ENVIRONMENT_MISMATCH", _ELSEWHERE)
