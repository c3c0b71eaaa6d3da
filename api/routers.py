"""REST framework router that also lists the operations it serves."""

from typing import Any

from rest_framework.routers import SimpleRouter

from api.operations import Operation
from api.viewsets import path_of


class ApiRouter(SimpleRouter):
    """Router without trailing slashes."""

    def __init__(self) -> None:
        super().__init__(trailing_slash=False, use_regex_path=False)

    def register(self, prefix: str, viewset: Any, basename: str | None = None) -> None:
        super().register(prefix, viewset, basename or prefix)

    def operations(self) -> tuple[Operation, ...]:
        """Return the operations that all ViewSets declare, in order of registration."""
        found = []
        for pattern in self.urls:
            view: Any = pattern.callback
            for method, action in view.actions.items():
                path = path_of(str(pattern.pattern))
                found.append(view.cls.describe(action, method.upper(), path))
        return tuple(found)
