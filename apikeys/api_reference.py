"""What a scope opens, and whom a provider serves: told from above."""

from collections.abc import Callable, Sequence
from typing import Protocol


class OpenedOperation(Protocol):
    """An operation that a scope opens: `said` is its method and path, `address` its page.

    `is_test_helper` tells that it is served in the sandbox alone.
    """

    @property
    def said(self) -> str: ...

    @property
    def address(self) -> str: ...

    @property
    def is_test_helper(self) -> bool: ...


OperationsOfScope = Callable[[str], Sequence[OpenedOperation]]
_providers: list[OperationsOfScope] = []
# By the word of an environment: the products with calls that answer NO_PROVIDER_ENABLED there.
UnservedProducts = Callable[[str], frozenset[str]]
_unserved: list[UnservedProducts] = []


def register_operations(provider: OperationsOfScope) -> None:
    """Say who knows the operations. Called from AppConfig.ready(), nowhere else."""
    _providers[:] = [provider]


def register_unserved(provider: UnservedProducts) -> None:
    """Say who knows the providers. Called from AppConfig.ready(), nowhere else."""
    _unserved[:] = [provider]


def unserved(environment: str) -> frozenset[str]:
    """Return the products with calls that lack a provider in an environment."""
    return _unserved[0](environment)


def opened_by(scope: str, *, live: bool) -> Sequence[OpenedOperation]:
    """Return the operations that a scope opens today, in live or in the sandbox."""
    return [one for one in _providers[0](scope) if not (live and one.is_test_helper)]
