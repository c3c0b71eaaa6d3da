"""Registry of public event kinds, which webhooks deliver, and how outbox events map to them.

Outbox events are internal: their names and fields may change. A public kind is a contract: its
name, schema and meaning never change. Only what a kind declares here is sent.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from console.core.ids import HasPublicId
from console.events.models import Event

EVERY_ENVIRONMENT = ("sandbox", "live")
EnvironmentName = Literal["sandbox", "live"]


class PublicData(BaseModel):
    """The `data` of a public event. Fields are sent in the order of their declaration."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class PreviousStatus(PublicData):
    """An object's status before it changed."""

    status: str = Field(description="The status before.")


@dataclass(frozen=True, kw_only=True)
class Told:
    """What one business is sent: about which object, in which environments, and the data.

    `business` is a primary key. Events about the account are sent in both environments.
    """

    business: int
    resource_id: str
    data: PublicData
    environments: tuple[str, ...] = EVERY_ENVIRONMENT


# `subject` is the row that the event is about, as the publisher had it. None sends nothing.
Description = Callable[[Event, Any], Told | None]


@dataclass(frozen=True, kw_only=True)
class PublicKind:
    """One public kind that webhook endpoints can select.

    `sources` maps outbox events to functions that return what is sent. `sample` is shown in the
    catalogue; its type is the schema of the data, whatever the source.
    """

    name: str
    summary: str
    sample: PublicData
    sources: Mapping[str, Description]


_kinds: dict[str, PublicKind] = {}
_of_source: dict[str, list[PublicKind]] = {}


def register(*kinds: PublicKind) -> None:
    """Register kinds. Called from AppConfig.ready(), nowhere else."""
    for kind in kinds:
        if kind.name in _kinds:
            raise ValueError(f"The public kind {kind.name} is registered twice.")
        _kinds[kind.name] = kind
        for source in kind.sources:
            _of_source.setdefault(source, []).append(kind)


def forget(kind: PublicKind) -> None:
    """Unregister a kind. Only for tests."""
    del _kinds[kind.name]
    for source in kind.sources:
        _of_source[source].remove(kind)


def every() -> list[PublicKind]:
    """Return all kinds, sorted by name."""
    return [kind for _, kind in sorted(_kinds.items())]


def names() -> frozenset[str]:
    return frozenset(_kinds)


def told_of(event: Event, subject: HasPublicId) -> Iterator[tuple[PublicKind, Told]]:
    """Yield what is sent for an event: each kind and its data. Usually nothing."""
    for kind in _of_source.get(event.kind, ()):
        if (told := kind.sources[event.kind](event, subject)) is not None:
            yield kind, told
