"""The sidebar and the command palette for the current user, from the module registry."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from console.shell import modules
from console.shell.modules import ConsoleModule, ProductPlace
from console.shell.viewer import Viewer, ViewerBusiness

YOUR_WORK, OTHER_PAGES = _("Your work"), _("Other pages")
# A heading with at most so many entries is not folded.
_FEW = 5


@dataclass(frozen=True)
class Item:
    """One entry of the sidebar or the palette; `folds` if its heading may hide it."""

    name: str
    url: str
    icon: str
    group: str
    folds: bool = False
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

    @property
    def folds(self) -> bool:
        return all(item.folds for item in self.items)

    @property
    def is_open(self) -> bool:
        return len(self.items) <= _FEW or any(item.current for item in self.items)


def items(visitor: Viewer, place: ViewerBusiness | None, user: object) -> list[Item]:
    """Return every place that this person may go to from here, groups or none."""
    products = modules.product_places(place.row.pk) if place else {}
    order = list(products)
    shown = [
        module
        for module in modules.all_modules()
        if _may_see(module, visitor, place) and (not module.product or module.product in products)
    ]
    shown.sort(key=lambda module: order.index(module.product) if module.product else -1)

    def may(permission: str) -> bool:
        return visitor.may(permission, None)

    waiting = modules.waiting(user, may)
    drawn = (
        _of_staff(one, may, waiting[one.key])
        if one.audience == "staff"
        else _of_business(one, place, products.get(one.product))
        for one in shown
    )
    # What is theirs comes first, for staff too.
    return sorted(filter(None, drawn), key=lambda item: item.group == gettext(OTHER_PAGES))


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


def _of_staff(module: ConsoleModule, may: modules.May, count: int) -> Item | None:
    """Return the entry of a page for staff: under "Your work" if this person works there."""
    is_theirs = module.group == YOUR_WORK or module.is_work(may)
    heading = YOUR_WORK if is_theirs else OTHER_PAGES
    return _item(module, "", heading if module.group else "", folds=not is_theirs, count=count)


def _of_business(
    module: ConsoleModule, place: ViewerBusiness | None, product: ProductPlace | None
) -> Item | None:
    business_id = place.public_id if place else ""
    if product is None:
        return _item(module, business_id, module.group)
    item = _item(module, business_id, product.heading, folds=True)
    if item is None or not product.page:
        return item
    page = reverse(product.page, kwargs={"business_id": business_id})
    return replace(item, url=f"{page}#{module.product}")


def _item(
    module: ConsoleModule, business_id: str, group: str, *, folds: bool = False, count: int = 0
) -> Item | None:
    try:
        url = reverse(module.route, kwargs=module.names(business_id))
    except NoReverseMatch:
        # A test finds modules without a page. Do not let one break every page.
        return None
    name, heading = gettext(module.name), gettext(group) if group else ""
    return Item(name, url, module.icon, heading, folds, module.key_hint, count)
