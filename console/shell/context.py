"""Navigation and the current user, for base.html."""

from functools import cached_property
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from console.shell import navigation, themes, viewer
from console.shell.navigation import Group, Item
from console.shell.progress import BusinessProgress, ProgressStep
from console.shell.viewer import Viewer, ViewerBusiness


class Frame:
    """The data around a page, looked up only when a template uses it."""

    def __init__(self, request: HttpRequest) -> None:
        self.request = request
        self.demo = bool(settings.DEMO)
        self.version = settings.VERSION

    @cached_property
    def visitor(self) -> Viewer | None:
        return viewer.viewer_of(self.request)

    @cached_property
    def place(self) -> ViewerBusiness | None:
        """The current business: the one in the URL or, outside our staff, the user's only one."""
        if self.visitor is None:
            return None
        match = self.request.resolver_match
        if named := (match.kwargs if match else {}).get("business_id"):
            return self.visitor.place(named)
        alone = len(self.visitor.places) == 1 and not self.visitor.staff_role
        return self.visitor.places[0] if alone else None

    @cached_property
    def progress(self) -> BusinessProgress | None:
        """The stages of the business in the URL, or None on other pages."""
        match = self.request.resolver_match
        visitor, place = self.visitor, self.place
        if visitor is None or place is None or not match or "business_id" not in match.kwargs:
            return None

        def may(permission: str) -> bool:
            return visitor.may(permission, place.public_id)

        # The row that the page read already, so that both share what they read of it.
        return BusinessProgress(getattr(self.request, "business", place.row), visitor.email, may)

    @cached_property
    def next(self) -> ProgressStep | None:
        """The next step of the business in the URL, where it leads somewhere else.

        None if all steps are done or the business's access is stopped. What is wrong is said on
        the step's own pages too.
        """
        if self.place is None or self.place.stopped or self.progress is None:
            return None
        step = self.progress.next
        if step.state == "done":
            return None
        is_here = step.url and self.request.path.startswith(step.url)
        return None if is_here and step.state != "problem" else step

    @cached_property
    def items(self) -> list[Item]:
        if self.visitor is None:
            return []
        user = getattr(self.request, "user", None)
        return navigation.items(self.visitor, self.place, user)

    @property
    def work(self) -> list[Item]:
        """The work lists on which something waits for this member of staff."""
        return [item for item in self.items if item.count]

    @cached_property
    def groups(self) -> list[Group]:
        return navigation.groups(self.items, self.request.path)


def frame(request: HttpRequest) -> dict[str, Any]:
    """Context processor: the frame and the chosen theme."""
    return {"frame": Frame(request), "theme": themes.chosen(request)}
