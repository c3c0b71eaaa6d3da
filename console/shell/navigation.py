"""The sidebar and the command palette for the current user, from the module registry."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext

from console.shell import modules
from console.shell.modules import ConsoleModule
from console.shell.viewer import Viewer, ViewerBusiness


@dataclass(frozen=True)
class Item:
    """One entry of the sidebar or the palette."""

    name: str
    url: str
    icon: str
    group: str
    key_hint: str = ""
    count: int = 0
    current: bool = False

    @property
    def badge(self) -> str:
        return counted(self.count)

    @property
    def keys(self) -> str:
        return self.key_hint.replace(" ", "").lower()


@dataclass(frozen=True)
class Group:
    """Entries of the sidebar under one heading."""

    name: str
    items: tuple[Item, ...]


def items(visitor: Viewer, place: ViewerBusiness | None, user: object) -> list[Item]:
    """Return every place that this person may go to from here, groups or none."""
    products = modules.shown_products(place.row.pk) if place else frozenset()
    shown = (
        module
        for module in modules.all_modules()
        if _may_see(module, visitor, place) and (not module.product or module.product in products)
    )

    def may(permission: str) -> bool:
        return visitor.may(permission, None)

    waiting = modules.waiting(user, may)
    drawn = (_item(one, place, waiting[one.key]) for one in shown)
    return [item for item in drawn if item is not None]


def public() -> list[ConsoleModule]:
    """Return the modules that everybody may open, signed in or not."""
    return [module for module in modules.all_modules() if module.audience == "public"]


def groups(found: Iterable[Item], path: str) -> list[Group]:
    """Return the sidebar: grouped entries, with the current one marked."""
    grouped: dict[str, list[Item]] = {}
    listed = [item for item in found if item.group]
    here = max((i.url for i in listed if path.startswith(i.url)), key=len, default="")
    for item in listed:
        grouped.setdefault(item.group, []).append(replace(item, current=item.url == here))
    return [Group(name, tuple(members)) for name, members in grouped.items()]


def _may_see(module: ConsoleModule, visitor: Viewer, place: ViewerBusiness | None) -> bool:
    if module.audience == "public":
        return False
    if module.audience == "staff":
        return bool(visitor.staff_role) and _may(visitor, module.permission, None)
    return place is not None and _may(visitor, module.permission, place.public_id)


def _may(visitor: Viewer, permission: str, business_id: str | None) -> bool:
    return not permission or visitor.may(permission, business_id)


def counted(count: int) -> str:
    """Return a count as it is shown; "" where nothing waits."""
    return f"{modules.BADGE - 1}+" if count >= modules.BADGE else str(count or "")


def _item(module: ConsoleModule, place: ViewerBusiness | None, count: int) -> Item | None:
    business_id = place.public_id if place and module.audience == "business" else ""
    try:
        url = reverse(module.route, kwargs=module.names(business_id))
    except NoReverseMatch:
        # A test finds modules without a page. Do not let one break every page.
        return None
    name, group = gettext(module.name), gettext(module.group) if module.group else ""
    return Item(name, url, module.icon, group, module.key_hint, count)
