"""Registry of the kinds of versioned files, with who may propose them and put them in use."""

from dataclasses import dataclass
from typing import Any

from console.accounts.roles import Permission
from console.publishing.files import Files


@dataclass(frozen=True)
class Kind:
    """One kind of file, and the permissions to propose a version and to put it in use.

    `page` is the route where staff enter versions and put them in use. `ships` is false if no
    version is a file of the package, to be put in use at the first start.
    """

    files: Files[Any]
    propose: Permission
    put_in_use: Permission
    page: str = ""
    ships: bool = True

    @property
    def key(self) -> str:
        return self.files.key

    @property
    def name(self) -> str:
        return self.files.name


_kinds: dict[str, Kind] = {}


def register(kind: Kind) -> None:
    """Register a kind. Called from AppConfig.ready(), nowhere else."""
    if kind.key in _kinds:
        raise ValueError(f"The kind {kind.key} is registered twice.")
    _kinds[kind.key] = kind


def every() -> list[Kind]:
    """Return every kind, in order of registration."""
    return list(_kinds.values())


def find(key: str) -> Kind | None:
    return _kinds.get(key)
