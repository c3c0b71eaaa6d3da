"""Registry of console modules, which other packages register."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

# So many things that wait are counted, and no more: a badge costs the same however many there are.
BADGE = 100
Audience = Literal["business", "staff", "public"]


@dataclass(frozen=True)
class ConsoleModule:
    """One entry in the console's navigation, and who may see it.

    `route`: a URL name; for businesses' modules it takes `business_id`.
    `group`: the heading in the sidebar; without one, the module is only in the command palette.
    `key_hint`: the keys that open it ("g q").
    `count`: returns the number of pending items, up to `BADGE`, from `request.user` and the
    business's public id.
    `work_of`: permissions; whoever holds one of them works here, and only they are shown a count.
    `card`: a template on the home page, for public modules, which are in every page's footer.
    `product`: only shown if this product's module is; the route takes it as `module`.
    """

    key: str
    name: str
    route: str
    icon: str
    group: str = ""
    audience: Audience = "business"
    permission: str = ""
    order: int = 100
    key_hint: str = ""
    count: Callable[[object, str], int] | None = None
    work_of: tuple[str, ...] = ()
    card: str = ""
    product: str = ""

    def is_work(self, may: Callable[[str], bool]) -> bool:
        """Tell whether somebody with these permissions works there."""
        return any(may(permission) for permission in self.work_of)

    def waiting(self, user: object, business_id: str, may: Callable[[str], bool]) -> int:
        """Return how many things wait there for a person, up to `BADGE`."""
        if self.count is None or (self.work_of and not self.is_work(may)):
            return 0
        return self.count(user, business_id)

    def names(self, business_id: str) -> dict[str, str]:
        """Return the route's arguments: the business and the product, where they apply."""
        told = {"business_id": business_id, "module": self.product}
        return {name: value for name, value in told.items() if value}


def bounded(rows: Any) -> int:
    """Count a queryset to `BADGE`. It reads in the queryset's order: one that an index has."""
    return int(rows[:BADGE].count())


# Returns the products whose modules a business sees, by the business's primary key.
ShownProducts = Callable[[int], frozenset[str]]

_modules: dict[str, ConsoleModule] = {}
_shown_products: list[ShownProducts] = []


def register(module: ConsoleModule) -> None:
    """Register a module. Called from AppConfig.ready(), nowhere else."""
    if module.key in _modules:
        raise ValueError(f"Console module {module.key} is registered twice.")
    _modules[module.key] = module


def show_products_by(shown: ShownProducts) -> None:
    """Set the function that returns the products a business sees. Called once, by the catalogue."""
    _shown_products[:] = [shown]


def shown_products(business_pk: int) -> frozenset[str]:
    """Return the products whose modules a business sees, in at most one query."""
    return _shown_products[0](business_pk) if _shown_products else frozenset()


def all_modules() -> list[ConsoleModule]:
    """Return all modules, in navigation order."""
    return sorted(_modules.values(), key=lambda module: (module.order, module.key))
