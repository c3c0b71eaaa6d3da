"""The operations of each scope and the products without a provider, registered by `api`."""

from collections.abc import Callable, Sequence
from typing import Protocol


class OpenedOperation(Protocol):
    """An operation that a scope gives access to: `said` is its method and path, `address` its page.

    `is_test_helper` is true if it exists in the sandbox only.
    """

    @property
    def said(self) -> str: ...

    @property
    def address(self) -> str: ...

    @property
    def is_test_helper(self) -> bool: ...


OperationsOfScope = Callable[[str], Sequence[OpenedOperation]]
_providers: list[OperationsOfScope] = []
# Takes an environment and returns the products whose calls get NO_PROVIDER_ENABLED there.
UnservedProducts = Callable[[str], frozenset[str]]
_unserved: list[UnservedProducts] = []


def register_operations(provider: OperationsOfScope) -> None:
    """Register the source of operations. Call from AppConfig.ready() only."""
    _providers[:] = [provider]


def register_unserved(provider: UnservedProducts) -> None:
    """Register the source of products without a provider. Call from AppConfig.ready() only."""
    _unserved[:] = [provider]


def unserved(environment: str) -> frozenset[str]:
    """Return the products that have API calls but no provider in an environment."""
    return _unserved[0](environment)


def opened_by(scope: str, *, live: bool) -> Sequence[OpenedOperation]:
    """Return the operations that a scope gives access to, in live or in the sandbox."""
    return [one for one in _providers[0](scope) if not (live and one.is_test_helper)]
