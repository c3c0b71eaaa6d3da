"""How the shell declares its own pages; it stands below accounts, whose doors the others use."""

from collections.abc import Callable
from typing import Literal

from django.views.decorators.http import require_http_methods

from console.core import doors
from console.core.doors import Door, View


def page(kind: Literal["public", "person"], *methods: str) -> Callable[[View], View]:
    """Declare a page for everyone, or for every signed-in person."""
    door = Door(kind, methods or ("GET",))

    def decorate(view: View) -> View:
        guarded = require_http_methods(sorted(door.accepts))(view)
        return doors.declare(guarded, door)  # type: ignore[no-any-return]

    return decorate
