"""Every kind of file that two people put in use, and who they are: packages register their own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from console.accounts.roles import Permission
from console.core.refusals import Blocker
from console.publishing.files import Files


def _needs_nothing(_: Any) -> Sequence[Blocker]:
    return ()


@dataclass(frozen=True)
class Kind:
    """One kind of file: where its versions lie, who proposes one and who puts it in use.

    `needs` says what else must be in use before a version can be. `page` names the route where
    people enter versions that are no files of the package; none of them is in use from the start.
    """

    files: Files[Any]
    propose: Permission
    put_in_use: Permission
    needs: Callable[[Any], Sequence[Blocker]] = _needs_nothing
    page: str = ""

    @property
    def key(self) -> str:
        return self.files.key

    @property
    def name(self) -> str:
        return self.files.name


_kinds: dict[str, Kind] = {}


def register(kind: Kind) -> None:
    """Add a kind. Called from AppConfig.ready(), nowhere else."""
    if kind.key in _kinds:
        raise ValueError(f"The kind {kind.key} is registered twice.")
    _kinds[kind.key] = kind


def every() -> list[Kind]:
    """Return every kind, as registered."""
    return list(_kinds.values())


def find(key: str) -> Kind | None:
    return _kinds.get(key)
