"""The public kinds: what a business is told of, each mapped from an event by who owns it.

An event of the outbox is ours: its names and fields may change. A public kind is a promise: its
name, its schema and its meaning never change. Nothing is told but what a kind declares here.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from console.core.ids import HasPublicId
from console.events.models import Event

EVERY_ENVIRONMENT = ("sandbox", "live")
EnvironmentName = Literal["sandbox", "live"]


class PublicData(BaseModel):
    """The `data` of a public event. Members are told in the order in which they are declared."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class PreviousStatus(PublicData):
    """What an object was before, where its status changed."""

    status: str = Field(description="The status before.")


@dataclass(frozen=True, kw_only=True)
class Told:
    """What one business is told: about which object, in which environments, and what.

    `business` is the primary key. What concerns the account is told in both environments.
    """

    business: int
    resource_id: str
    data: PublicData
    environments: tuple[str, ...] = EVERY_ENVIRONMENT


# `subject` is the row that the event is about, as its publisher had it. None: nobody is told.
Description = Callable[[Event, Any], Told | None]


@dataclass(frozen=True, kw_only=True)
class PublicKind:
    """One kind that endpoints can select.

    `sources` are the events of the outbox that it is made from, each with what of it is told. A
    kind without sources is accepted in settings and marked as not sent yet. `sample` is shown in
    the catalogue; its type is the schema of what is told, whichever source it comes from.
    """

    name: str
    summary: str
    sample: PublicData
    sources: Mapping[str, Description] = field(default_factory=dict)

    @property
    def is_sent(self) -> bool:
        return bool(self.sources)


_kinds: dict[str, PublicKind] = {}
_of_source: dict[str, list[PublicKind]] = {}


def register(*kinds: PublicKind) -> None:
    """Add kinds. Called from AppConfig.ready(), nowhere else."""
    for kind in kinds:
        if kind.name in _kinds:
            raise ValueError(f"The public kind {kind.name} is registered twice.")
        _kinds[kind.name] = kind
        for source in kind.sources:
            _of_source.setdefault(source, []).append(kind)


def forget(kind: PublicKind) -> None:
    """Take a kind away again: tests alone register kinds for a while."""
    del _kinds[kind.name]
    for source in kind.sources:
        _of_source[source].remove(kind)


def every() -> list[PublicKind]:
    """Return all kinds, by name."""
    return [kind for _, kind in sorted(_kinds.items())]


def names() -> frozenset[str]:
    return frozenset(_kinds)


def told_of(event: Event, subject: HasPublicId) -> Iterator[tuple[PublicKind, Told]]:
    """Yield what a business is told of an event: the kind, and its data. Usually nothing."""
    for kind in _of_source.get(event.kind, ()):
        if (told := kind.sources[event.kind](event, subject)) is not None:
            yield kind, told
